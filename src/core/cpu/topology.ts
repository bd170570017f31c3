/**
 * Where the CPUs of a machine are: which core, uncore cache (the last-level cache), NUMA node and
 * socket each belongs to. As for the kubelet, ids are those of the whole machine, a level's average
 * size is rounded down, and nothing asks that levels nest.
 */
import { InvalidInput } from '../errors.ts'
import { type CpuSet, cpuSet, MOST_CPU_ID } from './cpu-set.ts'

export const levels = ['core', 'uncore', 'numa', 'socket'] as const
export type Level = (typeof levels)[number]

export type CpuPlace = { readonly cpu: number } & { readonly [level in Level]: number }

/**
 * The groups of one level. Inside, CPUs and groups are counted by position among the ascending ids:
 * lists instead of maps, and the order of positions is the order of ids.
 */
export type Grouping = {
  readonly ids: readonly number[]
  /** By position of the CPU. */
  readonly groupOf: readonly number[]
  /** Positions of its CPUs, ascending. */
  readonly members: readonly (readonly number[])[]
  /** On average, rounded down, which is what the kubelet calls the size of a socket or a core. */
  readonly averageSize: number
}

export type CpuTopology = Readonly<Record<Level, Grouping>> & {
  readonly cpus: CpuSet
  readonly positionOf: ReadonlyMap<number, number>
}

/** The kubelet's masks of NUMA nodes have 64 bits. */
const mostOf: Partial<Record<keyof CpuPlace, number>> = { cpu: MOST_CPU_ID, numa: 63 }

export function createTopology(places: readonly CpuPlace[]): CpuTopology {
  if (places.length === 0) throw new InvalidInput('topology: expected at least one CPU, got none')
  const sorted = places.toSorted((a, b) => a.cpu - b.cpu)
  for (const [i, place] of sorted.entries()) {
    checkIds(place)
    if (place.cpu === sorted[i - 1]?.cpu) {
      throw new InvalidInput(`topology: expected CPU ${place.cpu} once, got it twice`)
    }
  }
  const cpus = sorted.map(({ cpu }) => cpu)
  return {
    cpus,
    positionOf: new Map(cpus.map((cpu, position) => [cpu, position])),
    core: groupBy(sorted.map(({ core }) => core)),
    uncore: groupBy(sorted.map(({ uncore }) => uncore)),
    numa: groupBy(sorted.map(({ numa }) => numa)),
    socket: groupBy(sorted.map(({ socket }) => socket)),
  }
}

function checkIds(place: CpuPlace): void {
  for (const key of ['cpu', ...levels] as const) {
    const most = mostOf[key] ?? Number.MAX_SAFE_INTEGER
    if (Number.isSafeInteger(place[key]) && place[key] >= 0 && place[key] <= most) continue
    throw new InvalidInput(
      `topology: CPU ${place.cpu}: expected ${key} to be a whole number from 0 to ${most}, got ${place[key]}`,
    )
  }
}

function groupBy(idsOfCpus: readonly number[]): Grouping {
  const ids = cpuSet(idsOfCpus)
  const groupOfId = new Map(ids.map((id, group) => [id, group]))
  const groupOf = idsOfCpus.map((id) => groupOfId.get(id) ?? 0)
  const members: number[][] = ids.map(() => [])
  for (const [position, group] of groupOf.entries()) members[group]?.push(position)
  return { ids, groupOf, members, averageSize: Math.floor(groupOf.length / ids.length) }
}

/** The CPUs of a core, cache, node or socket by its id; none if there is no such. */
export function cpusIn(topology: CpuTopology, level: Level, id: number): CpuSet {
  const { ids, members } = topology[level]
  const positions = members[ids.indexOf(id)] ?? []
  return positions.map((position) => topology.cpus[position] as number)
}

/** The ids at a level that these CPUs touch; CPUs that the machine lacks touch none. */
export function idsTouched(topology: CpuTopology, level: Level, cpus: CpuSet): number[] {
  const { ids, groupOf } = topology[level]
  const touched = new Set<number>()
  for (const cpu of cpus) {
    const position = topology.positionOf.get(cpu)
    if (position !== undefined) touched.add(groupOf[position] as number)
  }
  return ids.filter((_, group) => touched.has(group))
}

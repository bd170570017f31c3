/**
 * A machine from what `lscpu` of util-linux prints: a row a CPU (`lscpu -J -e`), which says all, or
 * the summary (`lscpu -J`), which says where threads are only if the NUMA nodes' lists show it:
 *
 *   threads a core   CPUs of a node   siblings
 *   1                0-15             none
 *   2                0-7,16-23        0 and 16, 1 and 17, ...: a run of CPUs for each thread
 *   2                0-15             not said: refused, with what to run instead
 */
import { InvalidInput } from '../../errors.ts'
import { type CpuSet, parseCpuSet } from '../cpu-set.ts'
import { bareMachine, type Machine } from '../machine.ts'
import { createTopology } from '../topology.ts'
import { placesOf, type SeenCpu } from './places.ts'

/** A row of `lscpu -J -e`. Cores and caches are numbered over the whole machine. */
export type LscpuRow = {
  readonly cpu: number
  readonly socket: number
  readonly core: number
  readonly node?: number | undefined
  /** The last number of `L1d:L1i:L2:L3`, if there is a level 3. */
  readonly cache?: number | undefined
}

export function readLscpuRows(rows: readonly LscpuRow[]): Machine {
  const sharing = new Map<number, number>()
  for (const { cache } of rows) {
    if (cache !== undefined) sharing.set(cache, (sharing.get(cache) ?? 0) + 1)
  }
  const seen = rows.map(({ cpu, socket, core, node, cache }): SeenCpu => ({
    cpu,
    socket,
    core,
    numa: node ?? socket,
    cache: cache === undefined ? undefined : { id: cache, cpus: sharing.get(cache) ?? 0 },
  }))
  return bareMachine(createTopology(placesOf(seen)))
}

/** Fields of `lscpu -J` by name, without the colon. */
type LscpuSummary = ReadonlyMap<string, string>

export function readLscpuSummary(fields: LscpuSummary): Machine {
  const sockets = numberOf(fields, 'Socket(s)')
  const threads = numberOf(fields, 'Thread(s) per core')
  const nodes = nodesOf(fields)
  const cores = nodes.flatMap(({ node, cpus }) =>
    coresOf(cpus, threads).map((siblings) => ({ node, siblings })),
  )
  const caches = Number(
    /\((\d+) instances?\)/.exec(fields.get('L3') ?? fields.get('L3 cache') ?? '')?.[1] ?? 0,
  )
  // What is numbered by cores in a row: a socket and a cache are so many neighbours.
  const rows = cores.flatMap(({ node, siblings }, core) =>
    siblings.map((cpu) => ({
      cpu,
      node,
      core,
      socket: Math.floor((core * sockets) / cores.length),
      cache: caches === 0 ? undefined : Math.floor((core * caches) / cores.length),
    })),
  )
  return readLscpuRows(rows)
}

function numberOf(fields: LscpuSummary, name: string): number {
  const value = Number(fields.get(name))
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidInput(
    `lscpu: expected "${name}" to be a number above 0, got ${fields.get(name) ?? 'nothing'}; lscpu -J -e says more`,
  )
}

/** Without NUMA nodes all CPUs are one. */
function nodesOf(fields: LscpuSummary): { node: number; cpus: CpuSet }[] {
  const nodes: { node: number; cpus: CpuSet }[] = []
  for (const [name, text] of fields) {
    const node = /^NUMA node(\d+) CPU\(s\)$/.exec(name)?.[1]
    if (node !== undefined) nodes.push({ node: Number(node), cpus: parseCpuSet(text) })
  }
  if (nodes.length > 0) return nodes.toSorted((a, b) => a.node - b.node)
  return [{ node: 0, cpus: parseCpuSet(fields.get('On-line CPU(s) list') ?? '') }]
}

/** The threads of each core, where the list has a run of CPUs for each thread. */
function coresOf(cpus: CpuSet, threads: number): CpuSet[] {
  if (threads > cpus.length) {
    throw new InvalidInput(
      `lscpu: expected "Thread(s) per core" to be ${cpus.length} at most, the CPUs of a NUMA node, got ${threads}`,
    )
  }
  const size = cpus.length / threads
  const runs = Array.from({ length: threads }, (_, i) => cpus.slice(i * size, (i + 1) * size))
  const isRun = (run: CpuSet) => run.every((cpu, i) => cpu === (run[0] ?? 0) + i)
  const areApart = runs.every((run, i) => i === 0 || run[0] !== (runs[i - 1]?.at(-1) ?? 0) + 1)
  if (!Number.isInteger(size) || (threads > 1 && !(runs.every(isRun) && areApart))) {
    throw new InvalidInput(
      'lscpu: expected to see which CPUs share a core, got only the summary; give the output of lscpu -J -e',
    )
  }
  return (runs[0] ?? []).map((_, i) => runs.map((run) => run[i] ?? 0))
}

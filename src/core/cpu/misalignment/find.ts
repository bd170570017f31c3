/**
 * Which containers with CPUs of their own run slower than they need, by where their CPUs and their
 * memory are.
 *
 *   spread  their CPUs are on more NUMA nodes than as many CPUs need on the empty machine: the kubelet's
 *           own measure (core/cpu/hints), but not where `distribute-cpus-across-numa` asks for it
 *   memory  a fifth or more of their memory, measured, is on nodes where they have no CPU; where nothing
 *           is measured, the Memory Manager promised it on none of the nodes of their CPUs
 *   core    a thread of one of their physical cores is not their pod's; never where cores have one
 *
 *   2 NUMA nodes of 2 cores of 2 threads: cores 0-1 2-3 and 4-5 6-7
 *   CPUs   memory             finds
 *   2-3    node 0             nothing
 *   2,4    nodes 0 and 1      spread; core, shared with who has 3 and 5
 *   2-3    node 1             memory
 *
 * Complexity: O(CPUs) a container, and once for the node.
 */
import { unionOf, without } from '../cpu-set.ts'
import { readSwitch } from '../static-policy/options.ts'
import { cpusIn, type CpuTopology, idsTouched } from '../topology.ts'
import type {
  KnownNode,
  MemoryByNode,
  Misalignment,
  Neighbour,
  PinnedContainer,
} from './misalignment.ts'

type RunningContainer = {
  readonly uid: string
  readonly container: string
  /** As the kernel counts it; undefined where it does not. */
  readonly memory: MemoryByNode | undefined
}

/** Page cache and libraries that others use too leave less than that on any node. */
const FAR_RATIO = 0.2

export function findMisalignments(
  node: KnownNode,
  running: readonly RunningContainer[],
): Misalignment[] {
  const neighbourOf = neighboursIn(node)
  return running.flatMap(({ uid, container, memory }): Misalignment[] => {
    const cpus = node.exclusive.get(uid)?.get(container) ?? []
    if (cpus.length === 0) return []
    const pinned = { uid, container, cpus }
    return [
      ...findSpread(node, pinned),
      ...(memory === undefined ? findFarPromise(node, pinned) : findFar(node, pinned, memory)),
      ...findSharedCores(node, pinned, neighbourOf),
    ]
  })
}

const nodesOf = ({ machine }: KnownNode, { cpus }: PinnedContainer): readonly number[] =>
  idsTouched(machine.topology, 'numa', cpus)

function findSpread(node: KnownNode, pinned: PinnedContainer): Misalignment[] {
  const { options = {} } = node.settings.cpuManager ?? {}
  if (readSwitch(options['distribute-cpus-across-numa'] ?? false) === true) return []
  const nodes = nodesOf(node, pinned)
  const needed = fewestNodes(node.machine.topology, pinned.cpus.length)
  return nodes.length > needed ? [{ ...pinned, kind: 'spread', nodes, needed }] : []
}

function fewestNodes({ numa }: CpuTopology, count: number): number {
  const sizes = numa.members.map(({ length }) => length).toSorted((a, b) => b - a)
  let room = 0
  const last = sizes.findIndex((size) => (room += size) >= count)
  return last === -1 ? sizes.length : last + 1
}

function findFar(node: KnownNode, pinned: PinnedContainer, memory: MemoryByNode): Misalignment[] {
  const near = nodesOf(node, pinned)
  const used = [...memory].filter(([, amount]) => amount > 0)
  const there = used.filter(([id]) => !near.includes(id))
  const sum = (some: readonly (readonly [number, number])[]): number =>
    some.reduce((all, [, amount]) => all + amount, 0)
  const farRatio = sum(there) / Math.max(1, sum(used))
  const far = there.map(([id]) => id).toSorted((a, b) => a - b)
  return farRatio < FAR_RATIO ? [] : [{ ...pinned, kind: 'memory', near, far, farRatio }]
}

/** Memory that is promised on several nodes may be on a near one. */
function findFarPromise(node: KnownNode, pinned: PinnedContainer): Misalignment[] {
  const blocks = node.memory.get(pinned.uid)?.get(pinned.container) ?? []
  const near = nodesOf(node, pinned)
  const far = unionOf(
    ...blocks.map(({ numa }) => numa).filter((numa) => numa.every((id) => !near.includes(id))),
  )
  return far.length === 0 ? [] : [{ ...pinned, kind: 'memory', near, far, farRatio: 1 }]
}

function findSharedCores(
  { machine: { topology } }: KnownNode,
  pinned: PinnedContainer,
  neighbourOf: (cpu: number) => Neighbour,
): Misalignment[] {
  const cores = idsTouched(topology, 'core', pinned.cpus).map((id) => cpusIn(topology, 'core', id))
  const siblings = without(unionOf(...cores), pinned.cpus)
    .map((cpu) => ({ cpu, neighbour: neighbourOf(cpu) }))
    .filter(({ neighbour }) => typeof neighbour === 'string' || neighbour.uid !== pinned.uid)
  return siblings.length === 0 ? [] : [{ ...pinned, kind: 'core', siblings }]
}

function neighboursIn({ exclusive, shared = [] }: KnownNode): (cpu: number) => Neighbour {
  const owners = new Map<number, Neighbour>()
  for (const cpu of shared) owners.set(cpu, 'the shared pool')
  for (const [uid, containers] of exclusive) {
    for (const [container, cpus] of containers) {
      for (const cpu of cpus) owners.set(cpu, { uid, container })
    }
  }
  return (cpu) => owners.get(cpu) ?? 'the system'
}

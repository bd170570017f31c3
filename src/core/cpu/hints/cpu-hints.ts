/**
 * The CPU Manager's hints: which sets of NUMA nodes could give a container its CPUs.
 *
 * A set is a hint if it has enough available CPUs, and all that are to be reused. It is preferred if
 * it has as few nodes as would do on the empty machine; with `align-by-socket`, also if it lies in as
 * few sockets. Complexity: O(2^m) for m nodes. Reference: kubelet 1.36, `generateCPUTopologyHints`.
 *
 *   2 NUMA nodes of 4 CPUs: 0-3 and 4-7
 *   available  ask  hints, * preferred
 *   0-7        2    {0}* {1}* {0,1}
 *   0-1,4-5    4    {0,1}     one node would do on the empty machine
 *   0-7        6    {0,1}*
 */
import { type CpuSet, noCpus, unionOf } from '../cpu-set.ts'
import { countNodes, type Hint, type HintList, masksBySize, nodesIn } from '../hint.ts'
import {
  type ContainerRequest,
  exclusiveCpus,
  exclusiveCpusOfPod,
  type PodRequest,
} from '../pod-request.ts'
import type { StaticPolicy } from '../static-policy/policy.ts'
import { assignedCpus, availableCpus, type CpuState, reusableCpus } from '../static-policy/state.ts'
import { type CpuTopology, cpusIn, idsTouched } from '../topology.ts'

export type HintRequest = {
  readonly available: CpuSet
  readonly reusable: CpuSet
  readonly count: number
}

/** Null without whole CPUs to ask for: no preference. */
export function cpuHints(policy: StaticPolicy, request: HintRequest): HintList {
  const { topology } = policy
  const { available, reusable, count } = request
  if (count === 0) return null
  const nodes = topology.numa.ids
  const [all, free, reused] = [topology.cpus, available, reusable].map((cpus) =>
    countByNode(topology, cpus),
  ) as [number[], number[], number[]]
  const masks = masksBySize(nodes.length)
  const suffices = (counts: readonly number[], mask: number) => sumIn(counts, mask) >= count
  // A set that covers the whole machine is the least, if even that has too few.
  const enough = masks.find((mask) => suffices(all, mask)) ?? masks.at(-1) ?? 0
  const fewest = countNodes(enough)
  const fits = masks.filter(
    (mask) =>
      sumIn(reused, mask) === reusable.length && sumIn(free, mask) + reusable.length >= count,
  )
  return fits.map((mask): Hint => {
    const affinity = nodesIn(mask, nodes)
    const preferred = affinity.length === fewest || isInFewSockets(policy, affinity, fewest)
    return { affinity, preferred }
  })
}

function countByNode({ numa, positionOf }: CpuTopology, cpus: CpuSet): number[] {
  const counts = numa.ids.map(() => 0)
  for (const cpu of cpus) {
    const position = positionOf.get(cpu)
    if (position === undefined) continue
    const node = numa.groupOf[position] as number
    counts[node] = (counts[node] as number) + 1
  }
  return counts
}

const sumIn = (counts: readonly number[], mask: number): number =>
  counts.reduce((sum, count, bit) => ((mask & (1 << bit)) === 0 ? sum : sum + count), 0)

function isInFewSockets(
  { topology, options }: StaticPolicy,
  affinity: readonly number[],
  fewestNodes: number,
): boolean {
  if (!options['align-by-socket']) return false
  const nodesASocket = Math.floor(topology.numa.ids.length / topology.socket.ids.length)
  const cpus = unionOf(...affinity.map((node) => cpusIn(topology, 'numa', node)))
  const sockets = idsTouched(topology, 'socket', cpus).length
  return sockets === Math.ceil(fewestNodes / nodesASocket)
}

/** A container that has its CPUs, as after a restart of the kubelet, gets the same hints for these. */
export function containerCpuHints(
  policy: StaticPolicy,
  state: CpuState,
  { pod, container }: { readonly pod: PodRequest; readonly container: ContainerRequest },
): HintList {
  const count = exclusiveCpus(pod, container)
  const held = assignedCpus(state, pod.uid, container.name)
  if (count === 0 || held === undefined) return freeHints(policy, state, { pod, count })
  return held.length === count ? cpuHints(policy, { available: held, reusable: noCpus, count }) : []
}

/** Of the pod as a whole. */
export function podCpuHints(policy: StaticPolicy, state: CpuState, pod: PodRequest): HintList {
  const count = exclusiveCpusOfPod(pod)
  if (count === 0) return null
  let held = noCpus
  for (const container of pod.containers) {
    const cpus = assignedCpus(state, pod.uid, container.name)
    if (cpus === undefined) continue
    if (cpus.length !== exclusiveCpus(pod, container)) return []
    held = unionOf(held, cpus)
  }
  if (held.length === count) return cpuHints(policy, { available: held, reusable: noCpus, count })
  return freeHints(policy, state, { pod, count, held })
}

function freeHints(
  policy: StaticPolicy,
  state: CpuState,
  { pod, count, held = noCpus }: { pod: PodRequest; count: number; held?: CpuSet },
): HintList {
  const available = availableCpus(policy, state)
  return cpuHints(policy, {
    available,
    reusable: unionOf(reusableCpus(state, pod.uid), held),
    count,
  })
}

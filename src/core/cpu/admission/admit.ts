/**
 * Would this node's kubelet admit this pod, and with which CPUs and memory? Equal to what it does
 * (k8s.io/kubernetes 1.36, pkg/kubelet/cm/topologymanager, scopes; KEP-693).
 *
 * Containers come in the order in which they start. Each asks the managers for hints, which are
 * merged, once for each container or once for the whole pod; then the CPU Manager and the Memory
 * Manager give it what they can on those nodes. The first "no" refuses the pod, and what its earlier
 * containers were given is given back.
 *
 *   2 NUMA nodes of 4 CPUs, single-numa-node; containers of 3 and 2 CPUs
 *   scope container   admitted: 3 on node 0, 2 on node 1
 *   scope pod         TopologyAffinityError: 5 CPUs are on no one node
 *   ask 5 and 2       TopologyAffinityError in either scope
 */
import type { CpuSet } from '../cpu-set.ts'
import type { Hint, ProviderHints } from '../hint.ts'
import { containerCpuHints, podCpuHints } from '../hints/cpu-hints.ts'
import { allocateMemory } from '../memory/allocate.ts'
import { memoryHintsOfContainer, memoryHintsOfPod } from '../memory/hints.ts'
import { type Block, blocksOf } from '../memory/state.ts'
import type { ContainerKind, ContainerRequest, PodRequest } from '../pod-request.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { allocateCpus } from '../static-policy/allocate.ts'
import { assignedCpus } from '../static-policy/state.ts'
import { type Merged, mergeHints } from '../topology-manager/merge.ts'
import type { TopologyPolicy } from '../topology-manager/settings.ts'
import { explainFree, explainHints } from './explain.ts'
import { type KubeletNode, type NodeState, releasePod } from './node.ts'

export type Admission = {
  readonly admitted: boolean
  readonly refusal?: PodRefusal
  /** In the order in which they start; of a refused pod, those that had been given something. */
  readonly containers: readonly Placement[]
  /** Afterwards. */
  readonly state: NodeState
}

type PodRefusal = {
  /** As in the pod's status; its message there begins with "Pod was rejected: ". */
  readonly reason: string
  readonly message: string
  /** Which one; absent if the pod as a whole. */
  readonly container?: string
  /** For an operator. */
  readonly why: string
}

export type Placement = {
  readonly name: string
  readonly kind: ContainerKind
  /** Null: it runs in the shared pool. */
  readonly cpus: CpuSet | null
  readonly memory: readonly Block[]
  /** The merged one. */
  readonly hint: Hint
}

export function admitPod(node: KubeletNode, before: NodeState, pod: PodRequest): Admission {
  const { policy, scope } = node.topology
  const containers: Placement[] = []
  let state = before
  const refuse = (refusal: PodRefusal): Admission => ({
    admitted: false,
    refusal,
    containers,
    state: releasePod(state, pod.uid),
  })
  const isForPod = scope === 'pod' && policy !== 'none'
  const forPod = isForPod ? merge(node, hintsOfPod(node, state, pod)) : undefined
  if (forPod?.admit === false) return refuse(notAligned(policy, forPod))
  for (const container of pod.containers) {
    const { name, kind } = container
    const merged = forPod ?? merge(node, hintsOfContainer(node, state, { pod, container }))
    if (!merged.admit) return refuse({ ...notAligned(policy, merged), container: name })
    for (const give of [giveCpus, giveMemory]) {
      const after = give(node, state, { pod, container, hint: merged.hint })
      if (isRefusal(after)) {
        const why = `${after.error}; ${explainFree(node, state)}`
        return refuse({ ...statusOf(after), container: name, why })
      }
      state = after
    }
    containers.push({
      name,
      kind,
      cpus: (state.cpu && assignedCpus(state.cpu, pod.uid, name)) ?? null,
      memory: (state.memory && blocksOf(state.memory, pod.uid, name)) ?? [],
      hint: merged.hint,
    })
  }
  return { admitted: true, containers, state }
}

type Arrival = { readonly pod: PodRequest; readonly container: ContainerRequest }

function hintsOfContainer(
  { topology, cpu }: KubeletNode,
  state: NodeState,
  { pod, container }: Arrival,
): ProviderHints[] {
  if (topology.policy === 'none') return []
  return [
    cpu && state.cpu ? { cpu: containerCpuHints(cpu, state.cpu, { pod, container }) } : {},
    state.memory ? memoryHintsOfContainer(state.memory, pod, container) : {},
  ]
}

const hintsOfPod = ({ cpu }: KubeletNode, state: NodeState, pod: PodRequest): ProviderHints[] => [
  cpu && state.cpu ? { cpu: podCpuHints(cpu, state.cpu, pod) } : {},
  state.memory ? memoryHintsOfPod(state.memory, pod) : {},
]

type Choice = Merged & { readonly hints: readonly ProviderHints[] }

const merge = ({ topology }: KubeletNode, hints: readonly ProviderHints[]): Choice => ({
  ...mergeHints(hints, topology),
  hints,
})

const notAligned = (policy: TopologyPolicy, { hints }: Choice): PodRefusal => ({
  reason: 'TopologyAffinityError',
  message: 'Resources cannot be allocated with Topology locality',
  why: `${policy} wants ${policy === 'restricted' ? 'NUMA nodes' : 'one NUMA node'} that all resources prefer: ${explainHints(hints)}`,
})

/** What has no type of its own the kubelet calls unexpected. */
const statusOf = ({ error, type }: Refusal): Pick<PodRefusal, 'reason' | 'message'> =>
  type === undefined
    ? {
        reason: 'UnexpectedAdmissionError',
        message: `Allocate failed due to ${error}, which is unexpected`,
      }
    : { reason: type, message: error }

type Give = (
  node: KubeletNode,
  state: NodeState,
  arrival: Arrival & { readonly hint: Hint },
) => NodeState | Refusal

const giveCpus: Give = ({ cpu }, state, { pod, container, hint }) => {
  if (cpu === null || state.cpu === null) return state
  const given = allocateCpus(cpu, state.cpu, { pod, container, affinity: hint.affinity })
  return isRefusal(given) ? given : { ...state, cpu: given.state }
}

const giveMemory: Give = (_, state, arrival) => {
  const memory = state.memory && allocateMemory(state.memory, arrival)
  return memory !== null && isRefusal(memory) ? memory : { ...state, memory }
}

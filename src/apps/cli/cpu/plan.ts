/** `mbcas cpu plan`: plays pods in order against a node's kubelet that is not there. */
import { readPod } from '../../../apis/pod-file.ts'
import { podRequestOf } from '../../../apis/pod-request.ts'
import type { Pod } from '../../../apis/pod.ts'
import { type Admission, admitPod, type Placement } from '../../../core/cpu/admission/admit.ts'
import {
  createNode,
  type KubeletConfig,
  type KubeletNode,
  type NodeState,
  startPod,
} from '../../../core/cpu/admission/node.ts'
import { type CpuSet, formatCpuSet, intersectionOf, noCpus } from '../../../core/cpu/cpu-set.ts'
import type { Machine } from '../../../core/cpu/machine.ts'
import { isRefusal, type Refusal } from '../../../core/cpu/refusal.ts'
import { availableCpus, takenCpus } from '../../../core/cpu/static-policy/state.ts'
import { cpusIn, idsTouched } from '../../../core/cpu/topology.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { cut } from '../../../core/visible.ts'

/** A Pod, or the Pods of a List. */
export function podsIn(document: unknown, name: string): Pod[] {
  const { kind, items } = (document ?? {}) as { kind?: unknown; items?: unknown }
  if (Array.isArray(items) && kind === 'List') return items.flatMap((item) => podsIn(item, name))
  // As the API answers: what its items are, the list says.
  if (Array.isArray(items) && kind === 'PodList') return items.map((item) => readPod(item, name))
  if (kind === 'Pod') return [readPod(document, name)]
  throw new InvalidInput(
    `reading ${name}: expected a Pod with containers, got ${typeof kind === 'string' ? cut(kind, 60) : 'no kind'}`,
  )
}

/** A kubelet on its machine, with what it has given away. */
export type Start = {
  readonly machine: Machine
  readonly node: KubeletNode
  readonly state: NodeState
}

/** As it is when its first pod comes. */
export const freshStart = (machine: Machine, config: KubeletConfig): Start =>
  startOf(machine, createNode(machine, config))

export function startOf(machine: Machine, created: Omit<Start, 'machine'> | Refusal): Start {
  if (!isRefusal(created)) return { machine, ...created }
  throw new InvalidInput(`a kubelet would not start so: ${created.error}`)
}

export type Plan = {
  readonly pods: readonly PodPlan[]
  readonly reserved: CpuSet
  /** What other pods had for themselves before. */
  readonly taken: CpuSet
  /** Where containers run that have no CPUs of their own. */
  readonly shared: CpuSet
  /** What could still be given away. */
  readonly free: CpuSet
}

export type PodPlan = Omit<Admission, 'state'> & {
  /** namespace/name */
  readonly pod: string
  /** Resources that it asks for, and that no manager here knows: devices, most likely. */
  readonly overlooked: readonly string[]
}

/** A pod that is refused leaves what there was to the next. */
export function planPods({ machine, node, ...start }: Start, pods: readonly Pod[]): Plan {
  let { state } = start
  const plans = pods.map((pod, i): PodPlan => {
    const request = podRequestOf(pod)
    const { namespace = 'default', name = '' } = pod.metadata
    // Two of a name are two pods: each file is played as if it were applied anew.
    const unique = { ...request, uid: `${request.uid} ${i}` }
    const { state: after, ...admission } = admitPod(node, state, unique)
    state = admission.admitted ? startPod(after, unique) : after
    return { pod: `${namespace}/${name}`, ...admission, overlooked: overlookedIn(pod) }
  })
  // Without a static policy nothing is set aside.
  const all = machine.topology.cpus
  return {
    pods: plans,
    reserved: node.cpu?.reserved ?? noCpus,
    taken: start.state.cpu ? takenCpus(start.state.cpu) : noCpus,
    shared: state.cpu?.shared ?? all,
    free: node.cpu && state.cpu ? availableCpus(node.cpu, state.cpu) : all,
  }
}

const managed = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/

function overlookedIn({ spec: { containers, initContainers = [] } }: Pod): string[] {
  const asked = [...containers, ...initContainers].flatMap(({ resources }) =>
    Object.keys({ ...resources?.limits, ...resources?.requests }),
  )
  return [...new Set(asked)].filter((resource) => !managed.test(resource)).toSorted()
}

/** For machines: CPUs in list format, and what is free by NUMA node. */
export function planJson({ topology }: Machine, { pods, ...plan }: Plan): unknown {
  return {
    pods: pods.map(({ containers, ...pod }) => ({
      ...pod,
      containers: containers.map(({ cpus, ...placement }) => ({
        ...placement,
        cpus: cpus && formatCpuSet(cpus),
        numaNodes: cpus && idsTouched(topology, 'numa', cpus),
      })),
    })),
    reserved: formatCpuSet(plan.reserved),
    taken: formatCpuSet(plan.taken),
    shared: formatCpuSet(plan.shared),
    free: formatCpuSet(plan.free),
    freeByNumaNode: topology.numa.ids.map((numa) => ({
      numa,
      cpus: formatCpuSet(intersectionOf(plan.free, cpusIn(topology, 'numa', numa))),
    })),
  }
}

/** Containers with CPUs of their own, in the order in which they came. */
export const pinned = ({ pods }: Plan): Placement[] =>
  pods
    .filter(({ admitted }) => admitted)
    .flatMap(({ containers }) => containers.filter(({ cpus }) => cpus !== null))

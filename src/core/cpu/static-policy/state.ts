/** What a static policy has given away: the pool that containers share, and the CPUs of those that do not. */
import type { ByContainer } from '../by-container.ts'
import { type CpuSet, noCpus, unionOf, without } from '../cpu-set.ts'
import type { ContainerKind } from '../pod-request.ts'
import type { StaticPolicy } from './policy.ts'

export type CpuState = {
  /** The kubelet's default set, with the reserved CPUs unless the reservation is strict. */
  readonly shared: CpuSet
  readonly assigned: ByContainer<CpuSet>
  /** CPUs of init containers, for the containers of the same pod that start later. */
  readonly reusable?: { readonly pod: string; readonly cpus: CpuSet }
}

export const emptyState = ({ topology, options, reserved }: StaticPolicy): CpuState => ({
  shared: options['strict-cpu-reservation'] ? without(topology.cpus, reserved) : topology.cpus,
  assigned: new Map(),
})

/** As they were given before. */
export const holdCpus = (empty: CpuState, assigned: CpuState['assigned']): CpuState => ({
  shared: without(empty.shared, takenCpus({ assigned })),
  assigned,
})

/** What containers have for themselves. */
export const takenCpus = ({ assigned }: Pick<CpuState, 'assigned'>): CpuSet =>
  unionOf(...[...assigned.values()].flatMap((containers) => Array.from(containers.values())))

export const availableCpus = ({ reserved }: StaticPolicy, { shared }: CpuState): CpuSet =>
  without(shared, reserved)

export const reusableCpus = ({ reusable }: CpuState, pod: string): CpuSet =>
  reusable?.pod === pod ? reusable.cpus : noCpus

export const assignedCpus = (
  { assigned }: CpuState,
  pod: string,
  container: string,
): CpuSet | undefined => assigned.get(pod)?.get(container)

type Owner = { readonly pod: string; readonly container: string; readonly kind: ContainerKind }

export function giveCpus(state: CpuState, { pod, container, kind }: Owner, cpus: CpuSet): CpuState {
  const ofPod = new Map(state.assigned.get(pod)).set(container, cpus)
  return noteReuse(
    {
      ...state,
      shared: without(state.shared, cpus),
      assigned: new Map(state.assigned).set(pod, ofPod),
    },
    { pod, kind },
    cpus,
  )
}

/** Only the pod that came last can reuse, and a sidecar's CPUs are not for reuse: it stays. */
export function noteReuse(
  state: CpuState,
  { pod, kind }: Omit<Owner, 'container'>,
  cpus: CpuSet,
): CpuState {
  const before = reusableCpus(state, pod)
  const after = kind === 'init' ? unionOf(before, cpus) : without(before, cpus)
  return { ...state, reusable: { pod, cpus: after } }
}

/** CPUs that another container of the pod has too, by reuse, stay with that one. */
export function releaseCpus(state: CpuState, pod: string, container: string): CpuState {
  const released = assignedCpus(state, pod, container)
  if (released === undefined) return state
  const others = new Map(state.assigned.get(pod))
  others.delete(container)
  const assigned = new Map(state.assigned)
  if (others.size === 0) assigned.delete(pod)
  else assigned.set(pod, others)
  const free = without(released, unionOf(...others.values()))
  return { ...state, shared: unionOf(state.shared, free), assigned }
}

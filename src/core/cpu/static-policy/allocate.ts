/** A container comes: it gets CPUs of its own, keeps those it had, or runs in the shared pool. */
import type { CpuSet } from '../cpu-set.ts'
import { type ContainerRequest, exclusiveCpus, type PodRequest } from '../pod-request.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { assignCpus, refuseBrokenCores } from './assign.ts'
import type { StaticPolicy } from './policy.ts'
import {
  assignedCpus,
  availableCpus,
  type CpuState,
  giveCpus,
  noteReuse,
  reusableCpus,
} from './state.ts'

export type Arrival = {
  readonly pod: PodRequest
  readonly container: ContainerRequest
  /** As the Topology Manager merged it; null: any NUMA node. */
  readonly affinity: readonly number[] | null
}

/** `cpus` is absent for a container of the shared pool. */
type Allocated = { readonly state: CpuState; readonly cpus?: CpuSet }

export function allocateCpus(
  policy: StaticPolicy,
  state: CpuState,
  { pod, container, affinity }: Arrival,
): Allocated | Refusal {
  const count = exclusiveCpus(pod, container)
  if (count === 0) return { state }
  const owner = { pod: pod.uid, container: container.name, kind: container.kind }
  const request = {
    available: availableCpus(policy, state),
    reusable: reusableCpus(state, pod.uid),
    count,
    affinity,
  }
  const held = assignedCpus(state, pod.uid, container.name)
  if (held !== undefined) {
    // A restarted kubelet asks this too, of a container that has its cores.
    const refusal = refuseBrokenCores(policy, request)
    return refusal ?? { state: noteReuse(state, owner, held), cpus: held }
  }
  const cpus = assignCpus(policy, request)
  return isRefusal(cpus) ? cpus : { state: giveCpus(state, owner, cpus), cpus }
}

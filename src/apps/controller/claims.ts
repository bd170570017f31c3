/**
 * What a pod keeps from the others of its node, as the scheduler and the kubelet count it (KEP-1287):
 * of each container the most of what it asks for, was set aside for it and is in the kernel; of what
 * the kubelet called infeasible, or put off, the wish does not count: who waits for room keeps none from
 * those who had it before. Init containers run one after the other, so
 * they count where the largest, beside the sidecars before it, is more than the containers together.
 *
 *   spec 500m, set aside 200m, in the kernel 200m   ->  500m: it will be
 *   spec 200m, set aside 500m, in the kernel 500m   ->  500m: it still is
 *   spec 64, infeasible, 500m in the kernel         ->  500m
 *   spec 3, deferred, 500m in the kernel            ->  500m
 */
import { isSidecar } from '../../apis/pod-containers.ts'
import {
  type Container,
  type ContainerStatus,
  cpuIn,
  isFinished,
  type Pod,
} from '../../apis/pod.ts'
import type { Millicores } from '../../core/units.ts'
import { pendingWord } from './pod-cpu.ts'

export function claimOf(pod: Pod): Millicores {
  const { spec, status } = pod
  if (spec.nodeName === undefined) return 0 as Millicores
  if (isFinished(pod)) return 0 as Millicores
  const overhead = cpuIn(spec.overhead) ?? 0
  const wishes = pendingWord(pod) === undefined
  const whole = cpuIn(spec.resources?.requests)
  if (whole !== undefined) {
    const wished = wishes ? whole : 0
    const held = Math.max(
      cpuIn(status?.allocatedResources) ?? 0,
      cpuIn(status?.resources?.requests) ?? 0,
    )
    return (Math.max(wished, held) + overhead) as Millicores
  }
  const statuses = new Map<string, ContainerStatus>()
  for (const one of status?.containerStatuses ?? []) statuses.set(one.name, one)
  for (const one of status?.initContainerStatuses ?? []) statuses.set(one.name, one)
  const claim = ({ name, resources }: Container): number =>
    Math.max(
      wishes ? (cpuIn(resources?.requests) ?? 0) : 0,
      cpuIn(statuses.get(name)?.allocatedResources) ?? 0,
      cpuIn(statuses.get(name)?.resources?.requests) ?? 0,
    )
  let sidecars = 0
  let peak = 0
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) sidecars += claim(container)
    else peak = Math.max(peak, sidecars + claim(container))
  }
  const together = spec.containers.reduce((sum, container) => sum + claim(container), sidecars)
  return (Math.max(together, peak) + overhead) as Millicores
}

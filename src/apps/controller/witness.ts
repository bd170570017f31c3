/**
 * What a pod had before its first resize, told a second time: the status of its PodAllocation has it,
 * too, which only the controller writes. The note on the pod can go lost, or be taken for another's, at
 * the hands of anybody who may write the pod; what the pod has by then must not pass for its own.
 */
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import { systemNamespaces } from '../../core/bidding/unmanaged.ts'
import { parseMillicores, QuantityError } from '../../core/quantity.ts'
import { joinCpu, ofName } from '../../core/resize/containers.ts'
import { type ContainerCpu, cpuFields } from '../../core/resize/types.ts'
import type { SeenPod } from './seen-pod.ts'

/** A pod without a note of ours, with what the status says that it had, if it has that no more. */
export function withWitness(pod: SeenPod, allocation: PodAllocation | undefined): SeenPod {
  if (pod.original !== undefined || systemNamespaces.has(pod.namespace)) return pod
  if (allocation?.spec.podUID !== pod.uid) return pod
  const { spec } = pod.cpu
  const original = joinCpu(spec, originalIn(allocation))
  return original.some((one) => differs(one, spec)) ? { ...pod, original } : pod
}

/** What we know of it is not written on it. */
export const lacksNote = ({ original, isNoted }: SeenPod): boolean =>
  original !== undefined && !isNoted

function originalIn({ status }: PodAllocation): readonly ContainerCpu[] {
  try {
    return (status?.containers ?? []).flatMap(({ name, originalCPURequest, originalCPULimit }) => {
      const request = amountOf(originalCPURequest)
      const limit = amountOf(originalCPULimit)
      return request === undefined && limit === undefined ? [] : [{ name, request, limit }]
    })
  } catch (error) {
    if (error instanceof QuantityError || error instanceof RangeError) return []
    throw error
  }
}

const amountOf = (amount: string | number | undefined) =>
  amount === undefined ? undefined : parseMillicores(`${amount}`)

const differs = (original: ContainerCpu, spec: readonly ContainerCpu[]): boolean =>
  cpuFields.some((field) => ofName(spec, original.name)?.[field] !== original[field])

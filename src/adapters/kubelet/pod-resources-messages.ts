/**
 * What the kubelet's pod-resources service (v1) answers, as far as no checkpoint tells it: which CPUs
 * may be given away, and which devices there are and are held.
 *
 * Numbers of fields: k8s.io/kubelet/pkg/apis/podresources/v1/api.proto
 */
import { type CpuSet, cpuSet } from '../../core/cpu/cpu-set.ts'
import {
  type Field,
  fieldsIn,
  messagesOf,
  numberOf,
  numbersOf,
  textOf,
  textsOf,
} from './protobuf.ts'

export type Devices = {
  readonly resource: string
  readonly ids: readonly string[]
  /** NUMA nodes that they are near; none: near none in particular. */
  readonly numa: readonly number[]
}

type Allocatable = {
  readonly cpus: CpuSet
  readonly devices: readonly Devices[]
}

/** `AllocatableResourcesResponse` */
export function readAllocatable(message: Buffer): Allocatable {
  const fields = fieldsIn(message)
  return { cpus: cpuSet(numbersOf(fields, 2)), devices: messagesOf(fields, 1).map(devicesIn) }
}

/** `ListPodResourcesResponse`: those of all containers of all pods. */
export const readHeldDevices = (message: Buffer): Devices[] =>
  messagesOf(fieldsIn(message), 1)
    .flatMap((pod) => messagesOf(pod, 3))
    .flatMap((container) => messagesOf(container, 2))
    .map(devicesIn)

const devicesIn = (fields: readonly Field[]): Devices => ({
  resource: textOf(fields, 1),
  ids: textsOf(fields, 2),
  numa: cpuSet(
    messagesOf(fields, 3)
      .flatMap((topology) => messagesOf(topology, 1))
      .map((node) => numberOf(node, 1)),
  ),
})

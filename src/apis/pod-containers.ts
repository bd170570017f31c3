/** The containers that run for the life of a pod, and what is said of each. */
import type { Container, ContainerStatus, Pod } from './pod.ts'

/** Sidecars are init containers that go on running. */
export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always'

export const lastingIn = ({ containers, initContainers = [] }: Pod['spec']): Container[] => [
  ...containers,
  ...initContainers.filter(isSidecar),
]

export const statusesIn = (status: Pod['status']): ContainerStatus[] => [
  ...(status?.containerStatuses ?? []),
  ...(status?.initContainerStatuses ?? []),
]

export const restartsForCpu = ({ resizePolicy = [] }: Container): boolean =>
  resizePolicy.some(
    ({ resourceName, restartPolicy }) =>
      resourceName === 'cpu' && restartPolicy === 'RestartContainer',
  )

/** How much memory a pod asks the Memory Manager to pin, by container and as a whole. */
import type { ContainerRequest, PodRequest } from '../pod-request.ts'
import type { Amounts } from './state.ts'

/** Only of Guaranteed pods, and not of those whose resources are set on the pod (Kubernetes 1.36). */
export const isPinned = ({ isGuaranteed, hasPodResources }: PodRequest): boolean =>
  isGuaranteed && !hasPodResources

/** The kubelet counts in whole bytes, and refuses a container that asks for parts of one. */
export const isCountable = ({ memory }: ContainerRequest): boolean =>
  Object.values(memory).every((bytes) => Number.isSafeInteger(bytes))

/**
 * The most that is held at one time: by sidecars with each init container after them, or with the
 * apps. Of a resource that only init containers ask for the kubelet knows nothing here.
 */
export function memoryOfPod({ containers }: PodRequest): Amounts {
  const sidecars = new Map<string, number>()
  const duringInit = new Map<string, number>()
  const apps = new Map<string, number>()
  for (const { kind, memory } of containers) {
    for (const [name, bytes] of Object.entries(memory)) {
      const beside = sidecars.get(name) ?? 0
      if (kind === 'sidecar') sidecars.set(name, beside + bytes)
      else if (kind === 'init') {
        duringInit.set(name, Math.max(duringInit.get(name) ?? 0, beside + bytes))
      } else apps.set(name, (apps.get(name) ?? 0) + bytes)
    }
  }
  return Object.fromEntries(
    [...apps].map(([name, bytes]) => {
      const running = bytes + (sidecars.get(name) ?? 0)
      return [name, Math.max(running, duringInit.get(name) ?? 0)]
    }),
  )
}

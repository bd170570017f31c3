import type { Millicores } from '../units.ts'
import type { NodePod } from './pod.ts'

/** Whatever is noted on a pod, all of its containers together never ran with more than its node has. */
export function withOriginalsUpTo(most: Millicores, pod: NodePod): NodePod {
  let left: number = most
  const containers = pod.containers.map((container) => {
    if (container.firstRequest === undefined) return container
    const firstRequest = Math.min(container.firstRequest, left) as Millicores
    left -= firstRequest
    return Object.assign({}, container, { firstRequest })
  })
  return { ...pod, containers }
}

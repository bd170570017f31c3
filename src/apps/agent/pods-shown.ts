import { keyOfPod, type PodName } from '../../core/pod-name.ts'
import type { Labelled } from '../../runtime/metrics.ts'

type PodLabels = { readonly namespace: string; readonly pod: string }

/** Which pods have series, so that those of a pod that is gone go too. */
export function podsShown(
  families: readonly Pick<Labelled<'namespace' | 'pod', unknown>, 'remove'>[],
) {
  const shown = new Map<string, PodLabels>()
  return {
    show: (pod: PodName): PodLabels => {
      const key = keyOfPod(pod)
      const labels = shown.get(key) ?? { namespace: pod.namespace, pod: pod.name }
      shown.set(key, labels)
      return labels
    },
    keepOnly: (pods: readonly PodName[]): void => {
      const kept = new Set(pods.map(keyOfPod))
      for (const [key, labels] of shown) {
        if (kept.has(key)) continue
        for (const family of families) family.remove(labels)
        shown.delete(key)
      }
    },
  }
}

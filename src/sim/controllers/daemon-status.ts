/** What a DaemonSet tells of its nodes. */
import { type DaemonNode, type DaemonSet, revisionLabel } from './daemon-pods.ts'
import { availableIn, isReady } from './workload.ts'

export function daemonSetStatus(
  { metadata, spec }: DaemonSet,
  seen: readonly DaemonNode[],
  { hash, now }: { readonly hash: string; readonly now: number },
) {
  const wanted = seen.filter(({ shouldRun }) => shouldRun)
  // Of two on a node the older counts.
  const first = wanted.flatMap(({ pods }) => pods.slice(0, 1))
  const { minReadySeconds } = spec ?? {}
  const available = first.filter((pod) => availableIn(pod, { minReadySeconds, now }) === 0).length
  const updated = first.filter((pod) => pod.metadata.labels?.[revisionLabel] === hash).length
  const unavailable = wanted.length - available
  return {
    currentNumberScheduled: first.length,
    numberMisscheduled: seen.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: first.filter(isReady).length,
    observedGeneration: metadata.generation,
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(unavailable > 0 && { numberUnavailable: unavailable }),
  }
}

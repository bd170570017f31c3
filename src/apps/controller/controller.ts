/**
 * The controller, first form: watches PodAllocations and pods, and brings each pod to what its
 * allocation says. All it knows is in Kubernetes, so it may be killed and started anew at any moment.
 */
import { type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
import { type Pod, pods, projectPod } from '../../apis/pod.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { Occurrence } from '../../runtime/events-series.ts'
import { type EventRecorder, referenceTo } from '../../runtime/events.ts'
import { startInformer } from '../../runtime/informer.ts'
import type { Registry } from '../../runtime/metrics.ts'
import { runReconciler } from '../../runtime/reconcile.ts'
import { keyOf } from '../../runtime/store.ts'
import { workQueue } from '../../runtime/work-queue.ts'
import { reconcileAllocation } from './reconcile-allocation.ts'
import type { Outcome } from './status.ts'

export type ControllerOptions = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Registry
  readonly record: EventRecorder['record']
  readonly signal: AbortSignal
  readonly onReady?: () => void
}

const workers = 8

export async function runController(options: ControllerOptions): Promise<void> {
  const { kube, clock, random, log, metrics, signal, onReady } = options
  const queue = workQueue({ clock })
  const watching = { kube, clock, random, log, signal }
  const resizes = metrics.counter('mbcas_resize_total', 'Resizes asked of the API server', [
    'result',
  ])
  const durations = metrics.histogram('mbcas_resize_duration_seconds', 'Time of a resize request', {
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })

  const allocations = startInformer({
    ...watching,
    resource: podAllocations,
    project: (allocation) => allocation,
    handlers: [({ key }) => queue.add(key)],
  })
  // A PodAllocation is named as its pod, so a pod's key is its allocation's.
  const podCache = startInformer({
    ...watching,
    resource: pods,
    project: projectPod,
    handlers: [({ key }) => allocations.store.get(key) && queue.add(key)],
  })
  while (!(allocations.hasSynced() && podCache.hasSynced())) {
    if (signal.aborted) return
    await clock.sleep(50, signal)
  }
  onReady?.()
  log('info', 'controller ready', {
    allocations: allocations.store.size,
    pods: podCache.store.size,
  })

  const reconciling = {
    kube,
    clock,
    allocationOf: (key: string) => allocations.store.get(key),
    podOf: (key: string) => podCache.store.get(key),
    tell: (allocation: PodAllocation, outcome: Outcome) => {
      options.record(eventOf(allocation, podCache.store.get(keyOf(allocation)), outcome))
      const { namespace, name } = allocation.metadata
      log('info', 'allocation handled', { pod: `${namespace}/${name}`, ...outcome })
    },
    resized: (result: string, duration: number) => {
      resizes.with({ result }).inc()
      durations.observe(duration / 1000)
    },
  }
  await runReconciler({
    queue,
    workers,
    clock,
    log,
    signal,
    reconcile: async (key, call) => reconcileAllocation(reconciling, key, call),
  })
  await Promise.all([allocations.stopped, podCache.stopped])
}

const reasons = { Applied: 'CPUApplied', Pending: 'CPUPending', Failed: 'CPUSkipped' } as const

/** On the pod, where people look first; on the allocation when there is no such pod. */
function eventOf(allocation: PodAllocation, pod: Pod | undefined, outcome: Outcome): Occurrence {
  const { phase, reason, message } = outcome
  return {
    about: pod === undefined ? referenceTo(podAllocations, allocation) : referenceTo(pods, pod),
    type: phase === 'Failed' ? 'Warning' : 'Normal',
    reason: reasons[phase],
    message: `${reason}: ${message}`,
  }
}

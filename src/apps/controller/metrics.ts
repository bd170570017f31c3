/** The controller's metrics, declared once. Names are those of the first design where it has them. */
import type { Registry } from '../../runtime/metrics.ts'
import type { Outcome as Reconciled } from '../../runtime/reconcile.ts'

/** What the API server said to a resize. */
export type ResizeResult = 'accepted' | 'refused' | 'conflict' | 'failed'
const results: readonly ResizeResult[] = ['accepted', 'refused', 'conflict', 'failed']

export type ControllerMetrics = ReturnType<typeof controllerMetrics>

export function controllerMetrics({ counter, gauge, histogram }: Registry) {
  const resizes = counter(
    'mbcas_resize_total',
    'Resizes asked of the API server, by its answer; conflict: the pod had changed meanwhile.',
    ['result'],
  )
  const duration = histogram(
    'mbcas_resize_duration_seconds',
    'Time from asking for a resize until the kubelet is seen to have set it.',
    { buckets: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300] },
  )
  const cooldowns = counter(
    'mbcas_cooldown_violations_total',
    'Resizes put off because the last one of the pod was just before.',
  )
  const steps = counter(
    'mbcas_step_size_violations_total',
    'Resizes made smaller than desired, to one step.',
  )
  const restores = counter('mbcas_restores_total', 'Pods that got their original values back.')
  const allocations = gauge('mbcas_allocations', 'PodAllocations by what became of them.', [
    'phase',
    'reason',
  ])
  const waiting = gauge(
    'mbcas_allocation_waiting_seconds',
    'How long the PodAllocation that has waited longest for this reason has done so.',
    ['reason'],
  )
  const restoring = gauge(
    'mbcas_restore_waiting_seconds',
    'How long the pod that has waited longest for its original values has done so.',
  )
  const reconciles = counter('mbcas_reconciles_total', 'Looks at a PodAllocation, by outcome.', [
    'outcome',
  ])
  const depth = gauge('mbcas_queue_depth', 'PodAllocations that wait to be looked at.')
  const oldest = gauge('mbcas_queue_oldest_seconds', 'How long the first of them has waited.')
  const silent = gauge(
    'mbcas_silent_agents',
    'Nodes whose agents have not renewed their Leases for 40 s.',
  )
  const leading = gauge('mbcas_controller_leading', '1 in the controller that acts.')
  for (const result of results) resizes.with({ result }).inc(0) // a rate needs a start

  return {
    resized: (result: ResizeResult): void => resizes.with({ result }).inc(),
    actuated: (millis: number): void => duration.observe(millis / 1000),
    putOff: (): void => cooldowns.inc(),
    clamped: (): void => steps.inc(),
    restored: (): void => restores.inc(),
    standing: (phase: string, reason: string, count: number): void =>
      allocations.with({ phase, reason }).set(count),
    waiting: (reason: string, millis: number): void => waiting.with({ reason }).set(millis / 1000),
    restoring: (millis: number): void => restoring.set(millis / 1000),
    reconciled: (outcome: Reconciled): void => reconciles.with({ outcome }).inc(),
    queued: (length: number, oldestMillis: number): void => {
      depth.set(length)
      oldest.set(oldestMillis / 1000)
    },
    silentAgents: (count: number): void => silent.set(count),
    leads: (): void => leading.set(1),
  }
}

import type { CpuSettings } from './kernel.ts'

/**
 * What a container may spend at once is in its pod's bucket too: a burst needs one there, or a pod
 * whose other containers leave some of its quota.
 *
 *   quota, burst   pod's quota, burst      burst in effect
 *   50, 50         50, 0               ->  0
 *   50, 50         50, 50              ->  50
 *   50, 50         80, 0               ->  30
 */
export function burstWithin(
  { quotaMicros, burstMicros }: CpuSettings,
  pod: CpuSettings | undefined,
): number {
  if (quotaMicros === null || pod === undefined || pod.quotaMicros === null) return burstMicros
  return Math.min(burstMicros, Math.max(0, pod.quotaMicros + pod.burstMicros - quotaMicros))
}

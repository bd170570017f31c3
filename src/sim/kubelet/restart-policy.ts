/** Whether and when a container that has ended starts again (CrashLoopBackOff). */
import type { ContainerRun } from './container-run.ts'

const firstBackOff = 10_000
const longestBackOff = 300_000
/** After so long without a crash the next one counts as the first. */
const forgottenAfter = 2 * longestBackOff

export function restarts(
  kind: ContainerRun['kind'],
  exitCode: number,
  restartPolicy = 'Always',
): boolean {
  if (kind === 'sidecar') return true
  if (exitCode === 0) return kind === 'main' && restartPolicy === 'Always'
  return restartPolicy !== 'Never'
}

/** What this restart waits for, 0 is none, and what the next one would. */
export function backOffOf(
  due: number,
  ranMillis: number,
): { readonly wait: number; readonly next: number } {
  const wait = ranMillis >= forgottenAfter ? 0 : due
  return { wait, next: wait === 0 ? firstBackOff : Math.min(longestBackOff, wait * 2) }
}

/** As Go prints durations of whole seconds: 40s, 1m20s, 5m0s. */
export function durationText(millis: number): string {
  const seconds = Math.round(millis / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

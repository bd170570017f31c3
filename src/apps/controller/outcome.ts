/** What became of a PodAllocation, and how it is told. */
import type { EventType } from '../../apis/event.ts'
import type { ResizeDecision, ResizeReason } from '../../core/resize/types.ts'
import type { SeenPod } from './seen-pod.ts'

export type Outcome = {
  readonly phase: Phase
  readonly reason: ResizeReason
  readonly message: string
  /** As it was when this was decided. */
  readonly pod: SeenPod | undefined
  /** A resize was asked for. */
  readonly attempted: boolean
}

export type Phase = 'Pending' | 'Applied' | 'Failed'

const phases: Readonly<Record<ResizeDecision['action'], Phase>> = {
  done: 'Applied',
  wait: 'Pending',
  resize: 'Pending',
  recommend: 'Pending',
  refuse: 'Failed',
}

export const outcomeOf = (
  { action, reason, message }: ResizeDecision,
  pod: SeenPod | undefined,
): Outcome => ({ phase: phases[action], reason, message, pod, attempted: false })

export const failed = (
  { reason, message }: { readonly reason: ResizeReason; readonly message: string },
  pod: SeenPod | undefined,
): Outcome => ({ phase: 'Failed', reason, message, pod, attempted: false })

/** Steps on a way that ends in another word within seconds, and what is told once in the log. */
const quiet: ReadonlySet<ResizeReason> = new Set<ResizeReason>([
  ...(['Resizing', 'StepClamped', 'Restoring', 'InProgress', 'Cooldown'] as const),
  'ServerTooOld',
])
/** The resize was accepted, and the kernel does not have it. */
const unverified: ReadonlySet<ResizeReason> = new Set(['Deferred', 'Infeasible', 'ActuationError'])
const willed: ReadonlySet<ResizeReason> = new Set(['Excluded', 'PodNotRunning'])

export type EventName = { readonly type: EventType; readonly reason: string }

/** Names of the first design where it has them; undefined for what is not worth an event. */
export function eventOf({
  phase,
  reason,
}: Pick<Outcome, 'phase' | 'reason'>): EventName | undefined {
  if (quiet.has(reason)) return undefined
  if (reason === 'Restored') return { type: 'Normal', reason: 'CPURestored' }
  if (unverified.has(reason)) return { type: 'Warning', reason: 'ResizeNotVerified' }
  if (phase === 'Applied') return { type: 'Normal', reason: 'CPUApplied' }
  if (phase === 'Pending') return { type: 'Normal', reason: 'CPUPending' }
  return { type: willed.has(reason) ? 'Normal' : 'Warning', reason: 'CPUSkipped' }
}

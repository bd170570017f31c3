/**
 * Whether what a pod should have is published now. The kernel is moved often, the API seldom.
 *
 * A strict pod that suffers is given more at once. Everything else waits until it differs by 2 % and the
 * last change is a minute old, so that a steady load publishes at most once a minute. A pod that starts
 * keeps what it has for the grace period: only decreases are withheld. O(1).
 *
 *   published  wanted  age   urgent      publish
 *   400m       405m    10 m  no      ->  no: within 2 %
 *   400m       600m    5 s   yes     ->  yes
 *   400m       300m    5 s   no      ->  no: 55 s too soon
 */
import type { Millicores, Millis } from '../units.ts'

export type Publication = { readonly amount: Millicores; readonly at: Millis }

export type PublicationQuestion = {
  readonly last: Publication
  readonly wanted: Millicores
  /** It is strict and suffers. */
  readonly isUrgent: boolean
  readonly startedAt: Millis
  readonly at: Millis
  /** The API did not answer lately: nothing is lowered blind. */
  readonly isAway: boolean
}

export type PublicationRules = {
  readonly minChangeRatio: number
  readonly dwellMillis: number
  readonly graceMillis: number
}

export const publicationRules: PublicationRules = {
  minChangeRatio: 0.02,
  dwellMillis: 60_000,
  graceMillis: 90_000,
}

export function isPublicationDue(
  { last, wanted, isUrgent, startedAt, at, isAway }: PublicationQuestion,
  rules: PublicationRules = publicationRules,
): boolean {
  const change = Math.abs(wanted - last.amount)
  if (change === 0 || change < rules.minChangeRatio * last.amount) return false
  const isRaise = wanted > last.amount
  if (isRaise && isUrgent) return true
  const hasStarted = at >= startedAt + rules.graceMillis || at < startedAt
  if (!isRaise && (isAway || !hasStarted)) return false
  // A clock that stepped back must not make it wait for longer than the dwell time.
  return at >= last.at + rules.dwellMillis || at < last.at
}

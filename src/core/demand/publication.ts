/**
 * Whether what a pod should have is told to the API now. The kernel is moved often, the API seldom.
 *
 * What hurts is told at once: a raise where the need has outgrown what is published. Everything else
 * waits until it differs by 2 % and the last change is a minute old, so that a steady load publishes
 * at most once a minute. A pod that starts keeps what it has for the grace period: only decreases
 * are withheld. O(1).
 *
 *   published  wanted  age   urgent      publish
 *   400m       405m    10 m  no      ->  no: within 2 %
 *   400m       600m    5 s   yes     ->  yes
 *   400m       300m    5 s   no      ->  no: 55 s too soon
 */
import type { Millicores, Millis } from '../units.ts'

export type Publication = { readonly amount: Millicores; readonly at: Millis }

export type PublicationQuestion = {
  /** Undefined if nothing was published yet. */
  readonly last: Publication | undefined
  readonly wanted: Millicores
  /** The need is above what is published, or a violation lasts. */
  readonly isUrgent: boolean
  readonly startedAt: Millis
  readonly at: Millis
  /** Why decreases are blocked, if they are (the guardrail). */
  readonly blocked?: string | undefined
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

export type PublicationVerdict = { readonly publish: boolean; readonly reason: string }

export function decidePublication(
  question: PublicationQuestion,
  rules: PublicationRules = publicationRules,
): PublicationVerdict {
  const { last, wanted, isUrgent, startedAt, at, blocked } = question
  if (last === undefined) return { publish: true, reason: `published ${wanted}m: the first time` }
  const change = `${last.amount}m to ${wanted}m`
  const wait = (why: string) => ({ publish: false, reason: `kept at ${last.amount}m: ${why}` })
  if (Math.abs(wanted - last.amount) < rules.minChangeRatio * last.amount || wanted === last.amount)
    return wait(`${wanted}m is within ${rules.minChangeRatio * 100} %`)
  const isRaise = wanted > last.amount
  if (isRaise && isUrgent) return { publish: true, reason: `raised from ${change} at once: urgent` }
  if (!isRaise && blocked !== undefined) return wait(blocked)
  const graceLeft = rules.graceMillis - (at - startedAt)
  if (!isRaise && graceLeft > 0 && at >= startedAt) {
    return wait(`it started lately; not lowered for ${inSeconds(graceLeft)}`)
  }
  const dwellLeft = rules.dwellMillis - (at - last.at)
  // A clock that stepped back must not make it wait for longer than the dwell time.
  if (dwellLeft > 0 && at >= last.at) return wait(`${inSeconds(dwellLeft)} until the next change`)
  return { publish: true, reason: `${isRaise ? 'raised' : 'lowered'} from ${change}` }
}

const inSeconds = (millis: number): string => `${Math.ceil(millis / 1000)} s`

/** Tells the API what a pod should have, when its turn comes. */
import type { Decision } from '../../core/bidding/plan.ts'
import { isPublicationDue, type PublicationRules } from '../../core/demand/publication.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Charge, limitIn, suffers } from './charge.ts'
import type { Change } from './highlights.ts'
import type { Outcome, Publisher } from './publisher.ts'

export type Teller = {
  /** If it is due: enough of a change, long enough after the last, and nothing in the way. */
  readonly inTurn: (charge: Charge, told: Told, signal: AbortSignal) => Promise<Outcome>
}

export type Told = {
  readonly decision: Decision
  /** By the agent's own clock. */
  readonly startedAt: Millis
}

type TellerNeeds = {
  readonly publisher: Publisher
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly rules: PublicationRules
  readonly onTold: (change: Change) => void
}

export function createTeller({ publisher, clock, rules, onTold }: TellerNeeds): Teller {
  const { now } = clock
  const tell = async (
    charge: Charge,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const urgency = isUrgent(charge) ? 'guardrail' : 'normal'
    const outcome = await publisher.publish({ decision, urgency }, signal)
    charge.isOverridden = outcome === 'overridden'
    if (outcome === 'written' || outcome === 'unchanged') {
      charge.isTold = true
      const at = now()
      if (outcome === 'written') onTold(changeOf(charge, decision, clock.wall()))
      charge.published = {
        limit: { amount: decision.limit, at },
        request: { amount: decision.request, at },
      }
    }
    return outcome
  }

  const inTurn: Teller['inTurn'] = async (charge, { decision, startedAt }, signal) => {
    const isAway = publisher.isAway()
    const isToldNow = isDue({ decision, charge, startedAt, at: now(), isAway }, rules)
    const outcome = isToldNow ? await tell(charge, decision, signal) : 'unchanged'
    return outcome === 'unchanged' ? tellNotes(charge, decision, signal) : outcome
  }

  /** Whoever wrote an annotation that does not count should not wait until an amount changes. */
  const tellNotes = async (
    charge: Charge,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const outcome = await publisher.publishNotes(decision, signal)
    charge.isOverridden = outcome === 'overridden'
    return outcome
  }

  return { inTurn }
}

/** Where weights carry the share, nobody waits for the API. */
const isUrgent = (charge: Charge): boolean =>
  charge.decision.enforcement === 'strict' && suffers(charge)

/** A share where it is one; elsewhere what was promised. */
function changeOf({ published }: Charge, decision: Decision, at: Millis): Change {
  const { pod, reason, enforcement } = decision
  const { namespace, name } = pod
  const field = enforcement === 'strict' && limitIn(decision) !== undefined ? 'limit' : 'request'
  return {
    pod: { namespace, name },
    at,
    from: published[field].amount,
    to: decision[field],
    reason,
  }
}

type Due = {
  readonly decision: Decision
  readonly charge: Charge
  readonly startedAt: Millis
  readonly at: Millis
  readonly isAway: boolean
}

/** By the limit; where that stays or there is none, by the request. The first time, unless it lowers. */
function isDue({ decision, charge, ...asking }: Due, rules: PublicationRules): boolean {
  const { startedAt, at, isAway } = asking
  const { isTold } = charge
  const { limit, request } = charge.published
  const isLimited = limitIn(decision) !== undefined
  const isShare = isLimited && decision.enforcement === 'strict'
  const lowers = (isShare && decision.limit < limit.amount) || decision.request < request.amount
  if (!isTold && !lowers) return true
  const { bound } = decision.pod
  // What the kubelet has not given is nobody's to lose: no dwell time keeps it told.
  const isBeyond =
    bound && ((isShare && limit.amount > bound.limit) || request.amount > bound.request)
  if (isBeyond) return !isAway
  const question = { isUrgent: isUrgent(charge), startedAt, at, isAway }
  const moved = Math.abs(decision.limit - limit.amount) >= rules.minChangeRatio * limit.amount
  const asked =
    isShare && moved
      ? { ...question, last: limit, wanted: decision.limit }
      : { ...question, last: request, wanted: decision.request }
  return isPublicationDue(asked, rules)
}

/** Tells the API what a pod should have: in turn or, where it hurts, out of turn. */
import type { Decision } from '../../core/bidding/plan.ts'
import { decidePublication, type PublicationRules } from '../../core/demand/publication.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Charge, limitIn } from './charge.ts'
import type { Change } from './highlights.ts'
import type { Outcome, Publisher } from './publisher.ts'

export type Teller = {
  /** If it is due: enough of a change, long enough after the last, and nothing in the way. */
  readonly inTurn: (charge: Charge, told: Told, signal: AbortSignal) => Promise<Outcome>
  /** What hurts, or soon will, does not wait for its turn. */
  readonly isUrgent: (charge: Charge, raise: Pick<Decision, 'need' | 'limit'>) => boolean
  /** Told lately: if it is told again, then something that is much. */
  readonly isRecent: (charge: Charge) => boolean
  readonly isMuch: (charge: Charge, to: Millicores) => boolean
  /** It was told out of turn a moment ago. */
  readonly isPaced: (charge: Charge) => boolean
  /** At once, unless that was done a moment ago or is under way. */
  readonly outOfTurn: (
    charge: Charge,
    told: Told,
    signal: AbortSignal,
  ) => Promise<Outcome | 'paced'>
}

export type Told = {
  readonly decision: Decision
  /** By the agent's own clock. */
  readonly startedAt: Millis
  /** Before a decrease is told. */
  readonly makeRoom: () => void
}

type TellerNeeds = {
  readonly publisher: Publisher
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly rules: PublicationRules
  /** From one publication out of turn to the next. */
  readonly paceMillis: number
  readonly onTold: (change: Change) => void
}

/**
 * What the kernel gives meanwhile need not be told more often than the dwell time, unless it is so much
 * more. The guardrail's least raise is; most swings of a steady load are less.
 */
const MUCH_MORE_RATIO = 1.2
/** Who no longer needs half of what it has gives it to others at once. */
const MUCH_LESS_RATIO = 0.5

export function createTeller(needs: TellerNeeds): Teller {
  const { publisher, clock, rules, paceMillis, onTold } = needs
  const { now } = clock
  const tell = async (
    charge: Charge,
    { decision, makeRoom }: Told,
    urgency: 'normal' | 'guardrail',
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (charge.sending !== undefined) return 'under way'
    const limits = decision.containers.flatMap(({ name, limit }) =>
      limit === undefined ? [] : [[name, limit] as const],
    )
    charge.limits = new Map(limits)
    if (decision.limit < charge.published.limit.amount) makeRoom()
    charge.sending = decision.limit
    const outcome = await publisher.publish({ decision, urgency }, signal)
    charge.sending = undefined
    charge.isOverridden = outcome === 'overridden'
    if (outcome === 'written' || outcome === 'unchanged') {
      charge.isTold = true
      charge.raise = undefined
      const at = now()
      if (outcome === 'written') onTold(changeOf(charge, decision, clock.wall()))
      charge.published = {
        limit: { amount: decision.limit, at },
        request: { amount: decision.request, at },
      }
    }
    return outcome
  }

  const isRecent: Teller['isRecent'] = ({ isTold, published: { limit } }) =>
    isTold && now() - limit.at < rules.dwellMillis

  const isMuch: Teller['isMuch'] = ({ published: { limit } }, to) =>
    to >= MUCH_MORE_RATIO * limit.amount || MUCH_LESS_RATIO * limit.amount >= to

  const isUrgent: Teller['isUrgent'] = (charge, { need, limit }) => {
    const { amount } = charge.published.limit
    const suffers = charge.badSince !== undefined
    if (!suffers && need <= (1 + rules.minChangeRatio) * amount) return false
    const wanted = suffers ? Math.max(need, limit) : need
    return !isRecent(charge) || charge.quota < limit || isMuch(charge, wanted as Millicores)
  }

  const inTurn: Teller['inTurn'] = async (charge, told, signal) => {
    const { decision, startedAt } = told
    const urgent = isUrgent(charge, decision)
    const isAway = publisher.isAway()
    const question = { decision, charge, startedAt, at: now(), isAway, isUrgent: urgent }
    const urgency = charge.badSince === undefined ? 'normal' : 'guardrail'
    const isToldNow = isDue(question, rules)
    const outcome = isToldNow ? await tell(charge, told, urgency, signal) : 'unchanged'
    return outcome === 'unchanged' ? tellNotes(charge, decision, signal) : outcome
  }

  /** Whoever wrote an annotation that does not count should not wait until an amount changes. */
  const tellNotes = async (
    charge: Charge,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (charge.sending !== undefined) return 'under way'
    charge.sending = charge.published.limit.amount
    const outcome = await publisher.publishNotes(decision, signal)
    charge.sending = undefined
    charge.isOverridden = outcome === 'overridden'
    return outcome
  }

  const isPaced: Teller['isPaced'] = ({ hurriedAt }) => now() - hurriedAt < paceMillis

  const outOfTurn: Teller['outOfTurn'] = async (charge, told, signal) => {
    if (isPaced(charge)) return 'paced'
    if (charge.sending === undefined) charge.hurriedAt = now()
    return tell(charge, told, 'guardrail', signal)
  }

  return { inTurn, isUrgent, isRecent, isMuch, isPaced, outOfTurn }
}

/** By the limit or, where there is none, by the request. */
function changeOf({ published }: Charge, decision: Decision, at: Millis): Change {
  const { pod, reason } = decision
  const { namespace, name } = pod
  const field = limitIn(decision) === undefined ? 'request' : 'limit'
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
  readonly isUrgent: boolean
}

/** By the limit; where that stays or there is none, by the request. The first time, unless it lowers. */
function isDue({ decision, charge, ...asking }: Due, rules: PublicationRules): boolean {
  const { startedAt, at, isAway, isUrgent } = asking
  const { lastGuard, isTold } = charge
  const { limit, request } = charge.published
  const isLimited = limitIn(decision) !== undefined
  const lowers = (isLimited && decision.limit < limit.amount) || decision.request < request.amount
  if (!isTold && !lowers) return true
  const { bound } = decision.pod
  // What the kubelet has not given is nobody's to lose: no dwell time and no guardrail keeps it told.
  if (bound && (limit.amount > bound.limit || request.amount > bound.request)) return !isAway
  // Where CPU is short all suffer: whoever has more than its share would keep it for ever.
  const whyBlocked = decision.mode === 'uncongested' ? lastGuard?.blocked : undefined
  const question = {
    isUrgent,
    startedAt,
    at,
    blocked: isAway ? 'the API did not answer: nothing is lowered blind' : whyBlocked,
  }
  const moved = Math.abs(decision.limit - limit.amount) >= rules.minChangeRatio * limit.amount
  const asked =
    isLimited && moved
      ? { ...question, last: limit, wanted: decision.limit }
      : { ...question, isUrgent: isUrgent && !isLimited, last: request, wanted: decision.request }
  return decidePublication(asked, rules).publish
}

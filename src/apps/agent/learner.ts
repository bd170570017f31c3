/**
 * The learned policy at work: at each clearing it is told how each pod fares, learns from what its last
 * action led to, and says what the pod's need is to be multiplied by.
 *
 * It acts only on pods with `mbcas.io/learn`, and never lowers what the guardrail protects. For all
 * others it runs in shadow: its choice is counted, and what it learns is what holding led to, since
 * that is what was done. It experiments only where it acts. Floor and ceiling bound the need after it.
 */
import {
  type Action,
  actionFactor,
  chooseAction,
  learn,
  type Policy,
  type Rates,
  untaughtPolicy,
} from '../../core/learning/policy.ts'
import { readPolicy } from '../../core/learning/read-policy.ts'
import type { Situation } from '../../core/learning/situation.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeptDocument } from '../../ports/kept-document.ts'
import type { Log } from '../../ports/log.ts'

/** What became of a choice: taken, kept back by the guardrail, or none of it for this pod. */
export type ChoiceUse = 'acted' | 'blocked' | 'shadow'

export type LearnerNeeds = {
  readonly rates: Rates
  readonly random: Random
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly store: KeptDocument
  readonly count: (action: Action, use: ChoiceUse) => void
}

export type LearningPod = {
  readonly uid: string
  /** Its allocation is what the last clearing gave it, or its entitlement where that is more. */
  readonly situation: Situation
  /** By `mbcas.io/learn`. */
  readonly acts: boolean
  /** Why the guardrail does not let it be lowered; undefined if it does. */
  readonly blocked: string | undefined
}

export type Advice = {
  /** Of the need: 0.9, 1 or 1.1; in shadow always 1. */
  readonly factor: number
  readonly reason: string
}

export type Learner = {
  /** Once a clearing for each pod. */
  readonly advise: (pod: LearningPod) => Advice
  /** Forgets the pods that are gone; what was learnt from them stays. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
  /** Keeps what was learnt, if the last time was long ago; on `stop`, in any case. */
  readonly save: () => void
  readonly stop: () => void
}

const SAVE_EVERY_MILLIS = 60_000

type Turn = { readonly situation: Situation; readonly action: Action }

export function createLearner(needs: LearnerNeeds): Learner {
  const { rates, random, clock, log, store, count } = needs
  let policy = loadPolicy(store, log)
  let kept = policy
  let triedAt = clock.now()
  const turns = new Map<string, Turn>()

  const advise = ({ uid, situation, acts, blocked }: LearningPod): Advice => {
    const last = turns.get(uid)
    if (last !== undefined) {
      policy = learn(policy, { from: last.situation, action: last.action, to: situation }, rates)
    }
    const explorationRate = acts ? rates.explorationRate : 0
    const choice = chooseAction(policy, { situation, explorationRate, random })
    const isBlocked = choice.action === 'lower' && blocked !== undefined
    const use = acts ? (isBlocked ? 'blocked' : 'acted') : 'shadow'
    const action = use === 'acted' ? choice.action : 'hold'
    count(choice.action, use)
    turns.set(uid, { situation, action })
    return { factor: actionFactor[action], reason: reasonOf(use, choice.reason, blocked) }
  }

  const keep = (): void => {
    triedAt = clock.now()
    if (policy === kept) return
    try {
      store.save(policy)
      kept = policy
    } catch (error) {
      log('warn', 'learned policy not kept', { where: store.where, error })
    }
  }

  return {
    advise,
    keepOnly: (uids) => {
      for (const uid of turns.keys()) if (!uids.has(uid)) turns.delete(uid)
    },
    save: () => {
      if (clock.now() - triedAt >= SAVE_EVERY_MILLIS) keep()
    },
    stop: keep,
  }
}

function reasonOf(use: ChoiceUse, reason: string, blocked: string | undefined): string {
  if (use === 'shadow') return `not used, in shadow: ${reason}`
  return use === 'blocked' ? `${blocked}, although learnt ${reason}` : `learnt ${reason}`
}

/** Of what cannot be read nothing is believed: a wrong value would act. */
function loadPolicy(store: KeptDocument, log: Log): Policy {
  try {
    const document = store.load()
    return document === undefined ? untaughtPolicy : readPolicy(document)
  } catch (error) {
    log('warn', 'learned policy not read, learning anew', { where: store.where, error })
    return untaughtPolicy
  }
}

/**
 * A learned policy: how to move an allocation in each situation, found by trying (Q-learning).
 *
 * Objective: the largest sum of future rewards, each discounted by 0.9. Method: the value of an action
 * in a situation moves by the learning rate towards the reward that followed plus the discounted value
 * of the best known action there. Exploring tries an action at random; otherwise the best action that
 * was tried is taken, and where none was, the allocation is held: ignorance moves nothing. O(1) for a
 * choice, O(situations seen) for a lesson. Whether a choice is acted on is the caller's matter.
 *
 * Reference: C. Watkins, P. Dayan, "Q-learning", 1992; states, actions and rates of seed document 001.
 *
 *   values of raise, hold, lower      choice
 *   none                          ->  hold
 *   -3, -2, -1                    ->  lower
 *   untried, -2, untried          ->  hold
 */
import type { Random } from '../random.ts'
import { rewardOf, type Situation, situationName } from './situation.ts'

export const actions = ['hold', 'raise', 'lower'] as const
export type Action = (typeof actions)[number]

/** What an allocation is multiplied by. */
export const actionFactor: Readonly<Record<Action, number>> = { hold: 1, raise: 1.1, lower: 0.9 }

export type Lesson = { readonly value: number; readonly tries: number }
export type Lessons = { readonly [action in Action]?: Lesson }

/** Plain JSON: what is written is what is read back. */
export type Policy = {
  readonly version: 1
  readonly situations: Readonly<Record<string, Lessons>>
}

export const untaughtPolicy: Policy = { version: 1, situations: {} }

export type Rates = {
  readonly learningRate: number
  readonly discountFactor: number
  readonly explorationRate: number
}

export const seedRates: Rates = { learningRate: 0.1, discountFactor: 0.9, explorationRate: 0.1 }

export type Choice = {
  readonly action: Action
  readonly reason: string
}

export type Turn = {
  readonly situation: Situation
  readonly explorationRate: number
  readonly random: Random
}

export function chooseAction(policy: Policy, { situation, explorationRate, random }: Turn): Choice {
  const name = situationName(situation)
  if (random() < explorationRate) {
    const action = actions[Math.floor(random() * actions.length)] ?? 'hold'
    return { action, reason: `${action}: an experiment in ${name}` }
  }
  const [best] = rank(policy.situations[name])
  if (best === undefined) return { action: 'hold', reason: `hold: nothing known of ${name}` }
  const { action, value, tries } = best
  return { action, reason: `${action}: worth ${value.toFixed(2)} after ${tries} tries in ${name}` }
}

export type Experience = {
  readonly from: Situation
  readonly action: Action
  readonly to: Situation
}

export function learn(policy: Policy, { from, action, to }: Experience, rates: Rates): Policy {
  const name = situationName(from)
  const lessons = policy.situations[name] ?? {}
  const { value, tries } = lessons[action] ?? { value: 0, tries: 0 }
  const [next] = rank(policy.situations[situationName(to)])
  const worth = rewardOf(to) + rates.discountFactor * (next?.value ?? 0)
  const lesson = { value: value + rates.learningRate * (worth - value), tries: tries + 1 }
  return {
    ...policy,
    situations: { ...policy.situations, [name]: { ...lessons, [action]: lesson } },
  }
}

type Ranked = Lesson & { readonly action: Action }

/** The best first; among equals as `actions` has them, so that nothing moves without a gain. */
function rank(lessons: Lessons = {}): Ranked[] {
  const tried = actions.flatMap((action) => {
    const lesson = lessons[action]
    return lesson === undefined ? [] : [{ action, ...lesson }]
  })
  return tried.toSorted((a, b) => b.value - a.value)
}

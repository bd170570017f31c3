/** Our law with the learned policy, which moves the quota by tenths around what the law wants. */
import {
  type Action,
  actionFactor,
  chooseAction,
  learn,
  type Policy,
  type Rates,
} from '../../../src/core/learning/policy.ts'
import type { Situation } from '../../../src/core/learning/situation.ts'
import type { Random } from '../../../src/core/random.ts'
import { toMillicores } from '../../../src/core/rivals/law.ts'
import type { Millis } from '../../../src/core/units.ts'
import type { OurState } from './ours.ts'
import type { JudgedLaw, Observed } from './pass.ts'

/** The guardrail of the learned policy, around what the law wants. */
const leastFactor = 0.7
const mostFactor = 1.5
const actsEvery = 1000
/** The latency that the learner is to keep, told every second: more than Prometheus would. */
const targetMillis = 25

export type PolicyState = {
  readonly own: OurState
  readonly factor: number
  readonly last: { readonly situation: Situation; readonly action: Action } | undefined
  readonly actedAt: Millis
  readonly throttled: readonly number[]
}

/** Keeps what is learnt from pass to pass; with rates of 0 it only acts. */
export type Learner = { policy: Policy; readonly rates: Rates; readonly random: Random }

export function withPolicy(law: JudgedLaw<OurState>, learner: Learner): JudgedLaw<PolicyState> {
  const act = (before: PolicyState, observed: Observed): PolicyState => {
    const { own, throttled, last } = before
    const p99 = observed.p99Millis()
    const situation: Situation = {
      demandCores: own.demandCores,
      allocationCores: observed.quotaCores,
      throttledRatio: throttled.reduce((sum, one) => sum + one, 0) / throttled.length,
      latencyRatio: p99 === undefined ? undefined : p99 / targetMillis,
    }
    const { rates, random } = learner
    if (last !== undefined && rates.learningRate > 0) {
      const experience = { from: last.situation, action: last.action, to: situation }
      learner.policy = learn(learner.policy, experience, rates)
    }
    const { explorationRate } = rates
    const { action } = chooseAction(learner.policy, { situation, explorationRate, random })
    const factor = before.factor * actionFactor[action]
    return {
      own,
      factor: Math.max(leastFactor, Math.min(factor, mostFactor)),
      last: { situation, action },
      actedAt: observed.at,
      throttled: [],
    }
  }
  return {
    ...law,
    start: (quota, at) => ({
      own: law.start(quota, at),
      factor: 1,
      last: undefined,
      actedAt: at,
      throttled: [],
    }),
    decide(before, observed) {
      const seen = {
        ...before,
        own: law.decide(before.own, observed).state,
        throttled: [...before.throttled, observed.throttledRatio],
      }
      const state = observed.at - before.actedAt >= actsEvery ? act(seen, observed) : seen
      return { state, quota: toMillicores((state.own.quota * state.factor) / 1000) }
    },
  }
}

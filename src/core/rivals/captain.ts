/**
 * Autothrottle's Captain: holds the share of throttled periods at a target.
 *
 * Objective: the least quota whose throttled share stays near the target. Method: samples every 100
 * ms, decisions every second over r, the throttled periods of that second over 10. Above three times
 * the target the quota grows by the excess, at most x 2; otherwise it falls towards the highest use of
 * the last 5 s and `margin` deviations, if that is below 0.9 of it, at most by half. The margin learns:
 * it grows by r - target. A cut after which r exceeds three targets within the second is undone, by as
 * much above the quota before as the cut was below. O(50) a sample.
 *
 * Reference: Wang et al., "Autothrottle: A Practical Bi-Level Approach to Resource Management for
 * SLO-Targeted Microservices", NSDI 2024; microsoft/autothrottle d237d7f (shared facts, CPU, part 4).
 *
 *   target 0.1, quota      throttled of 10   max use, sigma, margin      quota
 *   0.100                  10                any                     ->  0.170
 *   0.100                  3                 0.095, 0.01, 3          ->  0.100   r is not above 0.3
 *   0.400                  0                 0.095, 0.01, 3          ->  0.200   wants 0.124, halves
 */
import { type Millis, millis } from '../units.ts'
import { type Law, type Sample, showCores, toMillicores } from './law.ts'

/** What Autothrottle's Tower chooses from. */
export const captainTargets = [0, 0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3] as const

const DECIDES_EVERY = 1000
const PERIODS = 10
const USAGES = 50
const FIRST_MARGIN = 3
const TOLERANCE = 3
const SLACK_RATIO = 0.9
const LARGEST_CUT = 0.5
const SMALLEST_CORES = 0.01

export type CaptainState = {
  readonly quotaCores: number
  /** Before the last decision. */
  readonly beforeCores: number
  /** Throttled periods of the last samples since a decision. */
  readonly throttled: readonly number[]
  readonly usages: readonly number[]
  readonly margin: number
  readonly hasCut: boolean
  readonly decidedAt: Millis
}

export const captain = (target: number): Law<CaptainState> => ({
  name: `Captain ${target}`,
  every: millis(100),
  burstRatio: 0,
  start: (quota, at) => ({
    quotaCores: quota / 1000,
    beforeCores: quota / 1000,
    throttled: [],
    usages: Array.from({ length: USAGES }, () => 0),
    margin: FIRST_MARGIN,
    hasCut: false,
    decidedAt: at,
  }),
  decide(before, sample) {
    const undone = undoCut(observe(before, sample), target)
    const isDue = sample.at - before.decidedAt >= DECIDES_EVERY
    const { reason, ...state } = isDue ? move(undone, { target, at: sample.at }) : undone
    const quota = toMillicores(state.quotaCores)
    return { state, quota, request: quota, reason }
  },
})

type Reasoned = CaptainState & { readonly reason: string }

const observe = (state: CaptainState, { throttledPeriods, usageCores }: Sample): CaptainState => ({
  ...state,
  throttled: [...state.throttled, throttledPeriods].slice(-PERIODS),
  usages: [...state.usages.slice(1), usageCores],
})

const throttledShare = ({ throttled }: CaptainState): number =>
  throttled.reduce((sum, count) => sum + count, 0) / PERIODS

function undoCut(state: CaptainState, target: number): Reasoned {
  const share = throttledShare(state)
  if (!state.hasCut || share <= TOLERANCE * target) return { ...state, reason: 'between decisions' }
  return {
    ...state,
    quotaCores: 2 * state.beforeCores - state.quotaCores,
    margin: state.margin + share - target,
    throttled: [],
    hasCut: false,
    reason: `the cut from ${showCores(state.beforeCores)} throttled, undone`,
  }
}

function move(
  state: CaptainState,
  { target, at }: { readonly target: number; readonly at: Millis },
): Reasoned {
  const share = throttledShare(state)
  const margin = Math.max(0, state.margin + share - target)
  const { quotaCores } = state
  const decide = (wanted: number, reason: string): Reasoned => ({
    ...state,
    quotaCores: Math.max(SMALLEST_CORES, wanted),
    beforeCores: quotaCores,
    throttled: [],
    margin,
    hasCut: wanted < quotaCores,
    decidedAt: at,
    reason,
  })
  const excess = share - TOLERANCE * target
  if (excess > 0) {
    const most = `above ${TOLERANCE} x ${target}`
    return decide(quotaCores * (1 + excess), `throttled share ${share.toFixed(2)} is ${most}`)
  }
  const enough = Math.max(...state.usages) + margin * deviation(state.usages)
  if (enough > SLACK_RATIO * quotaCores) return decide(quotaCores, 'use is near the quota')
  return decide(Math.max(LARGEST_CUT * quotaCores, enough), `${showCores(enough)} are enough`)
}

/** Of a sample: over n - 1. */
function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}

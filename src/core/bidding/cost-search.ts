/**
 * The least CPU that a pod can do with, found by trying: what the cost mode bids as its need.
 *
 * Objective: the least amount at which throttling stays at its target and latency within its own.
 * Method: it starts at demand with head-room. While all is well it is lowered by 5 % a clearing. When
 * it is not, the amount is remembered as too little, and the last one that did is taken again, or 10 %
 * more. Below an amount that was too little nothing is tried again: what is left between the two is
 * halved until it is 2 %, and there it stays. What was learnt holds for the demand at which it was
 * learnt: it is forgotten when demand moves by a fifth, and after ten minutes. An idle pod decays
 * instead, at the given rate, so that it can wake up.
 * Constraints: within floor and ceiling; one step a clearing. Only what was granted is judged: less
 * than was bid, or more that was not yet taken away, is no evidence. Complexity: O(1) a clearing; about
 * 20 from demand to half.
 *
 *   demand 0.4, enough is   tried
 *   350m                ->  420, 399, 379, 360, 342 (too little), 360, 351, 347 (too little), 351, 351
 *   450m                ->  420 (too little), 463, 439 (too little), 463, 451, 445 (too little), 451, 451
 *   idle from 420m      ->  389 after 15 s, 308 after a minute, 88 after five
 */
import type { Millicores, Millis } from '../units.ts'
import { millicoresUp } from './pod.ts'

export type CostRules = {
  readonly headroomRatio: number
  /** Of periods. */
  readonly targetThrottlingRatio: number
  /** Of the amount, each second that a pod is idle. */
  readonly idleDecayRatio: number
}

export type CostSeen = {
  readonly at: Millis
  readonly demandCores: number
  /** Since the last step: the least it had, the share of throttled periods, and whether it was too slow. */
  readonly granted: Millicores
  readonly throttledRatio: number
  readonly isTooSlow: boolean
  readonly floor: Millicores
  readonly ceiling: Millicores
}

export type CostSearch = {
  /** To bid now. */
  readonly amount: Millicores
  readonly known: Known
  readonly at: Millis
  readonly reason: string
}

/** It holds for one demand, and not for ever. */
type Known = {
  /** The most that was seen not to do. */
  readonly tooLittle: Millicores | undefined
  /** The last that was seen to do. */
  readonly enough: Millicores | undefined
  readonly demandCores: number
  readonly since: Millis
}

const STEP_DOWN_RATIO = 0.05
const STEP_BACK_RATIO = 0.1
/** Nearer than this is as good as equal: a write costs more than it saves. */
const CLOSE_RATIO = 0.02
/** Demand below this part of the amount is idle. */
const IDLE_RATIO = 0.05
const MOVED_RATIO = 0.2
const FORGET_MILLIS = 600_000

export function searchLeast(
  before: CostSearch | undefined,
  seen: CostSeen,
  rules: CostRules,
): CostSearch {
  const { at, floor, ceiling } = seen
  const next = before === undefined ? begin(seen, rules, 'its first') : move(before, seen, rules)
  const amount = Math.max(floor, Math.min(next.amount, ceiling)) as Millicores
  return { ...next, amount, at }
}

type Next = Omit<CostSearch, 'at'>

const begin = (seen: CostSeen, { headroomRatio }: CostRules, which: string): Next => ({
  amount: millicoresUp(seen.demandCores * (1 + headroomRatio)),
  known: nothingKnown(seen),
  reason: `starts at ${which} demand with head-room`,
})

const nothingKnown = ({ demandCores, at }: CostSeen): Known => ({
  tooLittle: undefined,
  enough: undefined,
  demandCores,
  since: at,
})

function move(before: CostSearch, seen: CostSeen, rules: CostRules): Next {
  const { at, demandCores, granted } = seen
  const { amount } = before
  if (demandCores * 1000 < IDLE_RATIO * amount) return decay(before, seen, rules)
  const learntFor = before.known.demandCores
  if (Math.abs(demandCores - learntFor) > MOVED_RATIO * learntFor) {
    return begin(seen, rules, 'its new')
  }
  const age = at - before.known.since
  const known = age > FORGET_MILLIS || age < 0 ? nothingKnown(seen) : before.known
  const trouble = troubleIn(seen, rules)
  if (trouble !== undefined) return stepBack({ ...before, known }, granted, trouble)
  if (granted < amount) {
    return { amount, known, reason: `stays at ${amount}m: it got ${granted}m, which did` }
  }
  if (granted > amount * (1 + CLOSE_RATIO)) {
    return { amount, known, reason: `stays at ${amount}m until tried: it still has ${granted}m` }
  }
  return stepDown(amount, known)
}

function decay({ amount, at }: CostSearch, seen: CostSeen, { idleDecayRatio }: CostRules): Next {
  const seconds = Math.max(0, seen.at - at) / 1000
  const left = Math.floor(amount * Math.exp(-idleDecayRatio * seconds)) as Millicores
  return { amount: left, known: nothingKnown(seen), reason: `is idle: ${amount}m decays` }
}

function troubleIn(seen: CostSeen, { targetThrottlingRatio }: CostRules): string | undefined {
  if (seen.isTooSlow) return 'it was too slow'
  if (seen.throttledRatio <= targetThrottlingRatio) return undefined
  return `${percent(seen.throttledRatio)} of its periods were throttled`
}

function stepBack({ amount, known }: Next, granted: Millicores, trouble: string): Next {
  const tooLittle = Math.max(granted, known.tooLittle ?? 0) as Millicores
  const enough = known.enough !== undefined && known.enough > tooLittle ? known.enough : undefined
  const more = Math.ceil(tooLittle * (1 + STEP_BACK_RATIO)) as Millicores
  const wanted = enough ?? more
  return {
    // What the market did not give has not been tried.
    amount: granted < amount && amount > wanted ? amount : wanted,
    known: { ...known, tooLittle, enough },
    reason: `steps back: with ${granted}m ${trouble}`,
  }
}

function stepDown(amount: Millicores, known: Known): Next {
  const { tooLittle = 0 } = known
  const enough = { ...known, enough: amount }
  const lower = Math.floor(amount * (1 - STEP_DOWN_RATIO))
  const between = Math.ceil((amount + tooLittle) / 2)
  if (lower > tooLittle) {
    return { amount: lower as Millicores, known: enough, reason: `is lowered: ${amount}m did` }
  }
  if (amount - tooLittle <= CLOSE_RATIO * amount) {
    const reason = `stays at ${amount}m, the least that does: ${tooLittle}m was too little`
    return { amount, known: enough, reason }
  }
  const reason = `is lowered between ${amount}m, which did, and ${tooLittle}m, which did not`
  return { amount: between as Millicores, known: enough, reason }
}

const percent = (ratio: number): string => `${Number((ratio * 100).toPrecision(2))} %`

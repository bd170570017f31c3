/** One managed group: what is known of it from sample to sample, and what it asks for. */
import type { CostSearch } from '../../../core/bidding/cost-search.ts'
import { millicoresUp } from '../../../core/bidding/pod.ts'
import type { CpuSet } from '../../../core/cpu/cpu-set.ts'
import type { LawStep } from '../../../core/demand/law.ts'
import type { CpuRates } from '../../../core/demand/rates.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Smoothing } from '../../../core/demand/smooth.ts'
import { track, type Tracked } from '../../../core/demand/tracker.ts'
import {
  type GuardRules,
  type GuardStep,
  startGuard,
  stepGuard,
} from '../../../core/guardrail/guardrail.ts'
import type { Bid } from '../../../core/market/bid.ts'
import type { Member } from '../../../core/regulation/regulate.ts'
import type { Millicores } from '../../../core/units.ts'

export type GroupRules = {
  readonly path: string
  readonly floor: Millicores
  readonly ceiling: Millicores
  readonly weight: number
  /** CPUs of its own: it takes no part in the market, and needs no quota. */
  readonly exclusive?: CpuSet
}

export type SensingRules = {
  readonly cpus: number
  readonly smoothing: Smoothing
  /** Undefined: it is off. */
  readonly guardrail: GuardRules | undefined
  /** Of need above demand. */
  readonly headroomRatio: number
}

export type Group = {
  readonly rules: GroupRules
  readonly tracked: Tracked
  /** Samples that counted. */
  readonly samples: number
  /** Of the last sample that counted. */
  readonly guard: GuardStep | undefined
  /** Of the cost mode: the least that does, and what was seen since its last step. */
  readonly search: CostSearch | undefined
  readonly trial: Trial
}

type Trial = {
  readonly periods: number
  readonly throttledPeriods: number
  /** The least quota that it had. */
  readonly granted: number
}

export const noTrial: Trial = { periods: 0, throttledPeriods: 0, granted: Infinity }

/** A member of the market, with what it would bid. */
export type Trader = Member & { readonly bid: Bid<Millicores>; readonly hasLimit: boolean }

/** Fewer do not say enough to take anything away. */
const SOUND_SAMPLES = 5

const perCore = (amount: Millicores): number => amount / 1000

/** What the kernel allows; undefined without a limit. */
export const limitOf = ({ quotaMicros, periodMicros }: CpuReading): Millicores | undefined =>
  quotaMicros === null ? undefined : millicoresUp(quotaMicros / periodMicros)

export function senseGroup(
  before: Group | undefined,
  { reading, group }: { readonly reading: CpuReading; readonly group: GroupRules },
  rules: SensingRules,
): Group {
  const tracked = track(before?.tracked, reading, {
    cpus: rules.cpus,
    floorCores: perCore(group.floor),
    ceilingCores: perCore(group.ceiling),
    smoothing: rules.smoothing,
  })
  if (before === undefined) {
    const nothing = { samples: 0, guard: undefined, search: undefined, trial: noTrial }
    return { rules: group, tracked, ...nothing }
  }
  const { rates, law } = tracked
  if (tracked.dropped !== undefined || rates === undefined || law === undefined) {
    return { ...before, tracked }
  }
  const { trial } = before
  return {
    ...before,
    tracked,
    samples: before.samples + 1,
    guard: rules.guardrail && guardOf(before, { rates, law, reading }, rules.guardrail),
    trial: {
      periods: trial.periods + rates.periods,
      throttledPeriods: trial.throttledPeriods + rates.throttledPeriods,
      granted: Math.min(trial.granted, limitOf(reading) ?? Infinity),
    },
  }
}

type Guarded = {
  readonly rates: CpuRates
  readonly law: LawStep
  readonly reading: CpuReading
}

function guardOf({ guard, rules }: Group, { rates, law, reading }: Guarded, guardrail: GuardRules) {
  const sample = {
    ...rates,
    latency: undefined,
    // Without a limit nothing can be raised.
    current: limitOf(reading) ?? rules.ceiling,
    ceiling: rules.ceiling,
    estimateCores: law.estimateCores,
  }
  return stepGuard(guard?.state ?? startGuard, sample, guardrail)
}

/** What one without a limit, or not measured yet, takes of the capacity; CPUs of its own are none of it. */
export function usedBy({ rules, tracked }: Group): Millicores {
  if (rules.exclusive !== undefined) return 0 as Millicores
  const used = millicoresUp(tracked.rates?.usageCores ?? 0)
  return Math.max(rules.floor, Math.min(used, rules.ceiling)) as Millicores
}

/** Undefined until enough is known to set a quota, and for a group with CPUs of its own. */
export function traderOf(group: Group, { headroomRatio }: SensingRules): Trader | undefined {
  const { rules, tracked, guard, search, samples } = group
  const { law, rates, demandCores = 0, dropped } = tracked
  const hasLimit = tracked.last.quotaMicros !== null
  const isSound = samples >= SOUND_SAMPLES
  if (law === undefined || rates === undefined || !(hasLimit || isSound)) return undefined
  if (rules.exclusive !== undefined) return undefined
  const { path: id, weight, floor, ceiling } = rules
  const current = limitOf(tracked.last) ?? usedBy(group)
  const within = (amount: number): Millicores =>
    Math.max(floor, Math.min(amount, ceiling)) as Millicores
  const wish = wishOf(law, guard)
  const suffers = guard?.verdict.state === 'bad'
  const most = search === undefined || suffers ? ceiling : search.amount
  // A first limit is not below what is used at that moment.
  const least = hasLimit ? 0 : current
  const wanted =
    dropped === undefined ? within(Math.max(least, Math.min(wish.amount, most))) : current
  const demand = millicoresUp(demandCores * (1 + headroomRatio))
  const isBlocked = !isSound || guard?.blocked !== undefined
  const bidNeed = within(
    Math.max(
      Math.min(demand, most),
      wanted > current ? wanted : 0,
      // The appetite as the kernel shows it: in a market it cannot take more than its part.
      rates.throttledPeriods > 0 ? millicoresUp(rates.usageCores + rates.throttledCores) : 0,
      isBlocked ? Math.min(current, wanted) : 0,
    ),
  )
  return {
    id,
    weight,
    floor,
    ceiling,
    need: within(demand),
    current,
    least: floor,
    wanted,
    reason: wish.amount > most ? `${wish.reason}; ${most}m does, as the search found` : wish.reason,
    isSuffering: !isSound || suffers,
    // What it does not need it lends, unless it runs out this moment: it has it back in a sample.
    isBlocked: !isSound || rates.throttledPeriods > 0,
    rung: guard?.rung ?? 'monitor',
    hasLimit,
    bid: { id, weight, floor, ceiling, need: bidNeed },
  }
}

function wishOf(law: LawStep, guard: GuardStep | undefined) {
  const amount = millicoresUp(law.quotaCores)
  return guard?.raiseTo === undefined || guard.raiseTo <= amount
    ? { amount, reason: law.reason }
    : { amount: guard.raiseTo, reason: guard.reason }
}

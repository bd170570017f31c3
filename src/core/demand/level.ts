/**
 * How much CPU a group could use, from what it did use and how long it waited.
 *
 * Objective: not censored by the quota, and true again soon after a backlog. Two figures are followed:
 * `demand`, quick and never lowered while it is held back; `estimate` is what others may plan with.
 *
 * Method, per sample, with the time constants below whatever the sampling interval:
 *   - Held back, by a quota or by neighbours on a full node: usage says only what got through, so demand
 *     may rise but not fall. The appetite, usage + time waited, is that of the queue: it adds up over the
 *     CPUs that wait, so it counts for at most the CPUs or threads there are and twice what the group
 *     could show. The estimate rises to it at once.
 *   - Draining, after 3 such periods in a row: usage is still the backlog's as long as it is
 *     pinned to the quota, or to the speed at which the drain began (threads, not quota, may bound
 *     it). The sample in which this ends is part backlog: the next one starts a new mean.
 *   - Otherwise demand is the mean over the time since then, then exponential; far too little use for
 *     chance soon after a backlog shows that the mean held some of it, and starts it anew. The estimate
 *     is a longer mean of the same, with a margin for chance while it is young, and starts anew from
 *     demand when the two differ by more than chance.
 *   - A mean of half a second above quota and demand without throttling is burst being eaten: demand
 *     takes it at once.
 * O(1) a sample. Reference: found for this project; measured by `npm run bench -- estimator`.
 *
 *   usage  waited  throttled  quota  demand before      demand  estimate
 *   0.15   0       0          0.5    0.15           ->  0.15    0.15
 *   0.2    0.1     2          0.2    0.2            ->  0.2     0.3
 *   0.2    3.4     2          0.2    0.2            ->  0.2     0.4
 */
import type { DemandSample } from './sample.ts'

export type Level = {
  readonly demand: number
  readonly estimate: number
  /** Of usage about demand. */
  readonly variance: number
  /** The longer mean, and the variance of the samples since it began anew. */
  readonly steady: number
  readonly scatter: number
  /** How long it is since `demand` and `steady` began anew. */
  readonly demandSeconds: number
  readonly steadySeconds: number
  /** Periods in which it was held back, without a sample in between in which it was not. */
  readonly saturated: number
  readonly drain: Drain | undefined
  /** How long it is since it was held back or drained. */
  readonly freeSeconds: number
  readonly recent: readonly Recent[]
}

type Drain = { readonly seconds: number; readonly highest: number }
type Recent = { readonly seconds: number; readonly usage: number }

export const noLevel: Level = {
  demand: 0,
  estimate: 0,
  variance: 0,
  steady: 0,
  scatter: 0,
  demandSeconds: 0,
  steadySeconds: 0,
  saturated: 0,
  drain: undefined,
  freeSeconds: Infinity,
  recent: [],
}

const DEMAND_SECONDS = 1
const STEADY_SECONDS = 4
/** An appetite that was is forgotten so slowly, while a short quota hides what there is now. */
const APPETITE_SECONDS = 15
/** How many times what it could show a group's appetite may count at one sample. */
const GROWTH = 2
const SATURATED_PERIODS = 3
const PINNED_RATIO = 0.9
/** A speed that lasts longer is no backlog's but the load's; to see that it lasts takes two samples. */
const PLATEAU_SECONDS = 1.5
/** So soon after a backlog, usage below that part of demand shows that the mean held some of it. */
const RELAPSE_SECONDS = 3
const RELAPSE_RATIO = 0.4
const SHIFT_SECONDS = 0.5
/** A timer that fires a little early does not make the window a sample longer. */
const TIMER_SECONDS = 0.02
/** More than chance is more than three standard deviations, and of means more than a tenth. */
const CHANCE_DEVIATIONS = 3
const GATE_RATIO = 0.1
/** Of a mean of few samples, so that chance seldom takes it below demand; gone once it is steady. */
const MARGIN_DEVIATIONS = 1.5

/** The queue's appetite, as far as it counts. */
export function appetiteOf(sample: DemandSample): number {
  const { usageCores, throttledCores, waitedCores, quotaCores = usageCores, parallelism } = sample
  const shown = GROWTH * Math.max(usageCores, quotaCores)
  const wanted = usageCores + throttledCores + waitedCores
  return Math.min(wanted, Math.max(usageCores, parallelism), shown)
}

export function followLevel(before: Level, sample: DemandSample): Level {
  if (isHeldBack(sample)) return followHeldBack(before, sample)
  const drain = drainOf(before, sample)
  if (drain === undefined) return shift(followFree(before, sample), sample)
  const isDraining = isPinned(sample, drain)
  const next = isDraining ? followDrain(before, sample, drain) : beginAnew(before, sample)
  return shift(next, sample)
}

/** Of usage: less waiting than that is what sharing a CPU comes to. */
const WAITING_RATIO = 0.1

const isHeldBack = ({ throttledPeriods, waitedCores, usageCores }: DemandSample): boolean =>
  throttledPeriods > 0 || waitedCores > WAITING_RATIO * usageCores

const partOf = (seconds: number, constant: number): number => -Math.expm1(-seconds / constant)

/** Demand that may only rise, and its variance. */
function raiseDemand(before: Level, sample: DemandSample): Level {
  const { usageCores, seconds } = sample
  const part = partOf(seconds, DEMAND_SECONDS)
  const off = usageCores - before.demand
  const demand = before.demand + part * Math.max(0, off)
  const variance = before.variance + part * (off * off - before.variance)
  return { ...before, demand, variance, recent: windowOf(before.recent, sample) }
}

function followHeldBack(before: Level, sample: DemandSample): Level {
  const next = raiseDemand(before, sample)
  const appetite = appetiteOf(sample)
  const fading = partOf(sample.seconds, APPETITE_SECONDS)
  const remembered = before.estimate + fading * (appetite - before.estimate)
  const estimate = Math.max(next.demand, appetite, remembered)
  const saturated = before.saturated + Math.max(1, sample.throttledPeriods)
  return { ...next, estimate, saturated, freeSeconds: 0 }
}

function followDrain(before: Level, sample: DemandSample, drain: Drain): Level {
  const next = raiseDemand(before, sample)
  const estimate = Math.max(next.estimate, next.demand)
  return { ...next, drain, estimate, saturated: 0, freeSeconds: 0 }
}

function drainOf(before: Level, { seconds, usageCores }: DemandSample): Drain | undefined {
  if (before.saturated >= SATURATED_PERIODS) return { seconds, highest: usageCores }
  if (before.drain === undefined) return undefined
  const highest = Math.max(before.drain.highest, usageCores)
  return { seconds: before.drain.seconds + seconds, highest }
}

function isPinned(sample: DemandSample, { seconds, highest }: Drain): boolean {
  const { usageCores, quotaCores = Infinity, parallelism } = sample
  const most = Math.min(quotaCores, parallelism)
  if (usageCores >= PINNED_RATIO * most) return true
  const isSeen = sample.seconds <= PLATEAU_SECONDS / 2 && seconds <= PLATEAU_SECONDS
  return isSeen && usageCores >= PINNED_RATIO * highest
}

/** After a sample that is part backlog, which counts only until the next. */
function beginAnew(before: Level, sample: DemandSample): Level {
  const { usageCores: cores, seconds } = sample
  const counts = { scatter: 0, demandSeconds: 0, steadySeconds: 0, saturated: 0, drain: undefined }
  const freeSeconds = before.freeSeconds + seconds
  const recent = windowOf(before.recent, sample)
  return {
    ...before,
    demand: cores,
    steady: cores,
    estimate: cores,
    freeSeconds,
    recent,
    ...counts,
  }
}

function followFree(before: Level, sample: DemandSample): Level {
  const { usageCores, seconds } = sample
  const off = usageCores - before.demand
  const demandSeconds = (hasRelapsed(before, sample) ? 0 : before.demandSeconds) + seconds
  const part = partOf(seconds, DEMAND_SECONDS)
  const demand = before.demand + Math.max(part, seconds / demandSeconds) * off
  const variance = before.variance + part * (off * off - before.variance)
  const deviation = { demand, demandSeconds, off, part, usageCores, seconds }
  const { scatter, steady, steadySeconds, estimate } = followSteady(before, deviation)
  return {
    ...before,
    demand,
    estimate,
    variance,
    steady,
    scatter,
    demandSeconds,
    steadySeconds,
    saturated: 0,
    freeSeconds: before.freeSeconds + seconds,
    recent: windowOf(before.recent, sample),
  }
}

/** By chance a sample is as low now and then, the more so the more the samples scatter. */
function hasRelapsed(
  { freeSeconds, demand, scatter }: Level,
  { usageCores }: DemandSample,
): boolean {
  const isLow = usageCores < RELAPSE_RATIO * demand
  const isChance = demand - usageCores <= CHANCE_DEVIATIONS * Math.sqrt(scatter)
  return freeSeconds < RELAPSE_SECONDS && isLow && !isChance
}

type Deviation = Pick<Level, 'demand' | 'demandSeconds'> & {
  /** From demand before. */
  readonly off: number
  /** Of demand's time constant. */
  readonly part: number
  readonly usageCores: number
  readonly seconds: number
}

function followSteady(before: Level, deviation: Deviation) {
  const { demand, demandSeconds, off, part, usageCores, seconds } = deviation
  const isFirst = demandSeconds === seconds
  const steadySeconds = (isFirst ? 0 : before.steadySeconds) + seconds
  const steadyPart = partOf(seconds, STEADY_SECONDS)
  const scatterPart = Math.max(steadyPart, seconds / demandSeconds)
  const scatter = isFirst ? 0 : before.scatter + scatterPart * (off * off - before.scatter)
  const meanPart = Math.max(steadyPart, seconds / steadySeconds)
  const steady = before.steady + meanPart * (usageCores - before.steady)
  // The variance of a mean over that of its samples: of an exponential one, and of a young one.
  const ofMean = Math.max(part / (2 - part), seconds / demandSeconds)
  const chance = CHANCE_DEVIATIONS * Math.sqrt(scatter * ofMean)
  if (Math.abs(demand - steady) > Math.max(GATE_RATIO * steady, chance)) {
    return { scatter, steady: demand, steadySeconds: DEMAND_SECONDS, estimate: demand }
  }
  const youth = Math.max(0, 1 - steadySeconds / STEADY_SECONDS)
  const margin = youth * MARGIN_DEVIATIONS * Math.sqrt((scatter * seconds) / steadySeconds)
  return { scatter, steady, steadySeconds, estimate: steady + Math.min(margin, steady) }
}

/** The last half second, or the last sample if it is longer. */
function windowOf(recent: readonly Recent[], { seconds, usageCores }: DemandSample): Recent[] {
  let first = recent.length
  for (let span = seconds; first > 0 && span < SHIFT_SECONDS - TIMER_SECONDS; first -= 1) {
    span += recent[first - 1]?.seconds ?? 0
  }
  return [...recent.slice(first), { seconds, usage: usageCores }]
}

function shift(level: Level, { quotaCores = Infinity }: DemandSample): Level {
  const { recent, demand } = level
  if (recent.length < 2) return level
  const span = recent.reduce((sum, { seconds }) => sum + seconds, 0)
  if (span < SHIFT_SECONDS - TIMER_SECONDS) return level
  const mean = recent.reduce((sum, { seconds, usage }) => sum + seconds * usage, 0) / span
  if (mean <= quotaCores || mean <= demand) return level
  return { ...level, demand: mean, demandSeconds: span }
}

/**
 * CFS bandwidth control of one container: how much of its demand runs, and what the kernel counts.
 *
 * Objective: the counters of cpu.stat under a demand that is constant over an interval, exactly the
 * same however the interval is cut, in time that does not grow with its length.
 *
 * The rules, from Documentation/scheduler/sched-bwc.rst and the behaviour of kernel/sched/fair.c:
 *   - A pool is refilled with the quota every period; what was left stays, up to quota + burst.
 *   - That the pool is empty shows at a tick (4 ms at 250 Hz). What ran until then is a debt, paid
 *     at the next refill; threads are throttled until a refill leaves something in the pool, even if
 *     they would have stopped wanting to run by then. Every CPU on which one waits adds its own time,
 *     when it is over.
 *   - A CPU that falls asleep keeps up to 1 ms of what it took from the pool.
 *   - The timer stops at the second refill in a row without demand, and starts with the next demand;
 *     only refills by a running timer count as periods. Refills stay on one grid.
 *   - A period that took more than the quota out of the pool counts as a burst, with the excess.
 *   - Writing quota, period or burst refills at once and lets the throttled go on.
 * Left out: CPUs take from the pool in slices of 5 ms, so that one may be throttled a little before
 * the others, whose time grows by as much.
 *
 * Method: CPU is counted in nanoseconds, time in microseconds and speed in millicores, whose product
 * is whole; sums are exact up to 2^53 ns, 104 days of one CPU. From one refill to the next the pool
 * repeats, moves by a constant, or ends within a tick of the last refill's quota: runs of such
 * periods are one step. Where neither holds (a period that is no multiple of the tick, a quota within
 * a tick of nothing or of the demand) a period is a step, 0.1 us.
 *
 *   quota 20 of 100 ms, over 1 s       usage   periods  throttled  waited
 *   one thread always                  200 ms  10       10         800 ms
 *   two threads always                 200 ms  10       10         1800 ms
 *   150m of one thread                 150 ms  10       0          0
 *   one thread always, burst 20        220 ms  10       10         780 ms
 */
const tickMicros = 4000
const keptNanosPerCpu = 1_000_000

export type Limit = {
  /** Null is no limit. */
  readonly quotaMicros: number | null
  readonly periodMicros: number
  readonly burstMicros: number
}

export type Demand = {
  /** Speed while it runs. */
  readonly milliCpu: number
  /** CPUs with a thread that runs, or waits when it may not. */
  readonly waiters: number
}

export type Bandwidth = {
  readonly atMicros: number
  /** Refills are at this moment and whole periods before and after. */
  readonly phaseMicros: number
  readonly poolNanos: number
  /** The pool after the last refill. */
  readonly filledNanos: number
  readonly timerRuns: boolean
  /** No demand since the last refill. */
  readonly isQuiet: boolean
  readonly isThrottled: boolean
  /** CPUs that ran last, 0 once asleep, and what they then kept. */
  readonly runners: number
  readonly keptNanos: number
  /** CPUs that wait since they were throttled, and their time so far. */
  readonly waiters: number
  readonly waitedMicros: number

  readonly usageNanos: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMicros: number
  readonly bursts: number
  readonly burstNanos: number
}

/** One that is taken along in place, by who has many steps to go. */
export type MovingBandwidth = { -readonly [Key in keyof Bandwidth]: Bandwidth[Key] }

export function startBandwidth(
  limit: Limit,
  { atMicros, phaseMicros }: { readonly atMicros: number; readonly phaseMicros: number },
): Bandwidth {
  const empty: MovingBandwidth = {
    atMicros,
    phaseMicros,
    poolNanos: 0,
    filledNanos: 0,
    timerRuns: false,
    isQuiet: true,
    isThrottled: false,
    runners: 0,
    keptNanos: 0,
    waiters: 0,
    waitedMicros: 0,
    usageNanos: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledMicros: 0,
    bursts: 0,
    burstNanos: 0,
  }
  fillPool(empty, limit)
  return empty
}

export type Stretch = {
  readonly demand: Demand
  readonly limit: Limit
  readonly toMicros: number
}

/** The state at a later moment, of a demand that is the same until then. */
export function advance(state: Bandwidth, stretch: Stretch): Bandwidth {
  const next = { ...state }
  moveOn(next, stretch)
  return next
}

export function moveOn(state: MovingBandwidth, stretch: Stretch): void {
  const { demand, limit, toMicros } = stretch
  if (limit.quotaMicros === null) {
    state.usageNanos += demand.milliCpu * (toMicros - state.atMicros)
    state.atMicros = toMicros
    return
  }
  if (state.atMicros < toMicros) noticeDemand(state, demand)
  while (state.atMicros < toMicros) {
    if (!state.timerRuns && demand.milliCpu === 0) state.atMicros = toMicros
    else if (!skipLikePeriods(state, stretch)) runInPeriod(state, stretch)
  }
}

/** The first refill after `atMicros`, if the timer runs until then. */
export function nextRefill({ atMicros, phaseMicros }: Bandwidth, { periodMicros }: Limit): number {
  const into = (atMicros - phaseMicros) % periodMicros
  return atMicros - into + (into < 0 ? 0 : periodMicros)
}

/**
 * As the kernel does when quota, period or burst are written; the last refill keeps its moment.
 * Nobody writes what is there already.
 */
export function changeLimit(state: Bandwidth, { from, to }: { from: Limit; to: Limit }): Bandwidth {
  if (isSameLimit(from, to)) return state
  const next: MovingBandwidth = {
    ...state,
    phaseMicros: nextRefill(state, from) - from.periodMicros,
  }
  fillPool(next, to)
  release(next)
  next.timerRuns = to.quotaMicros !== null
  next.isQuiet = false
  return next
}

const isSameLimit = (a: Limit, b: Limit): boolean =>
  a.quotaMicros === b.quotaMicros &&
  a.periodMicros === b.periodMicros &&
  a.burstMicros === b.burstMicros

/** Threads that fall asleep or wake up are looked at at once, without waiting for a tick. */
function noticeDemand(state: MovingBandwidth, { milliCpu, waiters }: Demand): void {
  if (milliCpu > 0) {
    state.timerRuns = true
    if (state.runners === 0) {
      state.poolNanos += state.keptNanos
      state.keptNanos = 0
      if (state.poolNanos <= 0) state.isThrottled = true
    }
    state.runners = waiters
  } else if (state.runners > 0) {
    if (state.poolNanos < 0) state.isThrottled = true
    else keepSome(state, state.runners)
    state.runners = 0
  }
}

function keepSome(state: MovingBandwidth, cpus: number): void {
  state.keptNanos = Math.min(state.poolNanos, cpus * keptNanosPerCpu)
  state.poolNanos -= state.keptNanos
}

/** Until the refill or the end of the stretch, whichever is first. */
function runInPeriod(state: MovingBandwidth, { demand, limit, toMicros }: Stretch): void {
  const { milliCpu, waiters } = demand
  const refill = nextRefill(state, limit)
  const end = Math.min(refill, toMicros)
  if (milliCpu > 0) state.isQuiet = false
  let stop = state.atMicros
  if (!state.isThrottled && milliCpu > 0) {
    const emptyMicros = Math.max(1, Math.ceil(state.poolNanos / milliCpu))
    stop = Math.ceil((state.atMicros + emptyMicros) / tickMicros) * tickMicros
    // A tick at the very moment of a refill finds the pool full.
    if (stop < end || (stop === end && end < refill)) state.isThrottled = true
    else stop = end
    const used = milliCpu * (stop - state.atMicros)
    state.usageNanos += used
    state.poolNanos -= used
  }
  if (state.isThrottled) {
    state.waiters = Math.max(state.waiters, waiters)
    state.waitedMicros += state.waiters * (end - stop)
  }
  state.atMicros = end
  if (end === refill) endPeriod(state, limit)
}

function endPeriod(state: MovingBandwidth, limit: Limit): void {
  state.periods += 1
  fillPool(state, limit)
  if (state.isThrottled) {
    state.throttledPeriods += 1
    if (state.poolNanos > 0) {
      // Who no longer wants to run does so for a moment, to find that out, and falls asleep.
      if (state.runners === 0) keepSome(state, state.waiters)
      release(state)
    }
    state.isQuiet = false
  } else if (state.isQuiet) state.timerRuns = false
  else state.isQuiet = true
}

function fillPool(state: MovingBandwidth, { quotaMicros, burstMicros }: Limit): void {
  if (quotaMicros === null) return
  const quota = quotaMicros * 1000
  const excess = state.filledNanos - Math.max(0, state.poolNanos) - quota
  if (excess > 0) {
    state.bursts += 1
    state.burstNanos += excess
  }
  state.poolNanos = Math.min(state.poolNanos + quota, quota + burstMicros * 1000)
  state.filledNanos = state.poolNanos
}

function release(state: MovingBandwidth): void {
  state.throttledMicros += state.waitedMicros
  state.waitedMicros = 0
  state.waiters = 0
  state.isThrottled = false
}

/** Takes whole periods at once as far as all go as the first; false if not even one does. */
function skipLikePeriods(state: MovingBandwidth, { demand, limit, toMicros }: Stretch): boolean {
  const { periodMicros } = limit
  const whole = Math.floor((toMicros - state.atMicros) / periodMicros)
  const isAtRefill = (state.atMicros - state.phaseMicros) % periodMicros === 0
  const { poolNanos: pool, filledNanos, isThrottled } = state
  if (whole < 1 || !isAtRefill || isThrottled || filledNanos !== pool) return false
  const { milliCpu } = demand
  if (milliCpu === 0) return false
  const quota = (limit.quotaMicros ?? 0) * 1000
  const wanted = milliCpu * periodMicros
  if (wanted <= pool) {
    const room = quota + limit.burstMicros * 1000 - pool
    const gain = room === 0 ? Math.min(0, quota - wanted) : quota - wanted
    const alike = gain > 0 ? Math.floor(room / gain) : Math.floor((pool - wanted) / -gain) + 1
    return skipFree(state, {
      periods: Math.min(whole, gain === 0 ? whole : alike),
      wanted,
      gain,
      periodMicros,
    })
  }
  const stopsInPeriod = Math.ceil(quota / milliCpu) + tickMicros <= periodMicros
  const outlastsDebt = quota >= milliCpu * tickMicros
  const isOnTicks = periodMicros % tickMicros === 0
  if (pool <= 0 || pool > quota || !stopsInPeriod || !outlastsDebt || !isOnTicks) return false
  skipThrottled(state, { periods: whole, demand, quota, periodMicros })
  return true
}

type Free = {
  readonly periods: number
  readonly wanted: number
  /** What each refill leaves more in the pool than the one before. */
  readonly gain: number
  readonly periodMicros: number
}

function skipFree(state: MovingBandwidth, { periods, wanted, gain, periodMicros }: Free): boolean {
  if (periods === 0) return false
  if (gain < 0) {
    state.bursts += periods
    state.burstNanos -= periods * gain
  }
  state.usageNanos += periods * wanted
  state.atMicros += periods * periodMicros
  state.periods += periods
  state.poolNanos += periods * gain
  state.filledNanos = state.poolNanos
  state.isQuiet = true
  return true
}

type Throttled = {
  readonly periods: number
  readonly demand: Demand
  readonly quota: number
  readonly periodMicros: number
}

/**
 * Every period runs until its first tick at which the pool is empty. The ticks of n periods lie on
 * one grid, n times the first tick and whole ticks after, and the debt at the end is less than a tick:
 * so the time that ran in all is the one point of the grid within a tick of what the pool paid for.
 */
function skipThrottled(
  state: MovingBandwidth,
  { periods, demand, quota, periodMicros }: Throttled,
): void {
  const { milliCpu, waiters } = demand
  const firstTick = tickMicros - (state.atMicros % tickMicros)
  const paid = state.poolNanos + (periods - 1) * quota
  const ticks = Math.ceil((paid - milliCpu * periods * firstTick) / (milliCpu * tickMicros))
  const ranMicros = periods * firstTick + ticks * tickMicros
  state.usageNanos += milliCpu * ranMicros
  state.poolNanos = paid + quota - milliCpu * ranMicros
  state.filledNanos = state.poolNanos
  state.atMicros += periods * periodMicros
  state.periods += periods
  state.throttledPeriods += periods
  state.throttledMicros += waiters * (periods * periodMicros - ranMicros)
  state.isQuiet = false
}

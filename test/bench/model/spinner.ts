/** One thread of work in a process of its own: burns CPU as told, by the clock that all processes share. */
import { burn, nowMicros, sleepUntil } from '../burn.ts'

/** Moments of the clock: the common start, which is a refill, and the two readings. */
type Times = {
  readonly startMicros: number
  readonly periodMicros: number
  readonly fromMicros: number
  readonly toMicros: number
}

export type Order =
  | { readonly do: 'calibrate'; readonly periodMicros: number }
  | ({ readonly do: 'always' } & Times)
  | ({ readonly do: 'windows'; readonly everyMicros: number; readonly forMicros: number } & Times)
  | {
      readonly do: 'requests'
      readonly startMicros: number
      readonly requests: readonly { readonly atMicros: number; readonly cpuMicros: number }[]
    }

/**
 * Of calibrate, a beginning of a period and a moment just before a tick; of work between the
 * readings, what others took; of requests, how long each took and when it was done.
 */
export type Answer =
  | { readonly phaseMicros: number; readonly tickMicros: number }
  | { readonly lostMicros: number }
  | { readonly latencyMicros: readonly number[]; readonly doneMicros: readonly number[] }

/** At 250 Hz, as this kernel is built. */
export const tickMicros = 4000

/**
 * A spinning thread that is throttled stops at a tick and goes on where a period begins. Nothing goes
 * on before its period begins, so that the earliest is the least delayed.
 */
function findGrid(periodMicros: number): Answer {
  const stopped: number[] = []
  const resumed: number[] = []
  let last = nowMicros()
  const end = last + 13 * periodMicros
  while (last < end) {
    const now = nowMicros()
    if (now - last > periodMicros / 2) {
      stopped.push(last)
      resumed.push(now)
    }
    last = now
  }
  const ticks = offsets(stopped, tickMicros)
  return {
    phaseMicros: Math.min(...offsets(resumed, periodMicros)) + (resumed[0] ?? 0),
    tickMicros: (ticks[ticks.length >> 1] ?? 0) + (stopped[0] ?? 0),
  }
}

/** How far each is from the grid through the first, ascending. */
function offsets(moments: readonly number[], step: number): number[] {
  const [first = 0] = moments
  return moments
    .map((moment) => moment - first - Math.round((moment - first) / step) * step)
    .toSorted((a, b) => a - b)
}

/** Goes on for a moment after the second reading, which may be late. */
const extraMicros = 100_000
/** How much too late the refills may have been found to be. */
const earlyMicros = 5000
/** What is shorter is an interrupt. */
const shortestGapMicros = 200

/**
 * Burns CPU in every window. A gap in which it did not run is a throttling up to the last refill in
 * it; what is after that, or all if there was none, others took. So is a late awakening.
 */
function work(
  times: Times,
  { everyMicros, forMicros }: { everyMicros: number; forMicros: number },
): Answer {
  const { startMicros, periodMicros, fromMicros, toMicros } = times
  let lostMicros = 0
  const lose = (since: number, now: number) => {
    const sinceRefill = ((now - startMicros + earlyMicros) % periodMicros) - earlyMicros
    const lost = Math.min(now - since, Math.max(0, sinceRefill))
    if (now >= fromMicros && now <= toMicros) lostMicros += lost
  }
  sleepUntil(startMicros)
  let last = nowMicros()
  while (last < toMicros + extraMicros) {
    const now = nowMicros()
    const into = (now - startMicros) % everyMicros
    const isInWindow = now < startMicros || into < forMicros
    if (isInWindow && now - last > shortestGapMicros) lose(last, now)
    last = now
    if (!isInWindow) {
      const next = now - into + everyMicros
      sleepUntil(next)
      last = nowMicros()
      if (last > next + shortestGapMicros) lose(next, last)
    }
  }
  return { lostMicros }
}

function serve({ startMicros, requests }: Extract<Order, { do: 'requests' }>): Answer {
  const latencyMicros: number[] = []
  const doneMicros: number[] = []
  for (const request of requests) {
    const arrival = startMicros + request.atMicros
    while (nowMicros() < arrival) sleepUntil(arrival)
    burn(request.cpuMicros)
    const now = nowMicros()
    latencyMicros.push(now - arrival)
    doneMicros.push(now - startMicros)
  }
  return { latencyMicros, doneMicros }
}

function obey(order: Order): Answer {
  if (order.do === 'calibrate') return findGrid(order.periodMicros)
  if (order.do === 'requests') return serve(order)
  return work(
    order,
    order.do === 'windows' ? order : { everyMicros: Infinity, forMicros: Infinity },
  )
}

process.on('message', (order: Order) => process.send?.(obey(order)))
process.on('disconnect', () => process.exit())

/** When requests are meant to come: drawn from a seed, whatever became of those before. */
import { type Random, seededRandom } from '../../../src/core/random.ts'

export type Bursts = {
  /** On top of the steady rate, until so many have come. */
  readonly perSecond: number
  readonly count: number
  readonly firstSecond: number
  readonly everySeconds: number
}

export type Shape = { readonly perSecond: number; readonly bursts?: Bursts }

export type LoadPlan = { readonly shape: Shape; readonly seconds: number; readonly seed: number }

/**
 * Seconds at which a burst begins: none that would outlast the load.
 *
 *   first 2, every 4, for 1 s, load of 11 s  ->  2 6 10
 *   the same, load of 10.5 s                 ->  2 6
 */
export function burstStarts({ shape: { bursts }, seconds }: Omit<LoadPlan, 'seed'>): number[] {
  if (bursts === undefined) return []
  const { firstSecond, everySeconds, count, perSecond } = bursts
  const starts = Math.floor((seconds - count / perSecond - firstSecond) / everySeconds) + 1
  return Array.from({ length: Math.max(0, starts) }, (_, i) => firstSecond + i * everySeconds)
}

/** Milliseconds since the start, ascending; gaps are exponential, as of many users. */
export function arrivalsOf({ shape, seconds, seed }: LoadPlan): number[] {
  const random = seededRandom(seed)
  const steady = draw(random, {
    perSecond: shape.perSecond,
    count: Math.round(shape.perSecond * seconds),
    from: 0,
  })
  const { bursts } = shape
  if (bursts === undefined) return steady
  const more = burstStarts({ shape, seconds }).flatMap((from) => draw(random, { ...bursts, from }))
  return [...steady, ...more].toSorted((a, b) => a - b)
}

type Stretch = { readonly perSecond: number; readonly count: number; readonly from: number }

function draw(random: Random, { perSecond, count, from }: Stretch): number[] {
  let atMillis = from * 1000
  return Array.from({ length: count }, () => {
    atMillis += (-Math.log(1 - random()) * 1000) / perSecond
    return atMillis
  })
}

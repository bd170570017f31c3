/**
 * When requests arrive and how much CPU each needs: a Poisson process, whose rate may change over
 * time, by thinning (Lewis and Shedler 1979): candidates come at the highest rate, and one at time t
 * stays with probability rate(t) / highest. A request's need is drawn with its arrival, so that one
 * seed gives the same requests whatever CPU they get. Recorded rates need no thinning (core/replay.ts).
 */
import type { RecordedRate, RequestRate, RequestsLoad } from '../../apis/requests-load.ts'
import { type Random, seededRandom } from '../../core/random.ts'
import { figureAt, momentOf, peakOf, type Replay } from '../../core/replay.ts'

export type Arrival = {
  /** Since the container started; infinite when none will come. */
  readonly atMicros: number
  readonly cpuMicros: number
}

/** The next arrival at each call. */
export function createArrivals(load: RequestsLoad, seed: number): () => Arrival {
  const { rate } = load
  const random = seededRandom(seed)
  const next = rate.shape === 'recorded' ? follow(rate.replay, random) : thin(rate, random)
  return () => ({ atMicros: Math.ceil(next()), cpuMicros: drawNeed(load, random) })
}

/** Microseconds at each call, as of the following. */
function thin(rate: RequestRate, random: Random): () => number {
  const highest = highestRate(rate)
  let at = 0
  return () => {
    do at += (exponential(random) * 1e6) / highest
    while (at < Infinity && random() * highest >= rateAt(rate, at / 1000))
    return at
  }
}

function follow(replay: Replay, random: Random): () => number {
  let count = 0
  return () => momentOf(replay, (count += exponential(random))) * 1e6
}

export const highestRate = (rate: RequestRate | RecordedRate): number =>
  rate.shape === 'recorded' ? peakOf(rate.replay) : Math.max(rate.perSecond, rate.toPerSecond)

export function rateAt(rate: RequestRate | RecordedRate, millis: number): number {
  if (rate.shape === 'recorded') return figureAt(rate.replay, millis / 1000)
  const { shape, perSecond, toPerSecond, overMillis } = rate
  if (shape === 'steady') return perSecond
  const turn = millis / overMillis
  const ratio = shape === 'ramp' ? Math.min(1, turn) : (1 - Math.cos(2 * Math.PI * turn)) / 2
  return perSecond + (toPerSecond - perSecond) * ratio
}

function exponential(random: Random): number {
  return -Math.log(1 - random())
}

function drawNeed({ cpuMicros, spread }: RequestsLoad, random: Random): number {
  return Math.max(1, Math.round(cpuMicros * factors[spread](random)))
}

/** Of the mean, each with mean 1. */
const factors: Readonly<Record<RequestsLoad['spread'], (random: Random) => number>> = {
  fixed: () => 1,
  exponential,
  heavy: lognormal,
  spikes: (random) => (random() < 0.2 ? 3 : 1) / 1.4,
}

/** With sigma 1: one request in 20 needs over 3.1 times the mean. */
function lognormal(random: Random): number {
  const radius = Math.sqrt(2 * exponential(random))
  return Math.exp(radius * Math.cos(2 * Math.PI * random()) - 0.5)
}

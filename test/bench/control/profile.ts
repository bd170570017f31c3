/**
 * The loads that laws are judged on: how many requests arrive a second, over one pass. A seed draws
 * where in its cycle a load begins, when bursts come, and when requests arrive and what each needs.
 */
import { type Random, seededRandom } from '../../../src/core/random.ts'
import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'

/** Laws settle before anything counts. */
export const warmUpSeconds = 10
export const passSeconds = 130
/** The mean of a request, exponential. */
export const requestMicros = 1000
const stepAtSeconds = 70

export type Profile = {
  readonly name: string
  /** Requests a second are never more. */
  readonly highest: number
  readonly rates: (random: Random) => (seconds: number) => number
  /** Where the rate is multiplied for good, and the cores needed from then on. */
  readonly step?: { readonly atSeconds: number; readonly cores: number }
}

export const profiles: readonly Profile[] = [
  { name: 'steady', highest: 70, rates: () => () => 70 },
  {
    name: 'x3 step',
    highest: 135,
    rates: () => (seconds) => (seconds < stepAtSeconds ? 45 : 135),
    step: { atSeconds: stepAtSeconds, cores: (135 * requestMicros) / 1e6 },
  },
  {
    name: 'bursty',
    highest: 400,
    rates: (random) =>
      inTurns({
        random,
        low: 40,
        high: 400,
        gap: () => 1.5 + 3 * random(),
        length: () => 0.2 + 0.3 * random(),
      }),
  },
  {
    name: 'spiky',
    highest: 200,
    rates: (random) =>
      inTurns({
        random,
        low: 50,
        high: 200,
        gap: () => -15 * Math.log(1 - random()),
        length: () => 2,
      }),
  },
  { name: 'ramp', highest: 140, rates: () => (seconds) => 20 + (120 * seconds) / passSeconds },
  {
    name: 'on/off',
    highest: 140,
    rates: (random) => inTurns({ random, low: 2, high: 140, gap: () => 10, length: () => 10 }),
  },
  {
    name: 'diurnal',
    highest: 120,
    rates(random) {
      const phase = random()
      return (seconds) => 70 + 50 * Math.sin(2 * Math.PI * (seconds / 60 + phase))
    },
  },
]

type Turns = {
  readonly random: Random
  readonly low: number
  readonly high: number
  readonly gap: () => number
  readonly length: () => number
}

/** High for a while after every gap; asked for ascending moments only. */
export function inTurns({ random, low, high, gap, length }: Turns): (seconds: number) => number {
  let from = gap() * random()
  let until = from + length()
  return (seconds) => {
    while (seconds >= until) {
      from = until + gap()
      until = from + length()
    }
    return seconds < from ? low : high
  }
}

/** The requests of one pass, by thinning as in src/sim/kernel/arrivals.ts. */
export function arrivalsOf({ highest, rates }: Profile, seed: number): () => Arrival {
  const random = seededRandom(seed)
  const rate = rates(random)
  const exponential = () => -Math.log(1 - random())
  let seconds = 0
  return () => {
    do seconds += exponential() / highest
    while (seconds < passSeconds && random() * highest >= rate(seconds))
    const atMicros = seconds < passSeconds ? Math.ceil(seconds * 1e6) : Infinity
    return { atMicros, cpuMicros: Math.max(1, Math.round(requestMicros * exponential())) }
  }
}

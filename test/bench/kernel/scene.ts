/**
 * What the services of the seeds are put to, scaled to the machine and to the length of a pass. The
 * rates of the seeds' phases are 10, 50 and 100 a second over 2, 5 and 5 minutes, then 3 of bursts:
 * here 100 are 1.3 times the machine, and 15 minutes one pass.
 */
import type { Random } from '../../../src/core/random.ts'

export type Service = {
  readonly name: string
  /** Its part of the demand. */
  readonly demandRatio: number
  /** CPU time of a request, on average and drawn. */
  readonly meanMicros: number
  readonly drawMicros: (random: Random) => number
  /** Noise is there to disturb the others: nobody waits for it. */
  readonly isJudged: boolean
}

const exponential = (random: Random): number => -Math.log(1 - random())

/** One thread each: none needs more than a CPU at the peak on a machine with two. */
export const services: readonly Service[] = [
  {
    name: 'gateway',
    demandRatio: 0.15,
    meanMicros: 4000,
    drawMicros: (random) => 4000 * exponential(random),
    isJudged: true,
  },
  {
    name: 'worker-a',
    demandRatio: 0.3,
    meanMicros: 30_000,
    drawMicros: () => 30_000,
    isJudged: true,
  },
  {
    name: 'worker-b',
    demandRatio: 0.25,
    meanMicros: 14_000,
    drawMicros: (random) => (random() < 0.2 ? 30_000 : 10_000),
    isJudged: true,
  },
  {
    name: 'noise',
    demandRatio: 0.3,
    meanMicros: 40_000,
    drawMicros: () => 40_000,
    isJudged: false,
  },
]

/** Of the machine, when most is asked of it. */
export const peakRatio = 1.3

export type PhaseName = 'warm-up' | 'saturation' | 'contention' | 'bursty'

export type Phase = {
  readonly name: PhaseName
  readonly fromMicros: number
  readonly toMicros: number
  /** Of the peak; a service that bursts has times of its own at the high level. */
  readonly level: number
  readonly high?: number
}

const shapes = [
  { name: 'warm-up', minutes: 2, level: 0.1 },
  { name: 'saturation', minutes: 5, level: 0.5 },
  { name: 'contention', minutes: 5, level: 1 },
  { name: 'bursty', minutes: 3, level: 0.2, high: 1 },
] as const
const passMinutes = shapes.reduce((sum, { minutes }) => sum + minutes, 0)

export function phasesOf(passSeconds: number): Phase[] {
  const momentOf = (minute: number) => Math.round((minute / passMinutes) * passSeconds * 1e6)
  const found: Phase[] = []
  let minute = 0
  for (const { minutes, ...shape } of shapes) {
    found.push({ ...shape, fromMicros: momentOf(minute), toMicros: momentOf(minute + minutes) })
    minute += minutes
  }
  return found
}

/** Where there is enough CPU for all, and the laws have had time to find their feet. */
export const isBelowCapacity = ({ name }: Phase): boolean =>
  name === 'saturation' || name === 'bursty'

/** Everything is counted from here on. */
export const isCounted = ({ name }: Phase): boolean => name !== 'warm-up'

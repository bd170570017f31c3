/** The services of the seeds, with one process each: none needs more than a CPU at the peak. */
import type { Random } from '../../../src/core/random.ts'

export type SeedService = {
  readonly name: string
  /** Its part of the demand. */
  readonly demandRatio: number
  /** CPU time of a request, on average and drawn. */
  readonly meanMicros: number
  readonly drawMicros: (random: Random) => number
  readonly isNoise: boolean
}

export const exponential = (random: Random): number => -Math.log(1 - random())

export const services: readonly SeedService[] = [
  {
    name: 'gateway',
    demandRatio: 0.15,
    meanMicros: 4000,
    drawMicros: (random) => 4000 * exponential(random),
    isNoise: false,
  },
  {
    name: 'worker-a',
    demandRatio: 0.3,
    meanMicros: 30_000,
    drawMicros: () => 30_000,
    isNoise: false,
  },
  {
    name: 'worker-b',
    demandRatio: 0.25,
    meanMicros: 14_000,
    drawMicros: (random) => (random() < 0.2 ? 30_000 : 10_000),
    isNoise: false,
  },
  {
    name: 'noise',
    demandRatio: 0.3,
    meanMicros: 40_000,
    drawMicros: () => 40_000,
    isNoise: true,
  },
]

/** Once for every two CPUs, so that one process each suffices. */
export const copiesFor = (cpus: number): number => Math.max(1, Math.round(cpus / 2))

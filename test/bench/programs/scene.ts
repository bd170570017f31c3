/** What runs beside what. */
import { availableParallelism } from 'node:os'

import { type Millicores, millicores } from '../../../src/core/units.ts'
import { sumOf } from '../statistics.ts'
import { burstStarts, type Shape } from './arrivals.ts'
import type { Batch } from './batch.ts'
import { reserve } from './host-config.ts'
import { nginx } from './nginx.ts'
import { postgres } from './postgres.ts'
import type { Program } from './program.ts'
import { redis } from './redis.ts'

export type Service = {
  readonly name: string
  readonly program: Program
  readonly request: Millicores
  readonly shape: Shape
}

/** In the middle of bursts, as a new pod, or as one that slept for seconds and so has saved up credits. */
export type BatchStart = 'before' | 'late, in a new group' | 'late, in a rested group'

export type Scene = {
  readonly name: string
  readonly services: readonly Service[]
  readonly batch: Batch
  readonly batchStarts: BatchStart
}

/** CPU time of a request: 200 a second are two thirds of a CPU. See calibrate.ts. */
export const requestMicros = 3300

const steady: Shape = { perSecond: 200 }
const bursts: Shape = {
  perSecond: 100,
  bursts: { perSecond: 400, count: 400, firstSecond: 4, everySeconds: 4 },
}

const one = (program: Program, shape: Shape): Service[] => [
  { name: program.name, program, request: millicores(1000), shape },
]
const usual = { batch: 'stress-ng', batchStarts: 'before' } as const

export const scenes: readonly Scene[] = [
  { ...usual, name: 'postgres-steady', services: one(postgres, steady) },
  { ...usual, name: 'postgres-bursts', services: one(postgres, bursts) },
  { ...usual, name: 'redis-steady', services: one(redis, steady) },
  { ...usual, name: 'nginx-steady', services: one(nginx, steady) },
  { ...usual, name: 'nginx-bursts', services: one(nginx, bursts) },
  { ...usual, name: 'compiler', batch: 'compiler', services: one(postgres, bursts) },
  {
    ...usual,
    name: 'late-hog',
    batchStarts: 'late, in a new group',
    services: one(postgres, bursts),
  },
  {
    ...usual,
    name: 'waking-hog',
    batchStarts: 'late, in a rested group',
    services: one(postgres, bursts),
  },
  {
    ...usual,
    name: 'two-services',
    services: [
      {
        name: 'a',
        program: postgres,
        request: millicores(700),
        shape: { ...steady, perSecond: 120 },
      },
      {
        name: 'b',
        program: postgres,
        request: millicores(700),
        shape: { ...bursts, perSecond: 60 },
      },
    ],
  },
]

/** The batch work requests what the services and the rest of the machine leave. */
export const batchRequest = ({ services }: Scene, cpus = availableParallelism()): Millicores =>
  millicores(cpus * 1000 - reserve - sumOf(services.map(({ request }) => request)))

export type Span = { readonly fromSecond: number; readonly toSecond: number }
export type Lengths = { readonly warmSeconds: number; readonly seconds: number }

const lateAfterSeconds = 0.5
/** Until before the next burst. */
const lateForSeconds = 3.4

/**
 * What is judged. Where the batch work comes late, the seconds from each time it begins: with every
 * second burst, so that the service has had its rest.
 *
 *   warm-up 3 s, then 16 s  ->  3-19, or late 4.5-7.9 12.5-15.9
 *   warm-up 1 s, then 4 s   ->  1-5,  or late 4.5-5
 */
export function judgedSpans(scene: Scene, { warmSeconds, seconds }: Lengths): Span[] {
  const toSecond = warmSeconds + seconds
  if (scene.batchStarts === 'before') return [{ fromSecond: warmSeconds, toSecond }]
  const starts = scene.services.flatMap(({ shape }) => burstStarts({ shape, seconds: toSecond }))
  const [first, ...rest] = starts
    .filter((start) => start >= warmSeconds)
    .filter((_, i) => i % 2 === 0)
    .map((start) => start + lateAfterSeconds)
    .map((fromSecond) => ({ fromSecond, toSecond: fromSecond + lateForSeconds }))
  if (first === undefined) {
    const least = `judging ${scene.name}: expected a burst after the warm-up, got none`
    throw new Error(`${least} within ${seconds} s; give it more --seconds`)
  }
  const whole = rest.filter((span) => span.toSecond <= toSecond)
  return [{ ...first, toSecond: Math.min(first.toSecond, toSecond) }, ...whole]
}

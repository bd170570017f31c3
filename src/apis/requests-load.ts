/** Requests that arrive, wait and are served: the loads with a latency. */
import type { Replay } from '../core/replay.ts'
import type { Fields } from './load-fields.ts'

/** How many requests arrive a second; `toPerSecond` is the end of a ramp or the top of a wave. */
export type RequestRate = {
  readonly shape: 'steady' | 'ramp' | 'wave'
  readonly perSecond: number
  readonly toPerSecond: number
  readonly overMillis: number
}

/** As many as were recorded. */
export type RecordedRate = { readonly shape: 'recorded'; readonly replay: Replay }

export const spreads = ['fixed', 'exponential', 'heavy', 'spikes'] as const
/**
 * How CPU time differs from request to request; heavy is lognormal with sigma 1, and of spikes one in
 * five needs three times as much as the others.
 */
type Spread = (typeof spreads)[number]

/** What a request takes, and how many at a time are served or wait. */
export type Service = {
  /** The mean of a request. */
  readonly cpuMicros: number
  readonly spread: Spread
  /** Requests in work at a time. */
  readonly threads: number
  /** Requests that may wait; those beyond are refused. */
  readonly queue: number
  readonly seed: number | null
}

export type RequestsLoad<Rate = RequestRate | RecordedRate> = Service & {
  readonly kind: 'requests'
  readonly rate: Rate
}

export const takeRequests = (fields: Fields): RequestsLoad<RequestRate> => ({
  kind: 'requests',
  rate: takeRate(fields),
  ...takeService(fields),
})

export const takeService = (fields: Fields): Service => ({
  cpuMicros: fields.micros('cpu'),
  spread: fields.word('spread', spreads),
  threads: fields.count('threads', 1),
  queue: fields.count('queue', 1000, { min: 0, max: 100_000 }),
  seed: fields.seed(),
})

function takeRate({ has, amount, duration, refuse }: Fields): RequestRate {
  const perSecond = amount('rate')
  if (has('to') && has('peak')) refuse('expected either to or peak')
  if (has('to')) {
    return { shape: 'ramp', perSecond, toPerSecond: amount('to'), overMillis: duration('over') }
  }
  if (has('peak')) {
    return { shape: 'wave', perSecond, toPerSecond: amount('peak'), overMillis: duration('every') }
  }
  return { shape: 'steady', perSecond, toPerSecond: perSecond, overMillis: 0 }
}

export const describeRequests = (load: RequestsLoad<RequestRate>): string =>
  `requests ${describeRate(load.rate)} ${describeService(load)}`

export const describeService = ({ cpuMicros, spread, threads, queue, seed }: Service): string =>
  `cpu=${cpuMicros}us spread=${spread} threads=${threads} queue=${queue}${describeSeed(seed)}`

function describeRate({ shape, perSecond, toPerSecond, overMillis }: RequestRate): string {
  if (shape === 'steady') return `rate=${perSecond}`
  if (shape === 'ramp') return `rate=${perSecond} to=${toPerSecond} over=${overMillis}ms`
  return `rate=${perSecond} peak=${toPerSecond} every=${overMillis}ms`
}

export const describeSeed = (seed: number | null): string => (seed === null ? '' : ` seed=${seed}`)

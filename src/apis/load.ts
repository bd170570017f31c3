/**
 * What a simulated container does with CPU, as data. People write it into a pod's annotation
 * `sim.mbcas.io/load`, or `sim.mbcas.io/load.<container>` for one container: a kind, then its
 * fields in any order.
 *
 *   idle                                               2m, the default of pods without annotation
 *   steady cpu=300m
 *   ramp from=100m to=900m over=10m                    and stays there
 *   bursty low=50m high=2 every=10s for=1s
 *   spiky low=50m high=2 every=30s for=2s              the same on average, at random moments
 *   batch work=30s threads=2 exit=0                    30 CPU-seconds, then the container ends
 *   requests rate=50 cpu=8ms threads=4                 open loop: latency follows from CPU
 *   requests rate=50 to=200 over=10m cpu=8ms           a rate that ramps
 *   requests rate=50 peak=200 every=24h cpu=8ms        a rate that swings between the two
 *
 * A running container follows a changed annotation: times begin anew with it, and requests that wait
 * go on waiting. What steady, ramp, bursty and spiky loads miss while they are throttled they do not make up for
 * later; batch and requests do.
 */
import { parseFields, type Fields } from './load-fields.ts'

type IdleLoad = { readonly kind: 'idle'; readonly milliCpu: number }

type SteadyLoad = {
  readonly kind: 'steady'
  readonly milliCpu: number
  readonly threads: number
}

export type RampLoad = {
  readonly kind: 'ramp'
  readonly fromMilliCpu: number
  readonly toMilliCpu: number
  readonly overMillis: number
  readonly threads: number
}

export type BurstyLoad = {
  readonly kind: 'bursty'
  readonly lowMilliCpu: number
  readonly highMilliCpu: number
  /** High for the first `forMillis` of every `everyMillis`. */
  readonly everyMillis: number
  readonly forMillis: number
  readonly threads: number
}

export type SpikyLoad = Omit<BurstyLoad, 'kind'> & {
  readonly kind: 'spiky'
  /** Null takes one from the cluster's seed. */
  readonly seed: number | null
}

export type BatchLoad = {
  readonly kind: 'batch'
  /** CPU time in all. */
  readonly workMillis: number
  readonly threads: number
  readonly exitCode: number
}

/** How many requests arrive a second; `toPerSecond` is the end of a ramp or the top of a wave. */
export type RequestRate = {
  readonly shape: 'steady' | 'ramp' | 'wave'
  readonly perSecond: number
  readonly toPerSecond: number
  readonly overMillis: number
}

export const spreads = ['fixed', 'exponential', 'heavy', 'spikes'] as const
/**
 * How CPU time differs from request to request; heavy is lognormal with sigma 1, and of spikes one in
 * five needs three times as much as the others.
 */
type Spread = (typeof spreads)[number]

export type RequestsLoad = {
  readonly kind: 'requests'
  readonly rate: RequestRate
  /** The mean of a request. */
  readonly cpuMicros: number
  readonly spread: Spread
  /** Requests in work at a time. */
  readonly threads: number
  /** Requests that may wait; those beyond are refused. */
  readonly queue: number
  readonly seed: number | null
}

export type Load =
  | IdleLoad
  | SteadyLoad
  | RampLoad
  | BurstyLoad
  | SpikyLoad
  | BatchLoad
  | RequestsLoad

export const loadAnnotation = 'sim.mbcas.io/load'
export const defaultLoad: Load = { kind: 'idle', milliCpu: 2 }

type Annotations = Readonly<Record<string, string>>

/** What is said of a container of a pod with these annotations; its own annotation wins. */
export const loadTextOf = (annotations: Annotations, container: string): string | undefined =>
  annotations[`${loadAnnotation}.${container}`] ?? annotations[loadAnnotation]

export function loadOf(annotations: Annotations, container: string): Load {
  const text = loadTextOf(annotations, container)
  return text === undefined ? defaultLoad : parseLoad(text)
}

export const parseLoad = (text: string): Load => parseFields(text, kinds)

/** As many as it needs to use that much, or more. */
function takeThreads({ count, refuse }: Fields, milliCpu: number): number {
  const threads = count('threads', Math.max(1, Math.ceil(milliCpu / 1000)))
  if (milliCpu <= threads * 1000) return threads
  return refuse(`expected at most 1 CPU for each of ${threads} threads, got ${milliCpu}m`)
}

const kinds: { readonly [Kind in Load['kind']]: (fields: Fields) => Load } = {
  idle: ({ cpu }) => ({ kind: 'idle', milliCpu: cpu('cpu', 2) }),
  steady(fields) {
    const milliCpu = fields.cpu('cpu')
    return { kind: 'steady', milliCpu, threads: takeThreads(fields, milliCpu) }
  },
  ramp(fields) {
    const [fromMilliCpu, toMilliCpu] = [fields.cpu('from'), fields.cpu('to')]
    const overMillis = fields.duration('over')
    const threads = takeThreads(fields, Math.max(fromMilliCpu, toMilliCpu))
    return { kind: 'ramp', fromMilliCpu, toMilliCpu, overMillis, threads }
  },
  bursty: (fields) => ({ kind: 'bursty', ...takeBursts(fields) }),
  spiky: (fields) => ({ kind: 'spiky', ...takeBursts(fields), seed: fields.seed() }),
  batch: ({ duration, count }) => ({
    kind: 'batch',
    workMillis: duration('work'),
    threads: count('threads', 1),
    exitCode: count('exit', 0, { min: 0, max: 255 }),
  }),
  requests: (fields) => ({
    kind: 'requests',
    rate: takeRate(fields),
    cpuMicros: fields.micros('cpu'),
    spread: fields.word('spread', spreads),
    threads: fields.count('threads', 1),
    queue: fields.count('queue', 1000, { min: 0, max: 100_000 }),
    seed: fields.seed(),
  }),
}

function takeBursts(fields: Fields) {
  const [lowMilliCpu, highMilliCpu] = [fields.cpu('low', 0), fields.cpu('high')]
  const [everyMillis, forMillis] = [fields.duration('every'), fields.duration('for')]
  if (forMillis >= everyMillis) fields.refuse('expected for to be shorter than every')
  const threads = takeThreads(fields, Math.max(lowMilliCpu, highMilliCpu))
  return { lowMilliCpu, highMilliCpu, everyMillis, forMillis, threads }
}

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

/** The text that parses to this load, every field told. */
export function describeLoad(load: Load): string {
  const { kind } = load
  if (kind === 'idle') return `idle cpu=${load.milliCpu}m`
  if (kind === 'steady') return `steady cpu=${load.milliCpu}m threads=${load.threads}`
  if (kind === 'ramp') {
    const { fromMilliCpu, toMilliCpu, overMillis, threads } = load
    return `ramp from=${fromMilliCpu}m to=${toMilliCpu}m over=${overMillis}ms threads=${threads}`
  }
  if (kind === 'bursty') return describeBursts(load)
  if (kind === 'spiky') return `${describeBursts(load)}${describeSeed(load.seed)}`
  if (kind === 'requests') return describeRequests(load)
  return `batch work=${load.workMillis}ms threads=${load.threads} exit=${load.exitCode}`
}

function describeRequests(load: RequestsLoad): string {
  const { rate, cpuMicros, spread, threads, queue, seed } = load
  const rest = `cpu=${cpuMicros}us spread=${spread} threads=${threads} queue=${queue}`
  return `requests ${describeRate(rate)} ${rest}${describeSeed(seed)}`
}

function describeBursts(load: BurstyLoad | SpikyLoad): string {
  const { kind, lowMilliCpu, highMilliCpu, everyMillis, forMillis, threads } = load
  const times = `every=${everyMillis}ms for=${forMillis}ms`
  return `${kind} low=${lowMilliCpu}m high=${highMilliCpu}m ${times} threads=${threads}`
}

function describeRate({ shape, perSecond, toPerSecond, overMillis }: RequestRate): string {
  if (shape === 'steady') return `rate=${perSecond}`
  if (shape === 'ramp') return `rate=${perSecond} to=${toPerSecond} over=${overMillis}ms`
  return `rate=${perSecond} peak=${toPerSecond} every=${overMillis}ms`
}

const describeSeed = (seed: number | null): string => (seed === null ? '' : ` seed=${seed}`)

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
 *   recorded file=day.csv cpu=8ms                      a rate that was recorded
 *   recorded file=day.csv                              CPU that was recorded
 *
 * A running container follows a changed annotation: times begin anew with it, and requests that wait
 * go on waiting. What was missed under a quota is made up for later where there is work to be done, by
 * batch and by requests, and by no other load.
 */
import { type Fields, parseFields, refusing } from './load-fields.ts'
import {
  describeRecorded,
  type RecordedLoad,
  type ReplayedLoad,
  replayOf,
  takeRecorded,
} from './recorded-load.ts'
import type { Recordings } from './recording.ts'
import {
  describeRequests,
  describeSeed,
  type RequestRate,
  type RequestsLoad,
  takeRequests,
} from './requests-load.ts'

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

type PlainLoad =
  | IdleLoad
  | SteadyLoad
  | RampLoad
  | BurstyLoad
  | SpikyLoad
  | BatchLoad
  | RequestsLoad<RequestRate>

/** As it is written: of a recording it says where it is. */
export type WrittenLoad = PlainLoad | RecordedLoad
/** As it is played: with what was recorded. */
export type Load = PlainLoad | ReplayedLoad | RequestsLoad

export const loadAnnotation = 'sim.mbcas.io/load'

type Annotations = Readonly<Record<string, string>>

/** What is said of a container of a pod with these annotations; its own annotation wins. */
export const loadTextOf = (annotations: Annotations, container: string): string =>
  annotations[`${loadAnnotation}.${container}`] ?? annotations[loadAnnotation] ?? 'idle'

export const parseWrittenLoad = (text: string): WrittenLoad => parseFields(text, kinds)

const nothingRecorded: Recordings = new Map()

export function parseLoad(text: string, recordings = nothingRecorded): Load {
  const load = parseWrittenLoad(text)
  return load.kind === 'recorded' ? replayOf(load, { recordings, refuse: refusing(text) }) : load
}

/** Whether requests come, and are answered sooner or later. */
export const hasLatency = (load: WrittenLoad): boolean =>
  load.kind === 'requests' || (load.kind === 'recorded' && load.unit === 'rate')

/** As many as it needs to use that much, or more. */
function takeThreads({ count, refuse }: Fields, milliCpu: number): number {
  const threads = count('threads', Math.max(1, Math.ceil(milliCpu / 1000)))
  if (milliCpu <= threads * 1000) return threads
  return refuse(`expected at most 1 CPU for each of ${threads} threads, got ${milliCpu}m`)
}

const kinds: { readonly [Kind in WrittenLoad['kind']]: (fields: Fields) => WrittenLoad } = {
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
  requests: takeRequests,
  recorded: takeRecorded,
}

function takeBursts(fields: Fields) {
  const [lowMilliCpu, highMilliCpu] = [fields.cpu('low', 0), fields.cpu('high')]
  const [everyMillis, forMillis] = [fields.duration('every'), fields.duration('for')]
  if (forMillis >= everyMillis) fields.refuse('expected for to be shorter than every')
  const threads = takeThreads(fields, Math.max(lowMilliCpu, highMilliCpu))
  return { lowMilliCpu, highMilliCpu, everyMillis, forMillis, threads }
}

/** The text that parses to this load, every field told. */
export function describeLoad(load: WrittenLoad): string {
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
  if (kind === 'recorded') return describeRecorded(load)
  return `batch work=${load.workMillis}ms threads=${load.threads} exit=${load.exitCode}`
}

function describeBursts(load: BurstyLoad | SpikyLoad): string {
  const { kind, lowMilliCpu, highMilliCpu, everyMillis, forMillis, threads } = load
  const times = `every=${everyMillis}ms for=${forMillis}ms`
  return `${kind} low=${lowMilliCpu}m high=${highMilliCpu}m ${times} threads=${threads}`
}

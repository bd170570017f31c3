/**
 * A load that plays a recorded series again. Its text only names the file: the rows are read by whoever
 * opens the scenario, so that a text on a pod never makes anybody read a file.
 */
import { peakOf, type Replay } from '../core/replay.ts'
import { type Fields, mostAmount, mostMilliCpu } from './load-fields.ts'
import type { Recordings } from './recording.ts'
import {
  describeService,
  type RecordedRate,
  type RequestsLoad,
  type Service,
  takeService,
} from './requests-load.ts'

/** With `cpu`, the CPU time of a request, the figures are requests per second; without it, cores. */
export type RecordedLoad = Omit<Replay, 'recording'> & {
  readonly kind: 'recorded'
  readonly file: string
} & (
    | ({ readonly unit: 'rate' } & Service)
    /** Null is as many as the peak needs. */
    | { readonly unit: 'cores'; readonly threads: number | null }
  )

/** CPU as it was recorded. */
export type ReplayedLoad = {
  readonly kind: 'replayed'
  readonly replay: Replay
  readonly threads: number
}

/** On a full node every row is a change for all its containers. */
const mostRowsPerSecond = 1000

export function takeRecorded(fields: Fields): RecordedLoad {
  const { has, factor, word, refuse } = fields
  const kind = 'recorded'
  const file = fields.text('file', 'day.csv')
  const series = { scale: factor('scale'), speed: factor('speed'), after: word('after', afters) }
  if (has('cpu')) return { kind, file, ...series, unit: 'rate', ...takeService(fields) }
  for (const name of ['spread', 'queue', 'seed']) {
    if (has(name)) refuse(`${name}: expected with it cpu, the CPU time of a request, got none`)
  }
  const threads = has('threads') ? fields.count('threads', 1) : null
  return { kind, file, ...series, unit: 'cores', threads }
}

const afters = ['hold', 'loop'] as const

export function describeRecorded(load: RecordedLoad): string {
  const { file, scale, speed, after } = load
  const replay = `recorded file=${file} scale=${scale} speed=${speed} after=${after}`
  if (load.unit === 'rate') return `${replay} ${describeService(load)}`
  return load.threads === null ? replay : `${replay} threads=${load.threads}`
}

type Sources = Pick<Fields, 'refuse'> & { readonly recordings: Recordings }

/** The load with its rows, or why it cannot be. */
export function replayOf(
  load: RecordedLoad,
  { recordings, refuse }: Sources,
): ReplayedLoad | RequestsLoad<RecordedRate> {
  const { file, scale, speed, after } = load
  const recording = recordings.get(file)
  if (recording === undefined) {
    return refuse(`there is no recording ${JSON.stringify(file)} in this cluster's scenario`)
  }
  const { unit = load.unit, figures, lasts } = recording
  if (unit !== load.unit) refuse(contradictions[load.unit])
  const replay = { recording, scale, speed, after }
  const peak = peakOf(replay)
  if (load.unit === 'rate') {
    if (peak > mostAmount) refuse(`expected at most ${mostAmount} requests per second, got ${peak}`)
    const { cpuMicros, spread, threads, queue, seed } = load
    const rate = { shape: 'recorded', replay } as const
    return { kind: 'requests', rate, cpuMicros, spread, threads, queue, seed }
  }
  if (peak > mostMilliCpu / 1000)
    refuse(`expected at most ${mostMilliCpu / 1000} CPUs, got ${peak}`)
  const { threads } = load
  if (threads !== null && peak > threads) {
    refuse(`expected at most 1 CPU for each of ${threads} threads, got ${peak}`)
  }
  const rowsPerSecond = (figures.length * speed) / lasts
  if (rowsPerSecond > mostRowsPerSecond) {
    refuse(
      `expected at most ${mostRowsPerSecond} rows per second, got ${Math.ceil(rowsPerSecond)} at speed=${speed}`,
    )
  }
  return { kind: 'replayed', replay, threads: threads ?? Math.max(1, Math.ceil(peak)) }
}

const contradictions = {
  rate: 'expected no cpu, as the header of the file says cores, got the CPU time of a request',
  cores: 'expected cpu, the CPU time of a request, as the header of the file says rate, got none',
} as const

/** From a load to its demand: stretches of constant speed, one after the other from its start. */
import type { BurstyLoad, Load, RampLoad, SpikyLoad } from '../../apis/load.ts'
import type { ReplayedLoad } from '../../apis/recorded-load.ts'
import type { RequestsLoad } from '../../apis/requests-load.ts'
import { seededRandom } from '../../core/random.ts'
import { isLooped, peakOf } from '../../core/replay.ts'

/** Until a moment since the container started, possibly Infinity. */
export type Segment = { readonly untilMicros: number; readonly milliCpu: number }

/** Batch and requests loads end stretches by what they have done, so they are not among these. */
export type ProfiledLoad = Exclude<Load, { kind: 'batch' } | RequestsLoad>

/** A ramp climbs in steps: 1/200 of its height, but no more often than this. */
const rampSteps = 200
const shortestStepMicros = 100_000

/** The next stretch at each call. */
export function createSegments(load: ProfiledLoad, seed: number): () => Segment {
  if (load.kind === 'ramp') return climb(load)
  if (load.kind === 'bursty') return alternate(load)
  if (load.kind === 'spiky') return spike(load, load.seed ?? seed)
  if (load.kind === 'replayed') return replay(load)
  return () => ({ untilMicros: Infinity, milliCpu: load.milliCpu })
}

/** The most a load ever asks for. */
export function highestMilli(load: ProfiledLoad): number {
  if (load.kind === 'ramp') return Math.max(load.fromMilliCpu, load.toMilliCpu)
  if (load.kind === 'replayed') return milliOf(peakOf(load.replay))
  return 'highMilliCpu' in load ? Math.max(load.lowMilliCpu, load.highMilliCpu) : load.milliCpu
}

function climb({ fromMilliCpu, toMilliCpu, overMillis }: RampLoad): () => Segment {
  const overMicros = overMillis * 1000
  const stepMicros = Math.max(shortestStepMicros, Math.ceil(overMicros / rampSteps))
  let start = 0
  return () => {
    if (start >= overMicros) return { untilMicros: Infinity, milliCpu: toMilliCpu }
    const untilMicros = Math.min(start + stepMicros, overMicros)
    const ratio = (start + untilMicros) / 2 / overMicros
    start = untilMicros
    return { untilMicros, milliCpu: Math.round(fromMilliCpu + (toMilliCpu - fromMilliCpu) * ratio) }
  }
}

function alternate(load: BurstyLoad): () => Segment {
  const { lowMilliCpu, highMilliCpu, everyMillis, forMillis } = load
  let start = 0
  let isHigh = false
  return () => {
    isHigh = !isHigh
    if (isHigh) return { untilMicros: start + forMillis * 1000, milliCpu: highMilliCpu }
    start += everyMillis * 1000
    return { untilMicros: start, milliCpu: lowMilliCpu }
  }
}

/** Spikes of one length, after gaps that are exponential: no spike tells when the next will be. */
function spike(load: SpikyLoad, seed: number): () => Segment {
  const { lowMilliCpu, highMilliCpu, everyMillis, forMillis } = load
  const random = seededRandom(seed)
  const gapMicros = (everyMillis - forMillis) * 1000
  let untilMicros = 0
  let isHigh = true
  return () => {
    isHigh = !isHigh
    untilMicros += isHigh ? forMillis * 1000 : Math.ceil(-Math.log(1 - random()) * gapMicros)
    return { untilMicros, milliCpu: isHigh ? highMilliCpu : lowMilliCpu }
  }
}

/** Row by row. */
function replay({ replay }: ReplayedLoad): () => Segment {
  const { recording, scale, speed } = replay
  const { seconds, figures, lasts } = recording
  let [row, round] = [0, 0]
  return () => {
    const milliCpu = milliOf((figures[row] ?? 0) * scale)
    const isLast = row === figures.length - 1
    if (isLast && !isLooped(replay)) return { untilMicros: Infinity, milliCpu }
    const until = round * lasts + (isLast ? lasts : (seconds[row + 1] ?? 0))
    row = isLast ? 0 : row + 1
    if (isLast) round += 1
    return { untilMicros: Math.round((until * 1e6) / speed), milliCpu }
  }
}

const milliOf = (cores: number): number => Math.round(cores * 1000)

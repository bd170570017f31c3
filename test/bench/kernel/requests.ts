/** The requests of a service over a pass: open loop, Poisson, the same for every arm with the same seed. */
import { type Random, seededRandom } from '../../../src/core/random.ts'
import { besideHog, eachOther } from './frozen.ts'
import { type Phase, phasesOf } from './phases.ts'
import { copiesFor, exponential, type SeedService } from './services.ts'

/** Moments are since the start. */
export type Request = {
  readonly atMicros: number
  readonly cpuMicros: number
  /** Who asked gives up if it has not begun by then. */
  readonly untilMicros: number
}

export type Drawn = { readonly cpus: number; readonly passSeconds: number; readonly seed: number }

/** Thinning, as in src/sim/kernel/arrivals.ts. */
export function requestsOf(service: SeedService, { cpus, passSeconds, seed }: Drawn): Request[] {
  const random = seededRandom(seed)
  const peakCores = (eachOther.peakRatio * cpus * service.demandRatio) / copiesFor(cpus)
  const highest = peakCores / (service.meanMicros / 1e6)
  const phases = phasesOf(passSeconds).map((phase) => ({ phase, level: levelIn(phase, random) }))
  const found: Request[] = []
  for (let seconds = 0; ;) {
    seconds += exponential(random) / highest
    const atMicros = Math.ceil(seconds * 1e6)
    const now = phases.find(({ phase }) => atMicros < phase.toMicros)
    if (now === undefined) return found
    if (random() >= now.level(seconds)) continue
    const cpuMicros = Math.max(1, Math.round(service.drawMicros(random)))
    found.push({ atMicros, cpuMicros, untilMicros: patienceIn(now.phase) })
  }
}

/** What contention leaves behind would else be waited for in the phase after it. */
const patienceIn = ({ name, toMicros }: Phase): number =>
  name === 'contention' ? toMicros : Infinity

/** Of the peak; bursts of about half a second, every two or three. */
function levelIn({ level, high }: Phase, random: Random): (seconds: number) => number {
  if (high === undefined) return () => level
  const gap = () => 1.2 + 1.6 * random()
  return inTurns({ random, low: level, high, gap, length: () => 0.3 + 0.5 * random() })
}

type Turns = {
  readonly random: Random
  readonly low: number
  readonly high: number
  readonly gap: () => number
  readonly length: () => number
}

/** High for a while after every gap; asked for ascending moments only. */
function inTurns({ random, low, high, gap, length }: Turns): (seconds: number) => number {
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

type Steady = { readonly seconds: number; readonly perSecond: number; readonly seed: number }

/** Of the service beside a hog: at one rate throughout. */
export function hogServiceRequests({ seconds, perSecond, seed }: Steady): Request[] {
  const random = seededRandom(seed)
  const found: Request[] = []
  for (let at = exponential(random) / perSecond; at < seconds;) {
    const cpuMicros = Math.max(1, Math.round(besideHog.service.meanMicros * exponential(random)))
    found.push({ atMicros: Math.ceil(at * 1e6), cpuMicros, untilMicros: Infinity })
    at += exponential(random) / perSecond
  }
  return found
}

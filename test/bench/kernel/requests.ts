/** The requests of a service over a pass: open loop, Poisson, the same for every arm with the same seed. */
import { type Random, seededRandom } from '../../../src/core/random.ts'
import { inTurns } from '../control/profile.ts'
import { type Phase, peakRatio, phasesOf, type Service, services } from './scene.ts'

/** Moments are since the start. */
export type Request = {
  readonly atMicros: number
  readonly cpuMicros: number
  /** Who asked gives up if it has not begun by then. */
  readonly untilMicros: number
}

/** What runs in one group: a process that serves its requests one after the other. */
export type GroupLoad = { readonly name: string; readonly requests: readonly Request[] }

export type Scene = { readonly cpus: number; readonly passSeconds: number; readonly seed: number }

/** The services once for every two CPUs, so that one thread each suffices. */
export const membersOf = ({ cpus }: Pick<Scene, 'cpus'>): Service[] =>
  Array.from({ length: copiesFor(cpus) }, () => services).flat()

const copiesFor = (cpus: number): number => Math.max(1, Math.round(cpus / 2))

export function loadsOf(scene: Scene): GroupLoad[] {
  return membersOf(scene).map((service, i) => ({
    name: `${service.name}-${Math.floor(i / services.length)}`,
    requests: requestsOf(service, { ...scene, seed: scene.seed * 1000 + i }),
  }))
}

/** Thinning, as in src/sim/kernel/arrivals.ts. */
export function requestsOf(service: Service, { cpus, passSeconds, seed }: Scene): Request[] {
  const random = seededRandom(seed)
  const peakCores = (peakRatio * cpus * service.demandRatio) / copiesFor(cpus)
  const highest = peakCores / (service.meanMicros / 1e6)
  const phases = phasesOf(passSeconds).map((phase) => ({ phase, level: levelIn(phase, random) }))
  const found: Request[] = []
  for (let seconds = 0; ;) {
    seconds += -Math.log(1 - random()) / highest
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

/** One group whose load is multiplied by three for good; requests of 1 ms on average. */
export type StepScene = {
  readonly settleSeconds: number
  readonly afterSeconds: number
  readonly seed: number
}

const stepMicros = 1000
/** A second, before and after: in cores 0.045 and 0.135. */
const stepRates = { low: 45, high: 135 }
export const stepCores = {
  low: (stepRates.low * stepMicros) / 1e6,
  high: (stepRates.high * stepMicros) / 1e6,
}

export function stepRequests({ settleSeconds, afterSeconds, seed }: StepScene): Request[] {
  const random = seededRandom(seed)
  const exponential = () => -Math.log(1 - random())
  const found: Request[] = []
  for (let seconds = 0; ;) {
    const isAfter = seconds >= settleSeconds
    seconds += exponential() / (isAfter ? stepRates.high : stepRates.low)
    // The exponential forgets: what would come after the step is drawn anew from there.
    if (!isAfter) seconds = Math.min(seconds, settleSeconds)
    if (seconds >= settleSeconds + afterSeconds) return found
    if (!isAfter && seconds === settleSeconds) continue
    const cpuMicros = Math.max(1, Math.round(stepMicros * exponential()))
    found.push({ atMicros: Math.ceil(seconds * 1e6), cpuMicros, untilMicros: Infinity })
  }
}

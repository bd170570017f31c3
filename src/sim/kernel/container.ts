/** One container on a node: its load, its limit and its counters, taken from moment to moment. */
import type { BatchLoad, Load } from '../../apis/load.ts'
import type { RequestsLoad } from '../../apis/requests-load.ts'
import { seededRandom } from '../../core/random.ts'
import type { Answers } from './answers.ts'
import { highestRate } from './arrivals.ts'
import {
  type Bandwidth,
  changeLimit,
  type Demand,
  type MovingBandwidth,
  moveOn,
  startBandwidth,
} from './bandwidth.ts'
import { findFinish } from './find-finish.ts'
import type { CpuSettings, LatencyCounters, NewContainer } from './kernel.ts'
import { createServing, type Serving } from './requests.ts'
import { createSegments, highestMilli, type ProfiledLoad, type Segment } from './segments.ts'
import type { Claim } from './share.ts'
import { waitedNanos } from './waiting.ts'

export type Container = {
  readonly cpu: () => CpuSettings
  /** The most it will ever run at. */
  readonly highestMilli: number
  /** What it asks for from the moment until `changesAt`. */
  readonly claim: (atMicros: number) => Claim
  readonly changesAt: () => number
  /** Goes on by itself, at its peak wherever it changes; never back. */
  readonly advanceTo: (micros: number) => void
  readonly setSpeed: (milliCpu: number, atMicros: number) => void
  readonly setCpu: (cpu: CpuSettings, atMicros: number) => void
  readonly counters: (atMicros: number) => Bandwidth
  /** What its load has asked for. */
  readonly demandedNanos: (atMicros: number) => number
  /** For how long it could have run but had no CPU. */
  readonly waitedNanos: (atMicros: number) => number
  /** The container that goes on from the moment with another load; this one is done for. */
  readonly follow: (load: Load, atMicros: number) => Container
  /** Whether it has an end that it has not reached. */
  readonly willEnd: () => boolean
  readonly latency?: () => LatencyCounters
}

type Surroundings = {
  readonly cpus: number
  readonly atMicros: number
  readonly phaseMicros: number
  /** Of loads that have none of their own. */
  readonly seed: number
  readonly answers: Answers
  /** What was counted before this load; nothing if not told. */
  readonly past?: Past
}

type Past = {
  readonly bandwidth: Bandwidth
  readonly demandedNanos: number
  readonly waitedNanos: number
}

/** How often what requests need of a full node is looked at again. */
const reviewMicros = 1_000_000

export function createContainer(
  { cpu, load }: Pick<NewContainer, 'cpu' | 'load'>,
  around: Surroundings,
): Container {
  if (load.kind === 'requests') return createServer({ cpu, load }, around)
  if (load.kind === 'batch')
    return createRunner({ cpu, load, segments: work(load, around) }, around)
  const next = createSegments(load, around.seed)
  const segments = () => {
    const { untilMicros, milliCpu } = next()
    return { untilMicros: untilMicros + around.atMicros, milliCpu: limitTo(milliCpu, load, around) }
  }
  return createRunner({ cpu, load, segments }, around)
}

/** The next of a chain, so that a container's loads do not depend on what others of its node do. */
const nextSeed = (seed: number): number => Math.floor(seededRandom(seed)() * 2 ** 32)

const threadsOf = (load: Load): number => (load.kind === 'idle' ? 1 : load.threads)

const limitTo = (milliCpu: number, load: Load, { cpus }: Surroundings): number =>
  Math.min(milliCpu, threadsOf(load) * 1000, cpus * 1000)

/** All its threads until it is done, then nothing; when that is, its runner finds out. */
function work(load: BatchLoad, around: Surroundings): () => Segment {
  let isDone = false
  return () => {
    const milliCpu = isDone ? 0 : limitTo(Infinity, load, around)
    isDone = true
    return { untilMicros: Infinity, milliCpu }
  }
}

type Runner = {
  readonly cpu: CpuSettings
  readonly load: ProfiledLoad | BatchLoad
  readonly segments: () => Segment
}

/** One whose demand goes from stretch to stretch. */
function createRunner({ cpu, load, segments }: Runner, around: Surroundings): Container {
  const bandwidth: MovingBandwidth = { ...(around.past?.bandwidth ?? startBandwidth(cpu, around)) }
  let demandedNanos = around.past?.demandedNanos ?? 0
  let waited = around.past?.waitedNanos ?? 0
  const startedNanos = bandwidth.usageNanos
  let segment = segments()
  let speedMilli = segment.milliCpu
  let changesAt = Infinity
  let willEnd = load.kind === 'batch'
  const waiters = Math.min(threadsOf(load), around.cpus)
  const demand = (): Demand => ({ milliCpu: speedMilli, waiters: speedMilli > 0 ? waiters : 0 })

  const run = (toMicros: number): void => {
    if (toMicros <= bandwidth.atMicros) return
    const micros = toMicros - bandwidth.atMicros
    const usedBefore = bandwidth.usageNanos
    demandedNanos += segment.milliCpu * micros
    moveOn(bandwidth, { demand: demand(), limit: cpu, toMicros })
    const usedNanos = bandwidth.usageNanos - usedBefore
    const turn = { wantedMilli: segment.milliCpu, givenMilli: speedMilli, usedNanos, micros }
    waited += waitedNanos(turn)
  }
  const plan = (): void => {
    if (load.kind === 'batch' && willEnd) {
      const workNanos = startedNanos + load.workMillis * 1e6
      changesAt = findFinish(bandwidth, { demand: demand(), limit: cpu, workNanos })
    } else changesAt = segment.untilMicros
  }
  const advanceTo = (micros: number): void => {
    for (let moment = changesAt; moment <= micros; moment = changesAt) {
      run(moment)
      willEnd = false
      segment = segments()
      speedMilli = segment.milliCpu
      plan()
    }
    run(micros)
  }
  plan()
  return {
    cpu: () => cpu,
    highestMilli:
      load.kind === 'batch' ? segment.milliCpu : limitTo(highestMilli(load), load, around),
    claim: () => claimOf({ peakMilli: segment.milliCpu, meanMilli: segment.milliCpu, cpu }),
    changesAt: () => changesAt,
    advanceTo,
    setSpeed(milliCpu, atMicros) {
      if (milliCpu === speedMilli) return
      advanceTo(atMicros)
      speedMilli = milliCpu
      plan()
    },
    setCpu(next, atMicros) {
      advanceTo(atMicros)
      Object.assign(bandwidth, changeLimit(bandwidth, { from: cpu, to: next }))
      cpu = next
      plan()
    },
    counters(atMicros) {
      advanceTo(atMicros)
      return bandwidth
    },
    demandedNanos(atMicros) {
      advanceTo(atMicros)
      return demandedNanos
    },
    waitedNanos(atMicros) {
      advanceTo(atMicros)
      return waited
    },
    follow(load, atMicros) {
      advanceTo(atMicros)
      const past = { bandwidth, demandedNanos, waitedNanos: waited }
      return createContainer(
        { cpu, load },
        { ...around, atMicros, seed: nextSeed(around.seed), past },
      )
    },
    willEnd: () => willEnd,
  }
}

type Server = {
  readonly cpu: CpuSettings
  readonly load: RequestsLoad
  /** One that goes on under another load; a new one if not told. */
  readonly serving?: Serving
}

/** One that serves requests. */
function createServer({ cpu, load, serving: given }: Server, around: Surroundings): Container {
  const { atMicros, past, answers } = around
  const peakMilli = limitTo(Infinity, load, around)
  let speedMilli = peakMilli
  let changesAt = atMicros + reviewMicros
  const serving =
    given ?? createServing({ ...around, ...past, load, limit: cpu, speedMilli, answers })
  const advanceTo = (micros: number): void => {
    serving.settle(micros)
    if (changesAt <= micros) {
      changesAt += (Math.floor((micros - changesAt) / reviewMicros) + 1) * reviewMicros
    }
  }
  return {
    cpu: () => cpu,
    highestMilli: Math.min(peakMilli, offeredMilli(load)),
    claim(atMicros) {
      serving.settle(atMicros)
      return claimOf({ peakMilli, meanMilli: serving.wantedMilli(atMicros), cpu })
    },
    changesAt: () => changesAt,
    advanceTo,
    setSpeed(milliCpu, atMicros) {
      if (milliCpu === speedMilli) return
      speedMilli = milliCpu
      serving.change(atMicros, { speedMilli })
    },
    setCpu(next, atMicros) {
      cpu = next
      serving.change(atMicros, { limit: cpu })
    },
    counters(atMicros) {
      advanceTo(atMicros)
      return serving.peek(atMicros)
    },
    demandedNanos(atMicros) {
      advanceTo(atMicros)
      return serving.demandedNanos()
    },
    waitedNanos(atMicros) {
      advanceTo(atMicros)
      return serving.waitedNanos(atMicros)
    },
    follow(next, atMicros) {
      const then = { ...around, atMicros, seed: nextSeed(around.seed) }
      if (next.kind === 'requests') {
        serving.follow(atMicros, { load: next, seed: then.seed })
        serving.change(atMicros, { speedMilli: limitTo(Infinity, next, around) })
        return createServer({ cpu, load: next, serving }, then)
      }
      const past = {
        bandwidth: serving.peek(atMicros),
        demandedNanos: serving.demandedNanos(),
        waitedNanos: serving.waitedNanos(atMicros),
      }
      return createContainer({ cpu, load: next }, { ...then, past })
    },
    willEnd: () => false,
    latency: answers.counters,
  }
}

const offeredMilli = ({ rate, cpuMicros }: RequestsLoad): number =>
  Math.ceil((highestRate(rate) * cpuMicros) / 1000)

type Wish = {
  readonly peakMilli: number
  readonly meanMilli: number
  readonly cpu: CpuSettings
}

function claimOf({ peakMilli, meanMilli, cpu }: Wish): Claim {
  const { shares, quotaMicros, periodMicros } = cpu
  const most = quotaMicros === null ? Infinity : (quotaMicros * 1000) / periodMicros
  return { weight: shares, peakMilli, meanMilli: Math.min(meanMilli, most) }
}

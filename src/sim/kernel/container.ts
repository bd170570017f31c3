/** One container on a node: its load, its limit and its counters, taken from moment to moment. */
import {
  advance,
  type Bandwidth,
  changeLimit,
  type Demand,
  type MovingBandwidth,
  moveOn,
  startBandwidth,
} from './bandwidth.ts'
import type { CpuSettings, LatencyCounters, NewContainer } from './kernel.ts'
import type { BatchLoad, Load, RequestsLoad } from './load.ts'
import { createServing } from './requests.ts'
import { createSegments, highestMilli, type ProfiledLoad, type Segment } from './segments.ts'
import type { Claim } from './share.ts'

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
}

/** How often what requests need of a full node is looked at again. */
const reviewMicros = 1_000_000

export function createContainer({ cpu, load }: NewContainer, around: Surroundings): Container {
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
  const bandwidth: MovingBandwidth = startBandwidth(cpu, around)
  let segment = segments()
  let speedMilli = segment.milliCpu
  let changesAt = Infinity
  let willEnd = load.kind === 'batch'
  const waiters = Math.min(threadsOf(load), around.cpus)
  const demand = (): Demand => ({ milliCpu: speedMilli, waiters: speedMilli > 0 ? waiters : 0 })

  const run = (toMicros: number): void => {
    if (toMicros > bandwidth.atMicros) {
      moveOn(bandwidth, { demand: demand(), limit: cpu, toMicros })
    }
  }
  const plan = (): void => {
    if (load.kind === 'batch' && willEnd) {
      const workNanos = load.workMillis * 1e6
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
    willEnd: () => willEnd,
  }
}

/** One that serves requests. */
function createServer(
  { cpu, load }: { cpu: CpuSettings; load: RequestsLoad },
  around: Surroundings,
): Container {
  const peakMilli = limitTo(Infinity, load, around)
  let speedMilli = peakMilli
  let changesAt = around.atMicros + reviewMicros
  const serving = createServing({ ...around, load, limit: cpu, speedMilli })
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
    willEnd: () => false,
    latency: serving.latency,
  }
}

const offeredMilli = ({ rate, cpuMicros }: RequestsLoad): number =>
  Math.ceil((Math.max(rate.perSecond, rate.toPerSecond) * cpuMicros) / 1000)

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

type Finish = {
  readonly demand: Demand
  readonly limit: CpuSettings
  readonly workNanos: number
}

/** The first moment at which the work is done, if nothing changes: usage only grows, so by halving. */
function findFinish(bandwidth: Bandwidth, { demand, limit, workNanos }: Finish): number {
  const isDoneBy = (toMicros: number): boolean =>
    advance(bandwidth, { demand, limit, toMicros }).usageNanos >= workNanos
  const { atMicros, usageNanos } = bandwidth
  if (demand.milliCpu === 0) return Infinity
  let span = Math.max(1, Math.ceil((workNanos - usageNanos) / demand.milliCpu))
  let late = atMicros + span
  while (!isDoneBy(late)) {
    span *= 2
    late += span
  }
  let early = late - span
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (isDoneBy(middle)) late = middle
    else early = middle
  }
  return late
}

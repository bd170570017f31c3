/**
 * A service in a CPU group, to try the estimator on: requests wait for one of its threads and get the CPU that
 * the simulated kernel's bandwidth control leaves them.
 *
 * Beside the loads of `sim/kernel` it has what those lack: any rate over time (open loop), and a
 * fixed number of clients that think between requests (closed loop).
 */
import type { CpuReading } from '../../src/core/demand/reading.ts'
import type { Random } from '../../src/core/random.ts'
import {
  changeLimit,
  type Limit,
  moveOn,
  type MovingBandwidth,
  nextRefill,
  startBandwidth,
} from '../../src/sim/kernel/bandwidth.ts'

export type QueueLoad = {
  readonly threads: number
  /** The mean CPU time of a request; exponential. */
  readonly cpuMicros: number
  readonly arrivals:
    | { readonly ratePerSecond: (atSeconds: number) => number; readonly highestRate: number }
    | { readonly clients: number; readonly thinkMicros: number }
}

export type Plant = {
  /** Goes on to the moment and reads the counters there. */
  readonly read: (atMicros: number) => CpuReading
  /** As the kernel, it refuses a burst above the quota; equal values are not written. */
  readonly set: (quotaMicros: number, burstMicros: number) => void
}

const PERIOD_MICROS = 100_000
const DONE_NANOS = 0.5

export function createQueuePlant(
  load: QueueLoad,
  { cpus, random, limit: first }: { cpus: number; random: Random; limit?: Partial<Limit> },
): Plant {
  let limit: Limit = { quotaMicros: null, periodMicros: PERIOD_MICROS, burstMicros: 0, ...first }
  const phaseMicros = Math.floor(random() * PERIOD_MICROS)
  const bandwidth: MovingBandwidth = { ...startBandwidth(limit, { atMicros: 0, phaseMicros }) }
  const { arrivals, threads } = load
  const exponential = (mean: number): number => Math.max(1, -Math.log(1 - random()) * mean)
  /** Moments at which requests will come, ascending. */
  const coming: number[] = []
  const working: { leftNanos: number }[] = []
  let waiting = 0

  const planOpen = (after: number): void => {
    if (!('highestRate' in arrivals)) return
    let at = after
    do at += exponential(1e6 / arrivals.highestRate)
    while (random() * arrivals.highestRate >= arrivals.ratePerSecond(at / 1e6))
    coming.push(Math.ceil(at))
  }
  const think = (from: number): void => {
    if (!('clients' in arrivals)) return
    coming.push(Math.ceil(from + exponential(arrivals.thinkMicros)))
    coming.sort((a, b) => a - b)
  }
  planOpen(0)
  if ('clients' in arrivals) for (let i = 0; i < arrivals.clients; i += 1) think(0)

  const demand = () => {
    const running = Math.min(working.length, cpus)
    return { milliCpu: running * 1000, waiters: running }
  }
  const nextEvent = (): number => {
    const arrival = coming[0] ?? Infinity
    if (working.length === 0) return arrival
    if (bandwidth.isThrottled) return Math.min(arrival, nextRefill(bandwidth, limit))
    const least = working.reduce((min, { leftNanos }) => Math.min(min, leftNanos), Infinity)
    const speed = Math.min(1000, (cpus * 1000) / working.length)
    return Math.min(arrival, bandwidth.atMicros + Math.max(1, Math.ceil(least / speed)))
  }
  const run = (toMicros: number): void => {
    const before = bandwidth.usageNanos
    moveOn(bandwidth, { demand: demand(), limit, toMicros })
    const done = (bandwidth.usageNanos - before) / Math.max(1, working.length)
    for (const task of working) task.leftNanos -= done
    for (let i = working.length - 1; i >= 0; i -= 1) {
      if ((working[i]?.leftNanos ?? 0) > DONE_NANOS) continue
      working.splice(i, 1)
      think(toMicros)
    }
    while ((coming[0] ?? Infinity) <= toMicros) {
      const at = coming.shift() ?? toMicros
      planOpen(at)
      waiting += 1
    }
    for (; waiting > 0 && working.length < threads; waiting -= 1) {
      working.push({ leftNanos: exponential(load.cpuMicros) * 1000 })
    }
  }
  return {
    read(atMicros) {
      for (let event = nextEvent(); event < atMicros; event = nextEvent()) run(event)
      run(atMicros)
      const { usageNanos, periods, throttledPeriods, throttledMicros } = bandwidth
      const { quotaMicros, periodMicros } = limit
      const usageMicros = Math.floor(usageNanos / 1000)
      const counters = { usageMicros, periods, throttledPeriods, throttledMicros }
      return { atMicros, ...counters, quotaMicros, periodMicros, weight: 1024 }
    },
    set(quotaMicros, burstMicros) {
      if (burstMicros > quotaMicros) throw new RangeError('expected a burst of at most the quota')
      const to = { quotaMicros, periodMicros: PERIOD_MICROS, burstMicros }
      Object.assign(bandwidth, changeLimit(bandwidth, { from: limit, to }))
      limit = to
    },
  }
}

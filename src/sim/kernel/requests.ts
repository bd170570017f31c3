/**
 * Request/response: requests arrive whether or not earlier ones are done, wait for a thread, and get
 * the CPU that bandwidth control and the node leave them; how long each took is the outcome.
 *
 * Every arrival and every end of a request is an event; between two, all requests in work advance at
 * the same speed. State moves only from event to event, or to where the speed or the limit changes,
 * never to where somebody reads: so reading changes nothing. A request costs 2 to 4 events of 0.2 us,
 * more only while it is throttled (one a period); the queue is bounded.
 *
 *   one thread, exponential need of 10 ms    answered within 25 ms (M/M/1: 1 - e^(-(1 - rho) 25 / 10))
 *   50 a second, rho 0.5                     0.71
 *   80 a second, rho 0.8                     0.39
 */
import { type Arrival, createArrivals, rateAt } from './arrivals.ts'
import {
  advance,
  type Bandwidth,
  changeLimit,
  type Limit,
  type MovingBandwidth,
  moveOn,
  nextRefill,
  startBandwidth,
  type Stretch,
} from './bandwidth.ts'
import type { LatencyCounters } from './kernel.ts'
import type { RequestsLoad } from './load.ts'

/** Prometheus' default buckets, in milliseconds. */
export const latencyBuckets = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, Infinity]

/** Below this a request is done: what rounding may leave of it. */
const doneNanos = 0.5

type Task = { readonly arrivedMicros: number; leftNanos: number }

type Serving = {
  /** Goes to the last event up to the moment. */
  readonly settle: (toMicros: number) => void
  /** The counters at the moment. */
  readonly peek: (toMicros: number) => Bandwidth
  /** Goes to the moment itself, and on from there under other conditions. */
  readonly change: (toMicros: number, next: Partial<Conditions>) => void
  readonly latency: () => LatencyCounters
  /** Millicores that would serve within a second what waits and what arrives meanwhile. */
  readonly wantedMilli: (atMicros: number) => number
}

type Conditions = {
  readonly limit: Limit
  /** The most it may run at. */
  readonly speedMilli: number
}

type NewServing = Conditions & {
  readonly load: RequestsLoad
  readonly seed: number
  readonly cpus: number
  readonly atMicros: number
  readonly phaseMicros: number
  /** Instead of those that the load tells: one call, one arrival. */
  readonly arrivals?: () => Arrival
  /** Told of every answer, in the order of the ends. */
  readonly onAnswer?: (arrivedMicros: number, tookMicros: number) => void
}

export function createServing(options: NewServing): Serving {
  const { load, cpus, atMicros: startMicros, onAnswer } = options
  let { limit, speedMilli } = options
  const nextArrival = options.arrivals ?? createArrivals(load, load.seed ?? options.seed)
  const queue: Arrival[] = []
  let head = 0 // of the queue; what is before it is cut off from time to time
  let tasks: Task[] = []
  const counts = latencyBuckets.map(() => 0)
  let answered = 0
  let refused = 0
  let arrival = nextArrival()
  let arrivalMicros = startMicros + arrival.atMicros
  const bandwidth: MovingBandwidth = startBandwidth(limit, options)

  const stretchTo = (toMicros: number): Stretch => {
    const milliCpu = Math.min(tasks.length * 1000, speedMilli)
    return { demand: { milliCpu, waiters: Math.min(tasks.length, cpus) }, limit, toMicros }
  }

  /** When something happens next if it does not run out of quota before. */
  function nextEvent(): number {
    if (tasks.length === 0) return arrivalMicros
    if (bandwidth.isThrottled) return Math.min(arrivalMicros, nextRefill(bandwidth, limit))
    let least = Infinity
    for (const { leftNanos } of tasks) least = Math.min(least, leftNanos)
    const speed = Math.min(1000, speedMilli / tasks.length)
    return Math.min(arrivalMicros, bandwidth.atMicros + Math.max(1, Math.ceil(least / speed)))
  }

  function run(toMicros: number): void {
    const before = bandwidth.usageNanos
    moveOn(bandwidth, stretchTo(toMicros))
    const done = (bandwidth.usageNanos - before) / tasks.length
    for (const task of tasks) task.leftNanos -= done
  }

  function finish(atMicros: number): void {
    if (!tasks.some(({ leftNanos }) => leftNanos <= doneNanos)) return
    const going: Task[] = []
    for (const task of tasks) {
      if (task.leftNanos > doneNanos) going.push(task)
      else count(task, atMicros)
    }
    tasks = going
    while (tasks.length < load.threads && head < queue.length) {
      const next = queue[head++]
      if (next !== undefined) tasks.push(taskOf(next))
    }
    if (head > 1000) {
      queue.splice(0, head)
      head = 0
    }
  }

  const taskOf = ({ atMicros, cpuMicros }: Arrival): Task => ({
    arrivedMicros: startMicros + atMicros,
    leftNanos: cpuMicros * 1000,
  })

  function count({ arrivedMicros }: Task, atMicros: number): void {
    const micros = atMicros - arrivedMicros
    onAnswer?.(arrivedMicros, micros)
    answered += 1
    const bucket = latencyBuckets.findIndex((upTo) => micros <= upTo * 1000)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }

  function accept(atMicros: number): void {
    while (arrivalMicros <= atMicros) {
      if (tasks.length < load.threads) tasks.push(taskOf(arrival))
      else if (queue.length - head < load.queue) queue.push(arrival)
      else refused += 1
      arrival = nextArrival()
      arrivalMicros = startMicros + arrival.atMicros
    }
  }

  function settle(toMicros: number): void {
    for (let event = nextEvent(); event <= toMicros; event = nextEvent()) {
      run(event)
      finish(event)
      accept(event)
    }
  }

  return {
    settle,
    peek(toMicros) {
      settle(toMicros)
      return advance(bandwidth, stretchTo(toMicros))
    },
    change(toMicros, next) {
      settle(toMicros)
      run(toMicros)
      finish(toMicros)
      const to = next.limit ?? limit
      Object.assign(bandwidth, changeLimit(bandwidth, { from: limit, to }))
      limit = to
      speedMilli = next.speedMilli ?? speedMilli
    },
    latency() {
      let sum = 0
      const buckets = latencyBuckets.map((upToMillis, i) => {
        sum += counts[i] ?? 0
        return { upToMillis, count: sum }
      })
      return { requests: answered, refused, buckets }
    },
    wantedMilli(atMicros) {
      const rate = rateAt(load.rate, (atMicros - startMicros) / 1000)
      let nanos = rate * load.cpuMicros * 1000
      for (const { leftNanos } of tasks) nanos += leftNanos
      for (let i = head; i < queue.length; i++) nanos += (queue[i]?.cpuMicros ?? 0) * 1000
      return Math.min(load.threads * 1000, Math.ceil(nanos / 1e6))
    },
  }
}

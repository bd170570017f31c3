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
import type { RequestsLoad } from '../../apis/requests-load.ts'
import type { Answers } from './answers.ts'
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
import { waitedNanos } from './waiting.ts'

/** Below this a request is done: what rounding may leave of it. */
const doneNanos = 0.5

type Task = { readonly arrivedMicros: number; leftNanos: number }
type Request = { readonly arrivedMicros: number; readonly cpuMicros: number }

export type Serving = {
  /** Goes to the last event up to the moment. */
  readonly settle: (toMicros: number) => void
  /** The counters at the moment. */
  readonly peek: (toMicros: number) => Bandwidth
  /** Goes to the moment itself, and on from there under other conditions. */
  readonly change: (toMicros: number, next: Partial<Conditions>) => void
  /** Goes to the moment itself; from there on requests come as another load tells, and join those that wait. */
  readonly follow: (toMicros: number, next: NewRequests) => void
  /** CPU time of all that arrived, up to the last event. */
  readonly demandedNanos: () => number
  /** For how long its threads could have run but had no CPU, up to the moment. */
  readonly waitedNanos: (toMicros: number) => number
  /** Millicores that would serve within a second what waits and what arrives meanwhile. */
  readonly wantedMilli: (atMicros: number) => number
}

type Conditions = {
  readonly limit: Limit
  /** The most it may run at. */
  readonly speedMilli: number
}

type NewRequests = { readonly load: RequestsLoad; readonly seed: number }

type NewServing = Conditions &
  NewRequests & {
    readonly cpus: number
    readonly atMicros: number
    readonly phaseMicros: number
    /** What its group counted before it served. */
    readonly bandwidth?: Bandwidth | undefined
    readonly demandedNanos?: number
    readonly waitedNanos?: number
    /** Told of every request, in the order of the ends. */
    readonly answers: Pick<Answers, 'count' | 'refuse'>
    /** Instead of those that the load tells: one call, one arrival. */
    readonly arrivals?: () => Arrival
  }

export function createServing(options: NewServing): Serving {
  const { cpus, answers } = options
  let { load, limit, speedMilli, demandedNanos = 0, atMicros: startMicros } = options
  let waited = options.waitedNanos ?? 0
  let nextArrival = options.arrivals ?? createArrivals(load, load.seed ?? options.seed)
  const queue: Request[] = []
  let head = 0 // of the queue; what is before it is cut off from time to time
  let tasks: Task[] = []
  const draw = (): Request => {
    const { atMicros, cpuMicros } = nextArrival()
    return { arrivedMicros: startMicros + atMicros, cpuMicros }
  }
  let arrival = draw()
  const bandwidth: MovingBandwidth = { ...(options.bandwidth ?? startBandwidth(limit, options)) }

  const stretchTo = (toMicros: number): Stretch => {
    const milliCpu = Math.min(tasks.length * 1000, speedMilli)
    return { demand: { milliCpu, waiters: Math.min(tasks.length, cpus) }, limit, toMicros }
  }

  /** When something happens next if it does not run out of quota before. */
  function nextEvent(): number {
    const { arrivedMicros } = arrival
    if (tasks.length === 0) return arrivedMicros
    if (bandwidth.isThrottled) return Math.min(arrivedMicros, nextRefill(bandwidth, limit))
    let least = Infinity
    for (const { leftNanos } of tasks) least = Math.min(least, leftNanos)
    const speed = Math.min(1000, speedMilli / tasks.length)
    return Math.min(arrivedMicros, bandwidth.atMicros + Math.max(1, Math.ceil(least / speed)))
  }

  /** In a stretch that used so much, and lasted so long. */
  function waitedIn(usedNanos: number, micros: number): number {
    const wantedMilli = Math.min(tasks.length, load.threads, cpus) * 1000
    if (wantedMilli <= speedMilli) return 0
    return waitedNanos({ wantedMilli, givenMilli: speedMilli, usedNanos, micros })
  }

  function run(toMicros: number): void {
    const { atMicros, usageNanos } = bandwidth
    moveOn(bandwidth, stretchTo(toMicros))
    const used = bandwidth.usageNanos - usageNanos
    waited += waitedIn(used, toMicros - atMicros)
    const done = used / tasks.length
    for (const task of tasks) task.leftNanos -= done
  }

  function finish(atMicros: number): void {
    if (!tasks.some(({ leftNanos }) => leftNanos <= doneNanos)) return
    const going: Task[] = []
    for (const task of tasks) {
      if (task.leftNanos > doneNanos) going.push(task)
      else answers.count(atMicros - task.arrivedMicros, task.arrivedMicros)
    }
    tasks = going
    takeUp()
  }

  /** As many of those that wait as there are threads. */
  function takeUp(): void {
    while (tasks.length < load.threads && head < queue.length) {
      const next = queue[head++]
      if (next !== undefined) tasks.push(taskOf(next))
    }
    if (head > 1000) {
      queue.splice(0, head)
      head = 0
    }
  }

  const taskOf = ({ arrivedMicros, cpuMicros }: Request): Task => ({
    arrivedMicros,
    leftNanos: cpuMicros * 1000,
  })

  function accept(atMicros: number): void {
    while (arrival.arrivedMicros <= atMicros) {
      demandedNanos += arrival.cpuMicros * 1000
      if (tasks.length < load.threads) tasks.push(taskOf(arrival))
      else if (queue.length - head < load.queue) queue.push(arrival)
      else answers.refuse()
      arrival = draw()
    }
  }

  function settle(toMicros: number): void {
    for (let event = nextEvent(); event <= toMicros; event = nextEvent()) {
      run(event)
      finish(event)
      accept(event)
    }
  }

  function goTo(toMicros: number): void {
    settle(toMicros)
    run(toMicros)
    finish(toMicros)
  }

  return {
    settle,
    peek(toMicros) {
      settle(toMicros)
      return advance(bandwidth, stretchTo(toMicros))
    },
    change(toMicros, next) {
      goTo(toMicros)
      const to = next.limit ?? limit
      Object.assign(bandwidth, changeLimit(bandwidth, { from: limit, to }))
      limit = to
      speedMilli = next.speedMilli ?? speedMilli
    },
    follow(toMicros, next) {
      goTo(toMicros)
      load = next.load
      startMicros = toMicros
      nextArrival = createArrivals(load, load.seed ?? next.seed)
      arrival = draw()
      takeUp()
    },
    demandedNanos: () => demandedNanos,
    waitedNanos(toMicros) {
      settle(toMicros)
      const { usageNanos } = advance(bandwidth, stretchTo(toMicros))
      return waited + waitedIn(usageNanos - bandwidth.usageNanos, toMicros - bandwidth.atMicros)
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

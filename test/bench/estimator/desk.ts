/** What a service of the bench is asked for, and the memory in which its threads share its requests. */
import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'

/** Open loop, requests come when they come; closed, each client thinks between its own. */
export type ServiceLoad = OpenLoop | ClosedLoop

type OpenLoop = {
  readonly loop: 'open'
  readonly threads: number
  readonly requests: readonly Arrival[]
}

export type ClosedLoop = {
  readonly loop: 'closed'
  readonly threads: number
  /** Each thread has its part of them, as servers have of their connections. */
  readonly clients: number
  /** The mean; exponential. */
  readonly thinkMicros: number
  readonly cpuMicros: number
  readonly seed: number
}

export type Desk = {
  /** Pairs of a request's moment since the start and its CPU time; 32 bits hold half an hour. */
  readonly requests: Int32Array
  readonly counts: Int32Array
}

/** In `counts`: requests that came (open loop: will have come), those taken, CPU time of those served. */
const CAME = 0
const TAKEN = 1
export const SERVED_MICROS = 2

const MOST_REQUESTS = 100_000

export function openDesk(load: ServiceLoad): Desk {
  const ints = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
  const desk = { requests: ints(2 * MOST_REQUESTS), counts: ints(3) }
  if (load.loop === 'open') for (const one of load.requests) noteRequest(desk, one)
  return desk
}

export function noteRequest({ requests, counts }: Desk, { atMicros, cpuMicros }: Arrival): void {
  requests.set([atMicros, cpuMicros], 2 * Atomics.add(counts, CAME, 1))
}

/** The next that nobody has taken; undefined if no more will come. */
export function takeRequest({ requests, counts }: Desk): Arrival | undefined {
  const taken = Atomics.add(counts, TAKEN, 1)
  if (taken >= Atomics.load(counts, CAME)) return undefined
  return requestAt(requests, taken)
}

const requestAt = (requests: Int32Array, i: number): Arrival => ({
  atMicros: requests[2 * i] ?? 0,
  cpuMicros: requests[2 * i + 1] ?? 0,
})

export const requestsAt = ({ requests, counts }: Desk): Arrival[] =>
  Array.from({ length: Atomics.load(counts, CAME) }, (_, i) => requestAt(requests, i))

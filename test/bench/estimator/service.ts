/** A service in a process of its own: its threads share its requests, and are one group's. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'
import { type Desk, openDesk, requestsAt, SERVED_MICROS, type ServiceLoad } from './desk.ts'
import type { ThreadTask } from './service-thread.ts'

/** It prepares, starts at a moment of the clock, and tells how far it is, as often as it is asked. */
export type ServiceOrder =
  | { readonly do: 'prepare'; readonly load: ServiceLoad }
  | { readonly do: 'start'; readonly startMicros: number }
  | { readonly do: 'report' }

export type ServiceReport = {
  /** Open loop, all; closed, those that came and those that the threads wait for. */
  readonly requests: readonly Arrival[]
  /** CPU time of those that are done. */
  readonly servedMicros: number
}

const script = new URL('service-thread.js', import.meta.url)
let desk: Desk | undefined
let threads: readonly Worker[] = []

async function prepare(load: ServiceLoad): Promise<void> {
  const shared = openDesk(load)
  desk = shared
  threads = Array.from({ length: load.threads }, (_, index) => {
    const workerData: ThreadTask = { load, desk: shared, index }
    return new Worker(script, { workerData })
  })
  await Promise.all(threads.map(async (thread) => once(thread, 'message')))
}

async function obey(order: ServiceOrder): Promise<ServiceReport> {
  if (order.do === 'prepare') await prepare(order.load)
  if (order.do === 'start') for (const one of threads) one.postMessage(order.startMicros, [])
  if (order.do !== 'report' || desk === undefined) return { requests: [], servedMicros: 0 }
  return { requests: requestsAt(desk), servedMicros: Atomics.load(desk.counts, SERVED_MICROS) }
}

process.on('message', (order: ServiceOrder) => {
  void obey(order).then((report) => process.send?.(report))
})
process.on('disconnect', () => process.exit())

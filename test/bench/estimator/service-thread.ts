/** One thread of a service: takes requests and burns the CPU time that they take. */
import { parentPort, workerData } from 'node:worker_threads'

import { seededRandom } from '../../../src/core/random.ts'
import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'
import { nowMicros, sleepUntil } from '../burn.ts'
import {
  type ClosedLoop,
  type Desk,
  noteRequest,
  SERVED_MICROS,
  type ServiceLoad,
  takeRequest,
} from './desk.ts'

export type ThreadTask = { readonly load: ServiceLoad; readonly desk: Desk; readonly index: number }

const { load, desk, index } = workerData as ThreadTask
/** A longer step of the clock is time in which the thread did not run: a throttling, or others. */
const GAP_MILLIS = 0.1
/** Until the code is compiled. */
const WARM_UP_MICROS = 30_000

function burn(cpuMicros: number): void {
  let left = cpuMicros / 1000
  let last = performance.now()
  while (left > 0) {
    const now = performance.now()
    if (now - last < GAP_MILLIS) left -= now - last
    last = now
  }
}

function serve({ atMicros, cpuMicros }: Arrival, startMicros: number): void {
  sleepUntil(startMicros + atMicros)
  burn(cpuMicros)
  Atomics.add(desk.counts, SERVED_MICROS, cpuMicros)
}

function serveClients(load: ClosedLoop, startMicros: number): void {
  const { clients, threads, cpuMicros, thinkMicros } = load
  const random = seededRandom(load.seed + index)
  const think = (): number => Math.ceil(-Math.log(1 - random()) * thinkMicros)
  const comeAt = Array.from({ length: clients / threads }, think)
  for (;;) {
    const atMicros = Math.min(...comeAt)
    const request = { atMicros, cpuMicros }
    noteRequest(desk, request)
    serve(request, startMicros)
    comeAt[comeAt.indexOf(atMicros)] = nowMicros() - startMicros + think()
  }
}

burn(WARM_UP_MICROS)
parentPort?.once('message', (startMicros: number) => {
  if (load.loop === 'closed') serveClients(load, startMicros)
  else for (let one = takeRequest(desk); one; one = takeRequest(desk)) serve(one, startMicros)
})
parentPort?.postMessage('ready', [])

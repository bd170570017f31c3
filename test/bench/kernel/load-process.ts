/**
 * Generates the load, outside of the groups that it is for: starts a service in each, and sends it
 * every request at its intended moment, whatever became of those before.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { nowMicros, sleepUntil } from '../burn.ts'
import { spawnIn } from '../spawn-in.ts'
import type { Request } from './requests.ts'

export type LoadOrder =
  | { readonly do: 'prepare'; readonly groups: readonly PlacedLoad[] }
  /** At a moment of the clock. */
  | { readonly do: 'generate'; readonly startMicros: number }

export type PlacedLoad = { readonly path: string; readonly requests: readonly Request[] }

export type LoadAnswer =
  | 'ready'
  | {
      /** Of each request of each group: the moment of the clock, or NaN if nobody waited any more. */
      readonly doneMicros: readonly Float64Array[]
      /** CPU time of this process since it was ready. */
      readonly cpuMicros: number
    }

const script = fileURLToPath(new URL('service-process.js', import.meta.url))
/** No threads besides the one that serves. */
const flags = ['--single-threaded', '--v8-pool-size=0']

type Worker = {
  readonly requests: readonly Request[]
  readonly process: ChildProcess
  readonly isReady: Promise<unknown>
  readonly doneMicros: Promise<Float64Array>
}

function hire({ path, requests }: PlacedLoad): Worker {
  const child = spawnIn(path, [process.execPath, ...flags, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error(`starting a service in ${path}: it has no output`)
  const chunks: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const doneMicros = once(child, 'close').then(([code]) => {
    const said = Uint8Array.from(Buffer.concat(chunks).subarray(1))
    const done = new Float64Array(said.buffer, 0, Math.floor(said.length / 8))
    if (done.length === requests.length) return done
    throw new Error(
      `serving in ${path}: expected ${requests.length} answers, got ${done.length}; it ended with ${code}`,
    )
  })
  return { requests, process: child, isReady: once(stdout, 'data'), doneMicros }
}

/** Timers are coarse: they leave the last milliseconds to a finer sleep, of which 0.1 ms late is fine. */
async function waitUntil(moment: number): Promise<void> {
  const millis = (moment - nowMicros()) / 1000
  if (millis > 3) await sleep(millis - 2)
  sleepUntil(moment, 0)
}

async function generate(workers: readonly Worker[], startMicros: number): Promise<LoadAnswer> {
  const before = process.cpuUsage()
  const queue = workers
    .flatMap(({ requests, process }) =>
      requests.map((request) => ({ ...request, stdin: process.stdin })),
    )
    .toSorted((a, b) => a.atMicros - b.atMicros)
  for (const { atMicros, cpuMicros, untilMicros, stdin } of queue) {
    await waitUntil(startMicros + atMicros)
    stdin?.write(Buffer.from(Float64Array.of(cpuMicros, startMicros + untilMicros).buffer))
  }
  const { user, system } = process.cpuUsage(before)
  for (const { process } of workers) process.stdin?.end()
  const doneMicros = await Promise.all(workers.map(async (worker) => worker.doneMicros))
  return { doneMicros, cpuMicros: user + system }
}

let workers: readonly Worker[] = []

async function obey(order: LoadOrder): Promise<LoadAnswer> {
  if (order.do === 'generate') return generate(workers, order.startMicros)
  workers = order.groups.map(hire)
  const early = workers.map(async ({ doneMicros }) => doneMicros)
  await Promise.race([Promise.all(workers.map(async ({ isReady }) => isReady)), ...early])
  return 'ready'
}

process.setMaxListeners(0) // a listener a service
process.on('SIGINT', () => {}) // who started this ends it
process.on('message', (order: LoadOrder) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())

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

export type PlacedLoad = {
  readonly path: string
  readonly requests: readonly Request[]
  /** Processes that take from one queue. */
  readonly workers: number
}

export type LoadAnswer =
  | 'ready'
  | {
      /** Of each request of each group: the moment of the clock, or NaN if nobody waited any more. */
      readonly doneMicros: readonly Float64Array[]
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

function hire({ path, requests, workers }: PlacedLoad): Worker {
  const child = spawnIn(path, [process.execPath, ...flags, script, String(workers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error(`starting a service in ${path}: it has no output`)
  const chunks: Buffer[] = []
  let ready = 0
  const isReady = new Promise<void>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      ready += chunk.length
      if (ready >= workers) resolve()
    })
  })
  const doneMicros = once(child, 'close').then(([code]) => {
    const said = Uint8Array.from(Buffer.concat(chunks).subarray(workers))
    const done = doneOf(new Float64Array(said.buffer, 0, Math.floor(said.length / 8)), requests)
    const count = said.length / 16
    if (count === requests.length) return done
    const found = `expected ${requests.length} answers, got ${count}`
    throw new Error(`serving in ${path}: ${found}; it ended with ${code}`)
  })
  return { requests, process: child, isReady, doneMicros }
}

/** From pairs of a request and its moment, in the order of the requests. */
function doneOf(pairs: Float64Array, { length }: readonly Request[]): Float64Array {
  const done = new Float64Array(length).fill(NaN)
  for (let i = 0; i + 1 < pairs.length; i += 2) done[pairs[i] ?? 0] = pairs[i + 1] ?? NaN
  return done
}

/** Timers are coarse: they leave the last milliseconds to a finer sleep, of which 0.1 ms late is fine. */
async function waitUntil(moment: number): Promise<void> {
  const millis = (moment - nowMicros()) / 1000
  if (millis > 3) await sleep(millis - 2)
  sleepUntil(moment, 0)
}

async function generate(workers: readonly Worker[], startMicros: number): Promise<LoadAnswer> {
  const queue = workers
    .flatMap(({ requests, process }) =>
      requests.map((request, index) => ({ ...request, index, stdin: process.stdin })),
    )
    .toSorted((a, b) => a.atMicros - b.atMicros)
  for (const { index, atMicros, cpuMicros, untilMicros, stdin } of queue) {
    await waitUntil(startMicros + atMicros)
    const record = Float64Array.of(index, cpuMicros, startMicros + untilMicros)
    stdin?.write(Buffer.from(record.buffer))
  }
  for (const { process } of workers) process.stdin?.end()
  const doneMicros = await Promise.all(workers.map(async (worker) => worker.doneMicros))
  return { doneMicros }
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

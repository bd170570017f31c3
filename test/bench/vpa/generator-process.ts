/**
 * Asks the pods, from outside of them: each request at its intended moment, whatever became of those
 * before. Latency counts from that moment until the answer is read.
 */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { nowMicros } from '../burn.ts'
import type { Request } from './requests.ts'

export type GeneratorOrder =
  /** Where the pod of a slot is now. */
  | { readonly do: 'aim'; readonly slot: number; readonly address: string }
  | {
      readonly do: 'generate'
      /** By slot. */
      readonly requests: readonly (readonly Request[])[]
      /** Moments of the clock. */
      readonly startMicros: number
      readonly giveUpMicros: number
    }

export type GeneratorAnswer = {
  /** Of each request of each slot: how long it took, or NaN if it was not answered. */
  readonly millis: readonly Float64Array[]
}

const port = 8080
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const addresses = new Map<number, string>()

type Due = Request & { readonly slot: number; readonly index: number }

async function generate(
  order: Extract<GeneratorOrder, { readonly do: 'generate' }>,
): Promise<GeneratorAnswer> {
  const { requests, startMicros, giveUpMicros } = order
  const millis = requests.map(({ length }) => new Float64Array(length).fill(NaN))
  const all = requests
    .flatMap((own, slot) => own.map((request, index): Due => ({ ...request, slot, index })))
    .toSorted((a, b) => a.atMicros - b.atMicros)
  for (const due of all) {
    const at = startMicros + due.atMicros
    const early = (at - nowMicros()) / 1000
    if (early > 0) await sleep(early)
    ask(due, () => {
      const own = millis[due.slot]
      if (own !== undefined) own[due.index] = (nowMicros() - at) / 1000
    })
  }
  await sleep(Math.max(0, (giveUpMicros - nowMicros()) / 1000))
  agent.destroy()
  return { millis }
}

/** Who gets no answer, or a broken connection, is not asked again. */
function ask({ slot, cpuMicros }: Due, done: () => void): void {
  const host = addresses.get(slot)
  if (host === undefined) return
  const request = get({ host, port, path: `/${cpuMicros}`, agent }, (response) => {
    response.resume().once('end', done)
    response.once('error', () => {})
  })
  request.once('error', () => {})
}

process.on('SIGINT', () => {}) // who started this ends it
process.on('disconnect', () => process.exit())
process.on('message', (order: GeneratorOrder) => {
  if (order.do === 'aim') addresses.set(order.slot, order.address)
  else {
    generate(order).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
})

/**
 * Asks a server at drawn moments, whether it has answered before or not, and measures each answer
 * from the moment at which it was meant to be asked: a late question counts as latency. Prints a
 * line when it is ready, reads the moment of the wall clock at which to start, and prints a line
 * with all requests when the last is answered.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { arrivalsOf } from './arrivals.ts'
import { openNginx, openRedis } from './clients.ts'
import type { GeneratorOrder } from './generator.ts'

const order = JSON.parse(process.argv[2] ?? '') as GeneratorOrder
const moments = arrivalsOf(order)
const ask = order.kind === 'redis' ? await openRedis(order) : openNginx(order)

const wallMillis = (): number => performance.timeOrigin + performance.now()
const served: [at: number, latency: number][] = []

console.log('ready')
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string]
const startMillis = Number(line)

let next = 0
let open = 0
await new Promise<void>((resolve, reject) => {
  const answered = (atMillis: number) => {
    served.push([round(atMillis), round(wallMillis() - startMillis - atMillis)])
    open -= 1
    if (open === 0 && next === moments.length) resolve()
  }
  const asked = async (atMillis: number) => {
    await ask()
    answered(atMillis)
  }
  const askAllDue = () => {
    const now = wallMillis() - startMillis
    for (let at = moments[next]; at !== undefined && at <= now; at = moments[next]) {
      const meant = at
      next += 1
      open += 1
      void asked(meant).catch(reject)
    }
    const due = moments[next]
    // Timers fire up to a millisecond late, which is in every latency of every arm alike.
    if (due !== undefined) setTimeout(askAllDue, Math.max(0, due - now))
  }
  askAllDue()
})
console.log(JSON.stringify(served))
process.exit(0)

function round(millis: number): number {
  return Math.round(millis * 1000) / 1000
}

/** The open-loop generator, from the bench's side. */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { LoadPlan } from './arrivals.ts'
import { startIn } from './process.ts'
import type { Served } from './program.ts'

export type GeneratorOrder = LoadPlan & {
  readonly kind: 'redis' | 'nginx'
  readonly socket: string
  readonly size: number
}

const script = fileURLToPath(new URL('generator-process.js', import.meta.url))

/** Its process is up and connected before a moment is agreed on: what it takes to start is no latency. */
export async function prepareGenerator(
  order: GeneratorOrder,
  group: string,
): Promise<(startMillis: number) => Promise<readonly Served[]>> {
  const started = startIn(group, [process.execPath, script, JSON.stringify(order)])
  const { child, ended } = started
  if (child.stdout === null) throw new Error('starting the generator: expected its output')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const next = await lines.next()
    if (next.done !== true) return next.value
    await ended
    throw new Error('generating load: expected another line of the generator')
  }
  await line()
  return async (startMillis) => {
    child.stdin?.end(`${startMillis}\n`)
    const served = JSON.parse(await line()) as readonly (readonly [number, number])[]
    await ended
    return served.map(([atMillis, latencyMillis]) => ({ atMillis, latencyMillis }))
  }
}

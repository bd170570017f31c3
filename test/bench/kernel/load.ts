/** The load of one run, from the bench's side. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { LoadAnswer, LoadOrder, PlacedLoad } from './load-process.ts'

export type Load = {
  /** Until all is served, from a moment of the clock on. */
  readonly generate: (startMicros: number) => Promise<Exclude<LoadAnswer, 'ready'>>
  /** Ends all processes of it. */
  readonly end: () => Promise<void>
}

const script = fileURLToPath(new URL('load-process.js', import.meta.url))
const endMillis = 3000

/** Services run in their groups and wait. */
export async function startLoad(groups: readonly PlacedLoad[]): Promise<Load> {
  const child = fork(script, { serialization: 'advanced' })
  const end = async () => endProcess(child)
  try {
    await ask(child, { do: 'prepare', groups })
  } catch (error) {
    await end()
    throw error
  }
  return {
    async generate(startMicros) {
      const answer = await ask(child, { do: 'generate', startMicros })
      if (answer === 'ready') throw new Error('generating the load: expected answers, got ready')
      return answer
    },
    end,
  }
}

async function ask(child: ChildProcess, order: LoadOrder): Promise<LoadAnswer> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`generating the load: its process ended (${order.do})`))
    child.once('exit', onExit)
    child.once('message', (answer: LoadAnswer) => {
      child.off('exit', onExit)
      resolve(answer)
    })
    child.send(order)
  })
}

/** It ends its services when it is let go. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  await Promise.race([ended, sleep(endMillis, undefined, { ref: false })])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}

/** The load of one pass, from the bench's side. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { GeneratorAnswer, GeneratorOrder } from './generator-process.ts'
import type { Slot } from './requests.ts'

export type Generator = {
  /** May be said again, when a pod has another's place. */
  readonly aim: (slot: number, address: string) => void
  readonly generate: (when: When) => Promise<GeneratorAnswer>
  readonly end: () => Promise<void>
}

export type When = { readonly startMicros: number; readonly giveUpMicros: number }

const script = fileURLToPath(new URL('generator-process.js', import.meta.url))

export function startGenerator(slots: readonly Slot[]): Generator {
  const child = fork(script, { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const send = (order: GeneratorOrder): void => void child.send(order)
  return {
    aim: (slot, address) => send({ do: 'aim', slot, address }),
    async generate(when) {
      const answered = once(child, 'message') as Promise<[GeneratorAnswer]>
      send({ do: 'generate', requests: slots.map(({ requests }) => requests), ...when })
      const early = ended.then(() => {
        throw new Error('generating the load: its process ended')
      })
      const [answer] = await Promise.race([answered, early])
      return answer
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

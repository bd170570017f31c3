/** For tests: a way to the server on which a client dies, as a process that is killed does. */
import type { HttpAnswer, Transport } from '../../src/adapters/kube/transport.ts'
import type { Way } from '../site.ts'

export type Death = {
  /** The request at which it dies, from 1; 0 for never. */
  readonly at: number
  /** Before the server has it, or after it has acted on it and before the answer. */
  readonly when: 'before' | 'after'
}

export type Mortal = {
  readonly way: Way
  /** What it asked for so far, such as `PATCH /api/v1/...`, without queries. */
  readonly asked: readonly string[]
  readonly isDead: () => boolean
}

/** From its death on nothing leaves the client, and nothing reaches it. */
export function mortalWay({ at, when }: Death, onDeath: () => void): Mortal {
  const asked: string[] = []
  let isDead = false
  const die = async (): Promise<never> => {
    if (!isDead) {
      isDead = true
      onDeath()
    }
    return new Promise<never>(() => undefined)
  }

  async function* untilDeath(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      if (isDead) await die()
      yield chunk
    }
  }

  const way = (transport: Transport): Transport => ({
    ...transport,
    open: async (request): Promise<HttpAnswer> => {
      if (isDead) return die()
      asked.push(`${request.method} ${request.path.split('?', 1)[0]}`)
      const isLast = asked.length === at
      if (isLast && when === 'before') return die()
      const answer = await transport.open(request)
      if (isDead || isLast) return die()
      return { ...answer, chunks: untilDeath(answer.chunks) }
    },
  })
  return { way, asked, isDead: () => isDead }
}

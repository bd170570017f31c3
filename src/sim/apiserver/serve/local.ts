/**
 * The way to the server without a network, for clients in the same process. It resolves through
 * microtasks only, so that a simulated clock can tell when all is idle.
 */
import { ConnectionFailed } from '../../../ports/kube.ts'
import type { Agenda } from '../../agenda.ts'
import type { ApiServer } from '../server.ts'
import type { Answer, Headers, Stream } from './exchange.ts'

/** As the client's transport has it. */
type LocalRequest = {
  readonly title: string
  readonly method: string
  readonly path: string
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  readonly signal?: AbortSignal | undefined
}

type LocalAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly chunks: AsyncIterable<Uint8Array>
}

export type LocalTransport = {
  readonly server: string
  readonly open: (request: LocalRequest) => Promise<LocalAnswer>
  readonly close: () => void
  readonly opened: () => number
}

const name = 'the embedded cluster'
/** Events that a watcher may leave unread before it is ended. */
const mostUnread = 100_000

export function createLocalTransport(options: {
  readonly server: Pick<ApiServer, 'handle'>
  readonly agenda: Agenda
  readonly userAgent: string
}): LocalTransport {
  const { server, agenda, userAgent } = options
  const closing = new AbortController()
  agenda.expectPromises() // before the first comes, or time would run away from it

  const settle = async (answer: Answer, request: LocalRequest): Promise<LocalAnswer> => {
    const { signal } = request
    if (answer.kind === 'broken') throw broken(request, new Error(answer.why))
    if (answer.kind === 'later') {
      await agenda.clock.sleep(answer.millis, signal)
      signal?.throwIfAborted()
      return settle(answer.act(), request)
    }
    const { status, headers } = answer
    if (answer.kind === 'whole') return { status, headers, chunks: once(answer.body) }
    const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
    return { status, headers, chunks: eventsOf(answer, { ends, request }) }
  }

  return {
    server: name,
    open: async (request) => {
      request.signal?.throwIfAborted()
      if (closing.signal.aborted) {
        throw new ConnectionFailed(`${request.title} on ${name}: the client is closed`, {
          sent: false,
          passing: false,
        })
      }
      const { method, path, body, contentType } = request
      const headers: Headers = {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(contentType !== undefined && { 'content-type': contentType }),
      }
      return settle(server.handle({ method, path, headers, body }), request)
    },
    close: () => closing.abort(new Error('the client was closed')),
    opened: () => 0,
  }
}

const broken = ({ title }: LocalRequest, cause: Error): ConnectionFailed =>
  new ConnectionFailed(`${title} on ${name}: ${cause.message}`, {
    sent: true,
    passing: true,
    cause,
  })

const encoder = new TextEncoder()

async function* once(body: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(body)
}

/** The watch begins at once; what comes before it is read waits. */
function eventsOf(
  stream: Stream,
  { ends, request }: { readonly ends: AbortSignal; readonly request: LocalRequest },
): AsyncIterable<Uint8Array> {
  let unread: Uint8Array[] = []
  let ended = false
  let failure: Error | undefined
  let wake = () => {}
  const end = (error?: Error) => {
    ended = true
    failure ??= error
    wake()
  }
  const watch = stream.start({
    send: (chunk) => {
      unread.push(chunk)
      wake()
      return unread.length < mostUnread
    },
    end: (error) => end(error && broken(request, error)),
  })
  const abort = () => {
    unread = []
    end(ends.reason as Error)
    watch.stop()
  }
  ends.addEventListener('abort', abort, { once: true })

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = unread
        unread = []
        yield* chunks
        if (unread.length > 0) continue
        if (failure !== undefined) throw failure
        if (ended) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      watch.stop()
      ends.removeEventListener('abort', abort)
    }
  }
  return read()
}

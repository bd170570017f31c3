/** For tests: a server that answers some requests otherwise than the embedded one would. */
import type { KubeObject } from '../../src/apis/object.ts'
import type { Way } from '../site.ts'

type Asked = { readonly method: string; readonly path: string }

type Instead = {
  readonly isMeant: (asked: Asked) => boolean
  readonly status: number
  readonly body: unknown
}

const answering =
  ({ isMeant, status, body }: Instead): Way =>
  (transport) => ({
    ...transport,
    open: async (request) =>
      isMeant(request)
        ? { status, headers, chunks: once(JSON.stringify(body)) }
        : transport.open(request),
  })

const headers = { 'content-type': 'application/json' }

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** To every resize. */
export const refusingResizes = (
  code: number,
  reason: string,
  { message, cause }: { readonly message: string; readonly cause?: string },
): Way =>
  answering({
    isMeant: ({ method, path }) => method === 'PATCH' && /\/resize(\?|$)/.test(path),
    status: code,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      reason,
      message,
      ...(cause !== undefined && { details: { causes: [{ reason: cause, message: '' }] } }),
    },
  })

/** As a server says of itself that cannot resize by default. */
export const oldServer: Way = answering({
  isMeant: ({ path }) => path.startsWith('/version'),
  status: 200,
  body: { major: '1', minor: '32', gitVersion: 'v1.32.4' },
})

/** These objects, which never change, of a kind that the embedded cluster lacks. */
export const alsoServing =
  (path: string, items: readonly KubeObject[]): Way =>
  (transport) => ({
    ...transport,
    open: async (request) => {
      if (request.path.split('?', 1)[0] !== path) return transport.open(request)
      const isWatch = /[?&]watch=/.test(request.path)
      const list = JSON.stringify({ metadata: { resourceVersion: '1' }, items })
      return { status: 200, headers, chunks: isWatch ? silence(request.signal) : once(list) }
    },
  })

/** Until the caller ends it. */
const silence = (signal: AbortSignal | undefined): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () =>
      new Promise((resolve) => {
        const end = () => resolve({ done: true, value: undefined })
        if (signal?.aborted === true) end()
        signal?.addEventListener('abort', end, { once: true })
      }),
  }),
})

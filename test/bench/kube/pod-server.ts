/**
 * A loopback HTTPS server that answers for pods as an API server does, so cheaply that what asks is
 * what is measured. Its history is fixed: lists are at one version, and a watch tells the same
 * events after it every time, as fast as they are read, then stays open.
 *
 *   GET /api/v1/pods?limit&continue               a page, or all
 *   GET /api/v1/pods?watch&resourceVersion        the events after that version
 *   GET /api/v1/namespaces/NAMESPACE/pods/NAME    one
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { nameOf, namespaceOf, podOf } from './pods.ts'

export type PodServerOptions = {
  readonly pods: number
  readonly events: number
  readonly cert: string
  readonly key: string
}

export type PodServer = {
  readonly url: string
  /** Opened since it started. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Of every list; the first event is the next one. */
export const listVersion = 1_000_000

/** A pod's JSON before and after its version. */
type PodText = { readonly head: Buffer; readonly tail: Buffer }

/** Written together: the calls would else cost more than the bytes. */
const batch = 16

export async function startPodServer(options: PodServerOptions): Promise<PodServer> {
  const pods = Array.from({ length: options.pods }, (_, index) => textOf(index))
  const places = new Map(pods.map((_, i) => [pathOf(i), i]))
  let connections = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'https://server')
    response.setHeader('content-type', 'application/json')
    const index = places.get(pathname)
    if (index !== undefined) {
      response.end(Buffer.concat(objectOf(pods, index, listVersion - pods.length + index)))
    } else if (pathname !== '/api/v1/pods') {
      response.writeHead(404).end(notFound)
    } else if (query.get('watch') === 'true') {
      response.flushHeaders()
      await write(response, eventsAfter(Number(query.get('resourceVersion')), pods, options.events))
    } else {
      await write(response, listOf(pods, query))
      response.end()
    }
  }

  const server = createServer({ cert: options.cert, key: options.key }, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.on('secureConnection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const pathOf = (index: number): string =>
  `/api/v1/namespaces/${namespaceOf(index)}/pods/${nameOf(index)}`

const notFound = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  code: 404,
})

function textOf(index: number): PodText {
  const mark = '@version@'
  const [head = '', tail = ''] = JSON.stringify(podOf(index, mark)).split(mark)
  return { head: Buffer.from(head), tail: Buffer.from(tail) }
}

/** Items of a list come without kind and apiVersion. */
function itemOf(pods: readonly PodText[], index: number, version: number): Buffer[] {
  const pod = pods[index]
  return pod === undefined ? [] : [pod.head, Buffer.from(String(version)), pod.tail]
}

const typed = Buffer.from('{"kind":"Pod","apiVersion":"v1",')

function objectOf(pods: readonly PodText[], index: number, version: number): Buffer[] {
  const [head, ...rest] = itemOf(pods, index, version)
  return head === undefined ? [] : [typed, head.subarray(1), ...rest]
}

function* listOf(pods: readonly PodText[], query: URLSearchParams): Generator<Buffer> {
  const from = Number(query.get('continue') ?? 0)
  const limit = Number(query.get('limit') ?? 0)
  const to = limit > 0 ? Math.min(from + limit, pods.length) : pods.length
  const metadata = {
    resourceVersion: String(listVersion),
    ...(to < pods.length && { continue: String(to), remainingItemCount: pods.length - to }),
  }
  const opening = JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items: [] })
  yield Buffer.from(opening.slice(0, -']}'.length))
  for (let first = from; first < to; first += batch) {
    const parts: Buffer[] = []
    for (let i = first; i < Math.min(first + batch, to); i++) {
      if (i > from) parts.push(comma)
      parts.push(...itemOf(pods, i, listVersion - pods.length + i))
    }
    yield Buffer.concat(parts)
  }
  yield Buffer.from(']}')
}

const comma = Buffer.from(',')
const opensEvent = Buffer.from('{"type":"MODIFIED","object":')
const closesEvent = Buffer.from('}\n')

/** Event n is of version listVersion + n, and of pod n - 1, beginning again after the last one. */
function* eventsAfter(
  version: number,
  pods: readonly PodText[],
  events: number,
): Generator<Buffer> {
  const last = listVersion + events
  for (let next = version + 1; next <= last; next += batch) {
    const parts: Buffer[] = []
    for (let at = next; at < next + batch && at <= last; at++) {
      const index = (at - listVersion - 1) % pods.length
      parts.push(opensEvent, ...objectOf(pods, index, at), closesEvent)
    }
    yield Buffer.concat(parts)
  }
}

/** As fast as it is read; until the reader goes. */
async function write(response: ServerResponse, chunks: Iterable<Buffer>): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  for (const chunk of chunks) {
    if (response.destroyed) return
    if (response.write(chunk)) continue
    await once(response, 'drain', { signal: gone.signal }).catch(() => {})
  }
}

/** From a request to the route that answers it, and back. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import type { Log } from '../ports/log.ts'

export type HttpRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type HttpReply = {
  /** 200 unless told. */
  readonly status?: number
  /** Plain text unless told. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | HttpStream
}

/** An answer without an end of its own; called once its head is sent. */
export type HttpStream = (out: StreamOut) => void

export type StreamOut = {
  readonly write: (text: string) => void
  /** Bytes that the client has not taken yet. */
  readonly waitingBytes: () => number
  readonly end: () => void
  /** Without waiting for what the client has not taken. */
  readonly cut: () => void
  /** The client has gone, or the server has closed. */
  readonly onClose: (then: () => void) => void
}

export const jsonReply = (value: unknown, more: Omit<HttpReply, 'body'> = {}): HttpReply => ({
  type: 'application/json',
  ...more,
  headers: { 'cache-control': 'no-store', ...more.headers },
  body: JSON.stringify(value),
})

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>

/** By exact path. What answers GET answers HEAD too. */
export type HttpRoutes = Readonly<
  Record<string, Readonly<Partial<Record<HttpMethod, HttpHandler>>>>
>

export type Question = {
  readonly request: IncomingMessage
  readonly routes: HttpRoutes
  /** Answers what no route has, by any method. */
  readonly otherwise?: HttpHandler | undefined
  readonly log: Log
  readonly mostBodyBytes: number
}

type Way = { readonly handle: HttpHandler } | { readonly refusal: HttpReply }

/** Who answers, found without reading more than the head; a body that nobody wants is refused. */
export function findWay({ request, routes, otherwise, mostBodyBytes }: Question): Way {
  const { method = '', headers } = request
  const { path } = targetOf(request)
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  const handle = route ? route[(method === 'HEAD' ? 'GET' : method) as HttpMethod] : otherwise
  const told = Number(headers['content-length'] ?? 0)
  const hasBody = told > 0 || headers['transfer-encoding'] !== undefined
  const refuse = (reply: HttpReply): Way => ({
    // What still comes of a body is not read: this connection is of no more use.
    refusal: hasBody ? { ...reply, headers: { ...reply.headers, connection: 'close' } } : reply,
  })
  if (!handle) {
    if (route) return refuse(notAllowed(method, path, Object.keys(route)))
    const known = Object.keys(routes).join(', ')
    return refuse({ status: 404, body: `there is no ${shorten(path)} here; there are ${known}\n` })
  }
  if (!hasBody) return { handle }
  if (!withBody.has(method)) {
    return refuse({ status: 400, body: `${method} takes no body here, this has one\n` })
  }
  return told > mostBodyBytes ? refuse(tooLarge(mostBodyBytes)) : { handle }
}

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const tooLarge = (most: number): HttpReply => ({
  status: 413,
  headers: { connection: 'close' },
  body: `a body may have ${most} bytes, this has more\n`,
})

function targetOf({ url = '' }: IncomingMessage): { path: string; search: string } {
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  return { path, search }
}

const shorten = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}...` : path)

export async function answer(handle: HttpHandler, asked: Question): Promise<HttpReply> {
  const { request, log, mostBodyBytes } = asked
  const { method = '', headers } = request
  const { path, search } = targetOf(request)
  const body = await readBody(request, mostBodyBytes)
  if (body === undefined) return tooLarge(mostBodyBytes)
  try {
    return await handle({ method, path, query: new URLSearchParams(search), headers, body })
  } catch (error) {
    log('error', 'answering a request failed', { method, path, error })
    return { status: 500, body: 'it failed; the log of this process says why\n' }
  }
}

export function notAllowed(method: string, path: string, has: readonly string[]): HttpReply {
  const allow = [...has, ...(has.includes('GET') ? ['HEAD'] : [])].join(', ')
  return { status: 405, headers: { allow }, body: `${path} takes ${allow}, not ${method}\n` }
}

/** A form or an object comes in a few pieces; in more, somebody wants to keep us busy. */
const MOST_PARTS = 10_000

/**
 * Copies each piece as it comes, and keeps no piece: one of a single byte is an object of a hundred.
 * Undefined as soon as it is too large, or in too many pieces.
 */
async function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (request.headers['content-length'] === undefined && !isChunked(request)) return Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    let body = Buffer.allocUnsafe(Math.min(most, 4096))
    let length = 0
    let parts = 0
    const stop = (outcome: Buffer | undefined): void => {
      request.off('data', take)
      resolve(outcome)
    }
    const take = (part: Buffer): void => {
      parts += 1
      if (length + part.length > most || parts > MOST_PARTS) return stop(undefined)
      if (length + part.length > body.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, 2 * (length + part.length)))
        body.copy(larger, 0, 0, length)
        body = larger
      }
      part.copy(body, length)
      length += part.length
      return undefined
    }
    request.on('data', take)
    request.once('end', () => stop(body.subarray(0, length)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('the client left in the middle of its request')))
  })
}

const isChunked = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined

export function send(response: ServerResponse, reply: HttpReply, isHead: boolean): void {
  const { status = 200, type = 'text/plain; charset=utf-8', headers, body } = reply
  if (typeof body === 'function') {
    response.writeHead(status, { 'content-type': type, ...headers })
    if (isHead) response.end()
    else body(streamOut(response))
    return
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers })
  response.end(isHead ? undefined : bytes)
}

const streamOut = (response: ServerResponse): StreamOut => ({
  write: (text) => void response.write(text),
  waitingBytes: () => response.writableLength,
  end: () => void response.end(),
  cut: () => void response.destroy(),
  onClose: (then) => void response.once('close', then),
})

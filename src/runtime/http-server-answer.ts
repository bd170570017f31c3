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

type Question = {
  readonly request: IncomingMessage
  readonly routes: HttpRoutes
  /** Answers what no route has, by any method. */
  readonly otherwise?: HttpHandler | undefined
  readonly log: Log
  readonly mostBodyBytes: number
}

export async function answer({
  request,
  routes,
  otherwise,
  log,
  mostBodyBytes,
}: Question): Promise<HttpReply> {
  const { method = '', url = '', headers } = request
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  const handle = route ? route[(method === 'HEAD' ? 'GET' : method) as HttpMethod] : otherwise
  if (!handle) {
    if (route) return notAllowed(method, path, Object.keys(route))
    const known = Object.keys(routes).join(', ')
    return { status: 404, body: `there is no ${path} here; there are ${known}\n` }
  }
  const body = await readBody(request, mostBodyBytes)
  if (body === 'too large') {
    const headers = { connection: 'close' }
    return { status: 413, headers, body: `a body may have ${mostBodyBytes} bytes, this has more\n` }
  }
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

/** Refuses before reading where the length is told, and else as soon as it shows. */
async function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too large'> {
  if (Number(request.headers['content-length'] ?? 0) > most) return 'too large'
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) return 'too large'
    parts.push(part)
  }
  return Buffer.concat(parts, length)
}

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

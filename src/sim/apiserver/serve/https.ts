/** The way to the server over HTTPS, for kubectl and whoever is in another process. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Clock } from '../../../ports/clock.ts'
import { Refusal, unauthorized } from '../refusal.ts'
import type { ApiServer } from '../server.ts'
import { type Answer, type Headers, refusalAnswer, type Stream, type Whole } from './exchange.ts'

const compress = promisify(gzip)
/** Shorter answers are not worth the time, as in the real server. */
const compressFrom = 128 * 1024
/** Bytes of events that a watcher may leave unread before it is ended. */
const mostUnread = 16 * 1024 * 1024
/** The real server takes 3 MiB. */
const longestBody = 3 * 1024 * 1024

type ListenOptions = {
  readonly server: Pick<ApiServer, 'handle'>
  /** For delays that a fault asks for. */
  readonly clock: Clock
  readonly host: string
  /** 0 for any. */
  readonly port: number
  readonly cert: string | Buffer
  readonly key: string | Buffer
  /** Makes its bearer the administrator. */
  readonly token: string
  /** Gets what is a bug of ours, and what was asked then; the server goes on. */
  readonly report?: (what: string, error: unknown) => void
}

type Listening = {
  readonly port: number
  /** Ends watches and connections. */
  readonly close: () => Promise<void>
}

export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, port, cert, key } = options
  const server = createServer({ cert, key, keepAlive: true }, (request, response) => {
    const fail = (error: unknown) => {
      const isGone = request.destroyed && !request.complete // half a request, and then nothing
      if (!isGone) options.report?.(`${request.method} ${request.url}`, error)
      if (isGone || response.headersSent) response.destroy()
      else void sendWhole(refusalAnswer(bug(error)), { response, headers: {} })
    }
    answer(options, request, response).catch(fail)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  server.on('error', (error) => options.report?.('accepting a connection', error))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => closeAll(server),
  }
}

async function closeAll(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

async function answer(
  options: ListenOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const headers = headersOf(request)
  const at = { options, request, response, headers }
  if (!isAllowed(headers, url, options.token)) {
    // Nothing of what a stranger sends is read.
    response.setHeader('connection', 'close')
    return sendWhole(refusalAnswer(unauthorized()), at)
  }
  const body = await readAll(request)
  const result =
    body === 'too long'
      ? refusalAnswer(tooLong())
      : options.server.handle({ method, path: url, headers, body })
  return carryOut(result, at)
}

/** Whoever asks may know that the server lives, and its version. */
const open = /^\/(livez|readyz|healthz|version)(\?|$)/

const isAllowed = (headers: Headers, path: string, token: string): boolean =>
  headers['authorization'] === `Bearer ${token}` || open.test(path)

const headersOf = ({ headers }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )

const tooLong = (): Refusal =>
  new Refusal({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${longestBody}`,
  })

const bug = (error: unknown): Refusal =>
  new Refusal({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`,
  })

/**
 * Reads to the end in any case, so that the connection can be used again. Into one buffer that grows: a
 * body in a million parts takes no more than one in a single part.
 */
async function readAll(request: IncomingMessage): Promise<Uint8Array | 'too long' | undefined> {
  let body = Buffer.alloc(0)
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    const end = length + part.length
    if (end <= longestBody) {
      if (end > body.length) {
        const larger = Buffer.alloc(Math.min(longestBody, Math.max(2 * body.length, end, 4096)))
        body.copy(larger, 0, 0, length)
        body = larger
      }
      part.copy(body, length)
    }
    length = end
  }
  if (length > longestBody) return 'too long'
  return length === 0 ? undefined : body.subarray(0, length)
}

type Carrying = {
  readonly options: ListenOptions
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: Headers
}

async function carryOut(result: Answer, at: Carrying): Promise<void> {
  switch (result.kind) {
    case 'later':
      await at.options.clock.sleep(result.millis)
      return carryOut(result.act(), at)
    case 'broken':
      at.request.socket.destroy()
      return undefined
    case 'whole':
      return sendWhole(result, at)
    case 'stream':
      sendEvents(result, at)
      return undefined
  }
}

async function sendWhole(
  whole: Whole,
  { response, headers }: Pick<Carrying, 'response' | 'headers'>,
): Promise<void> {
  const text = Buffer.from(whole.body)
  const small = text.length < compressFrom || headers['accept-encoding']?.includes('gzip') !== true
  const body = small ? text : await compress(text, { level: 1 })
  response.writeHead(whole.status, {
    ...inBytes(whole.headers),
    ...(small ? {} : { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
    'content-length': body.length,
  })
  response.end(body)
}

/** Texts of others are in warnings: as UTF-8, which Node takes for single characters. */
const inBytes = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Buffer.from(value, 'utf8').toString('latin1'),
    ]),
  )

function sendEvents(stream: Stream, { request, response }: Carrying): void {
  response.writeHead(stream.status, inBytes(stream.headers))
  response.flushHeaders()
  request.socket.setNoDelay(true)
  const watch = stream.start({
    send: (chunk) => {
      response.write(chunk)
      return response.writableLength < mostUnread
    },
    end: (error) => (error === undefined ? response.end() : request.socket.destroy()),
  })
  response.on('close', watch.stop)
}

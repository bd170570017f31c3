/** One HTTP exchange on a connection of a pool: a time limit, an abort, and whether it was sent. */
import type { Agent as PlainAgent, ClientRequest, IncomingMessage } from 'node:http'
import { type Agent, request as requestSecurely } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createGunzip } from 'node:zlib'

import type { PoolName } from './connections.ts'
import { TimedOut } from './failures.ts'
import { onAbort, reasonOf } from './on-abort.ts'

export type HttpRequest = {
  /** What it does, for messages: `listing pods`. */
  readonly title: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query. */
  readonly path: string
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  readonly pool: PoolName
  readonly signal?: AbortSignal | undefined
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export type Exchange = {
  readonly status: number
  readonly headers: Headers
  /** Throws `Broken`. To stop reading closes the connection. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Reads to the end, so that the connection can be used again. */
  readonly skip: () => void
}

export type Via = {
  readonly url: string
  readonly agent: Agent | PlainAgent
  readonly headers: Headers
  readonly timeoutMillis: number
  readonly onSocket: (socket: Socket) => void
  /** How to stop each exchange that is under way. */
  readonly underWay: Set<(error: Error) => void>
}

/** The connection failed, and `sent` says whether the server may have got the request. */
export class Broken extends Error {
  override readonly name = 'Broken'
  override readonly cause: Error
  readonly sent: boolean

  constructor(cause: Error, sent: boolean) {
    super(cause.message)
    this.cause = cause
    this.sent = sent
  }
}

export async function exchange(request: HttpRequest, via: Via): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let sent = false
    const outgoing = begin(request, via)
    let stream: ClientRequest | IncomingMessage = outgoing
    const fail = (error: Error) => {
      finish()
      reject(new Broken(error, sent))
    }
    const stop = (error: Error) => {
      stream.destroy(error)
      if (stream === outgoing) fail(error) // one that waits for a connection would not tell
    }
    const finish = () => {
      clearTimeout(timer)
      forget()
      via.underWay.delete(stop)
    }
    const timer = limitTime(via.timeoutMillis, stop)
    const { signal } = request
    const forget = onAbort(signal, () => signal && stop(reasonOf(signal)))
    via.underWay.add(stop)
    outgoing.once('socket', (socket) => {
      via.onSocket(socket)
      whenConnected(socket, () => (sent = true))
    })
    outgoing.on('error', fail)
    outgoing.once('response', (response) => {
      stream = response
      // A watch may be silent for as long as it likes; whoever reads it knows for how long.
      if (request.pool === 'watch') clearTimeout(timer)
      response.once('close', finish)
      response.on('error', () => {}) // whoever reads the chunks gets it
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        chunks: chunksOf(response),
        skip: () => void response.resume(),
      })
    })
    outgoing.end(request.body)
  })
}

function begin(request: HttpRequest, { url, agent, headers }: Via): ClientRequest {
  const options = { method: request.method, agent, headers: headers as Record<string, string> }
  return url.startsWith('http:')
    ? process.getBuiltinModule('node:http').request(url, options)
    : requestSecurely(url, options)
}

/** Nothing of the request leaves before the handshake is done. */
function whenConnected(socket: Socket, then: () => void): void {
  const { encrypted, secureConnecting } = socket as Partial<TLSSocket> & {
    secureConnecting?: boolean
  }
  if (!socket.connecting && secureConnecting !== true) then()
  else socket.once(encrypted === true ? 'secureConnect' : 'connect', then)
}

function limitTime(timeoutMillis: number, stop: (error: Error) => void) {
  if (timeoutMillis === Infinity) return undefined
  const seconds = timeoutMillis / 1000
  return setTimeout(() => stop(new TimedOut(`no answer within ${seconds} s`)), timeoutMillis)
}

/** Of long lists. Each piece costs a turn of the event loop: with Node's 16 KB, twice as much CPU. */
const gunzipped = { chunkSize: 128 * 1024 }

async function* chunksOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const readable: Readable =
    response.headers['content-encoding'] === 'gzip'
      ? pipeline(response, createGunzip(gunzipped), () => {})
      : response
  try {
    for await (const chunk of readable) yield chunk as Uint8Array
  } catch (error) {
    throw new Broken(error as Error, true)
  }
}

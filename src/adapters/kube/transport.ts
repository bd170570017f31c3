/**
 * Sends a request with our identity and says in words why it failed, if it did. It sends twice only
 * if the identity or the CA turns out to have been replaced meanwhile.
 */
import type { Socket } from 'node:net'

import type { Clock } from '../../ports/clock.ts'
import { ConnectionFailed } from '../../ports/kube.ts'
import type { KubeConfig } from './config.ts'
import { createConnections } from './connections.ts'
import { createCredentials, type Identity } from './credentials.ts'
import { Broken, exchange, type Exchange, type Headers, type HttpRequest } from './exchange.ts'
import { explainFailure, isUntrusted } from './failures.ts'
import { reasonOf, untilAbort } from './on-abort.ts'

export type HttpAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly chunks: AsyncIterable<Uint8Array>
  /** For a 401: why it may be so, and what to do. */
  readonly whyRefused?: string | undefined
}

/** Whatever carries requests to an API server: the network, or nothing at all in a simulation. */
export type Transport = {
  /** What messages call the server: its address. */
  readonly server: string
  readonly open: (request: HttpRequest) => Promise<HttpAnswer>
  readonly close: () => void
  /** Connections opened so far. */
  readonly opened: () => number
}

export type TransportOptions = {
  readonly clock: Clock
  readonly userAgent: string
  /** From the start to the end of the answer, or to its start for a watch. */
  readonly timeoutMillis: number
  /** Connections for requests; those for watches and leases come on top. */
  readonly maxSockets: number
}

export function createTransport(config: KubeConfig, options: TransportOptions): Transport {
  const credentials = createCredentials(config.user, options.clock)
  const connections = createConnections(config, options)
  const underWay = new Set<(error: Error) => void>()
  const known = new WeakSet<Socket>()
  let opened = 0
  let closed = false

  const onSocket = (socket: Socket) => {
    if (known.has(socket)) return
    known.add(socket)
    opened += 1
  }

  const send = async (request: HttpRequest, identity: Identity): Promise<Exchange> => {
    if (closed) throw new Error('the client is closed')
    request.signal?.throwIfAborted()
    return exchange(request, {
      url: config.server + request.path,
      agent: connections.agent(request.pool, identity),
      headers: headersOf(request, identity, { userAgent: options.userAgent, config }),
      timeoutMillis: options.timeoutMillis,
      onSocket,
      underWay,
    })
  }

  const sendTrusting = async (request: HttpRequest, identity: Identity): Promise<Exchange> => {
    try {
      return await send(request, identity)
    } catch (error) {
      const caMayBeOld = error instanceof Broken && isUntrusted(error.cause)
      if (!caMayBeOld || !connections.renewCa()) throw error
      return send(request, identity)
    }
  }

  const answerTo = async (request: HttpRequest): Promise<HttpAnswer> => {
    let identity = await untilAbort(credentials.identity(), request.signal)
    let answer = await sendTrusting(request, identity)
    if (answer.status === 401 && (await credentials.renew(identity))) {
      answer.skip()
      identity = await credentials.identity()
      answer = await send(request, identity)
    }
    return {
      status: answer.status,
      headers: answer.headers,
      chunks: explained(answer.chunks, request),
      whyRefused: answer.status === 401 ? credentials.whyRefused(identity) : undefined,
    }
  }

  async function* explained(chunks: AsyncIterable<Uint8Array>, request: HttpRequest) {
    try {
      yield* chunks
    } catch (error) {
      throw await failure(request, error as Error)
    }
  }

  const failure = async (request: HttpRequest, error: Error): Promise<Error> => {
    if (request.signal?.aborted === true) return reasonOf(request.signal)
    const broken = error instanceof Broken
    const { why, passing } = broken
      ? await explainFailure(error.cause, config)
      : { why: error.message, passing: false }
    return new ConnectionFailed(`${request.title} on ${config.server}: ${why}`, {
      sent: broken && error.sent,
      passing,
      cause: broken ? error.cause : error,
    })
  }

  return {
    server: config.server,
    open: async (request) => {
      try {
        return await answerTo(request)
      } catch (error) {
        throw await failure(request, error as Error)
      }
    },
    close: () => {
      closed = true
      for (const stop of underWay) stop(new Error('the client was closed'))
      connections.close()
    },
    opened: () => opened,
  }
}

function headersOf(
  { contentType, body, pool }: HttpRequest,
  identity: Identity,
  { userAgent, config }: { readonly userAgent: string; readonly config: KubeConfig },
): Headers {
  return {
    ...identity.headers,
    Accept: 'application/json',
    'User-Agent': userAgent,
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    // Node sets it for POST, but not for the body of a DELETE.
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    // A watch's events are small and would wait in the compressor.
    ...(config.compression && pool !== 'watch' ? { 'Accept-Encoding': 'gzip' } : {}),
  }
}

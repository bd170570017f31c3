/**
 * A small HTTP server: a few fixed paths, each with its methods. What a client can make it hold is
 * bounded: connections, heads, bodies, and answers that nobody reads. Slow clients are cut off, and
 * closing waits for the answers that are under way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Log } from '../ports/log.ts'
import {
  answer,
  findWay,
  type HttpHandler,
  type HttpReply,
  type HttpRoutes,
  send,
} from './http-server-answer.ts'
import { type ConnectionBounds, trackConnections } from './http-server-connections.ts'
import { createServer, listen, type ServerTimeouts, type ServerTls } from './http-server-listen.ts'

export type {
  HttpHandler,
  HttpMethod,
  HttpReply,
  HttpRequest,
  HttpRoutes,
  StreamOut,
} from './http-server-answer.ts'

export type HttpServerOptions = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly routes: HttpRoutes
  /** Answers what no route has, by any method. */
  readonly otherwise?: HttpHandler
  /** Of every answer, unless it has its own. */
  readonly headers?: Readonly<Record<string, string>>
  readonly log: Log
  readonly tls?: ServerTls
  readonly mostBodyBytes?: number
  readonly timeouts?: Partial<ServerTimeouts>
  readonly bounds?: Partial<ConnectionBounds>
}

export type HttpServer = {
  readonly port: number
  readonly url: string
  /** Takes no more requests and ends when all are answered; on abort it cuts them off. */
  readonly close: (signal: AbortSignal) => Promise<void>
}

/** A form, or a small object. */
const usualMostBodyBytes = 64 * 1024

/**
 * Of a process that probes, a Prometheus or two and a dashboard ask: a hundredth of it is in use. An
 * answer of a full node has 250 KB at most, so that a dozen may wait for their clients.
 */
const usualBounds: ConnectionBounds = { mostConnections: 64, mostWaitingBytes: 4 * 1024 * 1024 }

export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { host, routes, otherwise, headers = {}, log, tls, timeouts } = options
  const { mostBodyBytes = usualMostBodyBytes } = options
  let isClosing = false

  const server = createServer({ ...(tls && { tls }), timeouts })
  const connections = trackConnections(server, { ...usualBounds, ...options.bounds })

  const sendTo = (response: ServerResponse, reply: HttpReply): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (isClosing) response.setHeader('connection', 'close')
    send(response, reply, response.req.method === 'HEAD')
    connections.shed()
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = { request, routes, otherwise, log, mostBodyBytes }
    const way = findWay(asked)
    // At once: whatever else came in the same packet would wait in memory until we did.
    if ('refusal' in way) sendTo(response, way.refusal)
    else sendTo(response, await answer(way.handle, asked))
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!connections.begin(request, response)) return
    respond(request, response).catch((error: unknown) => {
      // A client that leaves in the middle of its request is no trouble of ours.
      log(request.complete ? 'error' : 'debug', 'sending an answer failed', {
        path: request.url,
        error,
      })
      response.destroy()
    })
  })
  await listen(server, { host, port: options.port })
  server.on('error', (error) => log('error', 'serving HTTP failed', { error }))
  const { port } = server.address() as AddressInfo
  const at = host.includes(':') ? `[${host}]` : host

  return {
    port,
    url: `${tls ? 'https' : 'http'}://${at}:${port}`,
    close: async (signal) => {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.endWhenIdle()
      signal.addEventListener('abort', connections.cut)
      if (signal.aborted) connections.cut()
      await closed
      signal.removeEventListener('abort', connections.cut)
    },
  }
}

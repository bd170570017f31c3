/**
 * A small HTTP server: a few fixed paths, each with its methods. Bodies are limited, slow clients are
 * cut off, and closing waits for the answers that are under way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Log } from '../ports/log.ts'
import { answer, type HttpHandler, type HttpRoutes, send } from './http-server-answer.ts'
import { trackConnections } from './http-server-connections.ts'
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
}

export type HttpServer = {
  readonly port: number
  readonly url: string
  /** Takes no more requests and ends when all are answered; on abort it cuts them off. */
  readonly close: (signal: AbortSignal) => Promise<void>
}

/** An AdmissionReview holds an object twice, and an object may have 1.5 MB. */
const usualMostBodyBytes = 4 * 1024 * 1024

export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { host, routes, otherwise, headers = {}, log, tls, timeouts } = options
  const { mostBodyBytes = usualMostBodyBytes } = options
  let isClosing = false

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await answer({ request, routes, otherwise, log, mostBodyBytes })
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (isClosing) response.setHeader('connection', 'close')
    send(response, reply, request.method === 'HEAD')
  }
  const server = createServer({ ...(tls && { tls }), timeouts })
  const connections = trackConnections(server, tls ? 'secureConnection' : 'connection')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
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

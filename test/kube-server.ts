/** A loopback HTTPS server that answers as a test says, and a client for it. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { createKube, type KubeClient, type KubeOptions } from '../src/adapters/kube/client.ts'
import type { KubeConfig } from '../src/adapters/kube/config.ts'
import type { KubeObject, Resource } from '../src/apis/object.ts'
import { certificates } from './certificates.ts'

export type Seen = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Of the client certificate, if there was one. */
  readonly client: string | undefined
}

export type Answer = (request: Seen, response: ServerResponse) => void

export type KubeServer = {
  readonly url: string
  readonly port: number
  readonly seen: readonly Seen[]
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export async function kubeServer(answer: Answer, options: ServerOptions = {}): Promise<KubeServer> {
  const { server: pair, ca } = certificates()
  const sockets = new Set<Duplex>()
  const seen: Seen[] = []
  let connections = 0
  const server = createServer(
    {
      cert: pair.cert,
      key: pair.key,
      ca: ca.cert,
      requestCert: true,
      rejectUnauthorized: false,
      ...options,
    },
    (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'https://server')
        const peer = (
          request.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } }
        ).getPeerCertificate?.()
        const one = {
          method: request.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          body,
          client: peer?.subject?.CN,
        }
        seen.push(one)
        answer(one, response)
      })
    },
  )
  server.on('secureConnection', () => (connections += 1))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // tests break connections
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    seen,
    connections: () => connections,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A server and its client for as long as `run` takes. */
export async function withKube(
  answer: Answer,
  run: (kube: KubeClient, server: KubeServer) => Promise<void>,
  { config = {}, options = {} }: { config?: Partial<KubeConfig>; options?: KubeOptions } = {},
): Promise<void> {
  const server = await kubeServer(answer)
  const kube = createKube(configFor(server.url, config), options)
  try {
    await run(kube, server)
  } finally {
    kube.close()
    await server.close()
  }
}

export const configFor = (server: string, config: Partial<KubeConfig> = {}): KubeConfig => ({
  server,
  cluster: 'cluster "test" of /x/config',
  ca: { text: certificates().ca.cert, name: 'the CA of the test' },
  insecure: false,
  serverName: undefined,
  compression: true,
  namespace: 'default',
  user: {
    name: 'user "tester" of /x/config',
    certificate: undefined,
    secret: { kind: 'none' },
    impersonation: {},
  },
  ...config,
})

export function sendJson(
  response: ServerResponse,
  value: unknown,
  {
    code = 200,
    headers = {},
    gzip = false,
  }: { code?: number; headers?: Record<string, string>; gzip?: boolean } = {},
): void {
  const encoding = gzip ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(code, { 'content-type': 'application/json', ...encoding, ...headers })
  const text = JSON.stringify(value)
  response.end(gzip ? gzipSync(text) : text)
}

export const sendStatus = (
  response: ServerResponse,
  code: number,
  {
    reason = '',
    message = '',
    headers = {},
  }: { reason?: string; message?: string; headers?: Record<string, string> } = {},
): void =>
  sendJson(
    response,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message },
    { code, headers },
  )

export const pods: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
}

export const pod = (name: string, resourceVersion = '1'): KubeObject => ({
  metadata: { name, namespace: 'default', resourceVersion },
})

export async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => {
      throw new Error('expected a failure, got none')
    },
    (error: Error) => error.message,
  )
}

/** Answers in turn; the last one for all that follow. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let count = 0
  return (request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)]
    count += 1
    answer?.(request, response)
  }
}

export const answerPod: Answer = (_, response) => sendJson(response, pod('a'))

/** Until the server has seen so many requests. */
export async function seenBy(server: KubeServer, count: number): Promise<void> {
  while (server.seen.length < count) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * A bad network as an HTTP proxy on loopback: it drops, stalls, resets and delays, before an answer
 * and anywhere within it, and answers 410, 429, 500 and 503 by itself. What goes wrong is drawn from
 * `faults`; with `faults.settle()` everything new goes through untouched.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

import type { Random } from '../../src/core/random.ts'
import { certificates } from '../certificates.ts'
import { type Faults, reasons } from './faults.ts'

export type Upstream = {
  /** http or https, without a path. */
  readonly url: string
  readonly ca?: string
  /** The name in the server's certificate, where it is not that of the URL. */
  readonly serverName?: string
  /** Of the client, for servers that want one; the proxy's own clients cannot pass theirs on. */
  readonly certificate?: string
  readonly key?: string
}

export type Proxy = {
  readonly url: string
  /** What a client must trust; undefined over plain HTTP. */
  readonly ca: string | undefined
  readonly close: () => Promise<void>
}

type Passage = {
  readonly from: IncomingMessage
  readonly to: ServerResponse
  readonly reset: () => void
  readonly faults: Faults
}

export async function startProxy({
  upstream,
  faults,
  tls = true,
}: {
  readonly upstream: Upstream
  readonly faults: Faults
  readonly tls?: boolean
}): Promise<Proxy> {
  /** By the client's port: a TLS socket does not lead back to the one below, which alone can reset. */
  const sockets = new Map<number | undefined, Socket>()
  const onRequest = (from: IncomingMessage, to: ServerResponse) => {
    const port = from.socket.remotePort
    const reset = () => void sockets.get(port)?.resetAndDestroy()
    void meet({ from, to, reset, faults }, (then) => forward(upstream, from, to, then))
  }
  const server = tls
    ? https.createServer(certificates().server, onRequest)
    : createServer(onRequest)
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort
    sockets.set(port, socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.get(port) === socket && sockets.delete(port))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    ca: tls ? certificates().ca.cert : undefined,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
}

/** What happens to a request; `pass` lets it through. */
async function meet(passage: Passage, pass: (then: (answer: IncomingMessage) => void) => void) {
  const { from, to, reset, faults } = passage
  const fault = faults.ofRequest()
  if (fault === 'drop') from.socket.destroy()
  else if (fault === 'reset') reset()
  else if (typeof fault === 'number') refuse(to, fault, faults.random)
  else if (fault !== 'stall') {
    if (fault === 'delay') await sleep(faults.random() * 300)
    if (!from.destroyed) pass((answer) => void stream(passage, answer).catch(() => to.destroy()))
  }
}

function refuse(to: ServerResponse, code: keyof typeof reasons, random: () => number) {
  to.writeHead(code, {
    'content-type': 'application/json',
    ...(code === 429 ? { 'retry-after': String(Math.floor(random() * 2)) } : {}),
  })
  to.end(JSON.stringify(statusOf(code)))
}

const statusOf = (code: keyof typeof reasons) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'by the chaos proxy',
  reason: reasons[code],
  code,
})

function forward(
  { url, ca, serverName, certificate, key }: Upstream,
  from: IncomingMessage,
  to: ServerResponse,
  then: (answer: IncomingMessage) => void,
) {
  const { protocol, hostname, port } = new URL(url)
  const { method, url: path, headers } = from
  const options = { hostname, port, method, path, headers: { ...headers, connection: 'close' } }
  const secure = { ca, servername: serverName, cert: certificate, key }
  const outgoing =
    protocol === 'https:'
      ? https.request({ ...options, ...defined(secure), agent: false })
      : request({ ...options, agent: false })
  outgoing.on('response', then)
  outgoing.on('error', () => {
    if (to.headersSent) to.destroy()
    else to.writeHead(502).end('the chaos proxy cannot reach the server')
  })
  to.once('close', () => outgoing.destroy())
  from.pipe(outgoing)
}

const defined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))

/** Passes an answer on, with a fault after every so many bytes, also in the middle of a line. */
async function stream({ from, to, reset, faults }: Passage, answer: IncomingMessage) {
  const { connection: _connection, ...headers } = answer.headers
  const isWatch = /[?&]watch=/.test(from.url ?? '')
  to.writeHead(answer.statusCode ?? 502, headers)
  to.flushHeaders() // the first event of a watch may be a long time coming
  let left = distance(faults.random)
  for await (const piece of answer) {
    const chunk = piece as Buffer
    const fault = chunk.length > left ? faults.ofStream() : undefined
    left = chunk.length > left ? distance(faults.random) : left - chunk.length
    if (fault === undefined || fault === 'delay') {
      if (fault === 'delay') await sleep(faults.random() * 300)
      await write(to, chunk)
      continue
    }
    if (fault === 'expire' && isWatch && chunk.includes('\n')) {
      await write(to, chunk.subarray(0, chunk.lastIndexOf('\n') + 1))
      to.end(`${JSON.stringify({ type: 'ERROR', object: statusOf(410) })}\n`)
      return
    }
    await write(to, chunk.subarray(0, Math.floor(faults.random() * chunk.length)))
    if (fault === 'stall') return
    if (fault === 'reset') reset()
    else if (fault === 'end' && headers['content-length'] === undefined) to.end()
    else from.socket.destroy()
    return
  }
  to.end()
}

/** Bytes to the next fault: 40 kB on average. */
const distance = (random: Random): number => Math.floor(-Math.log(1 - random()) * 40_000)

/** Resolves when the piece is sent, or never can be. */
const write = async (to: ServerResponse, piece: Buffer): Promise<void> =>
  new Promise((resolve) => void to.write(piece, () => resolve()))

const sleep = async (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis))

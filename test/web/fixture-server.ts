/** Serves the page and a made-up world by the dashboard's contract; it can go away and come back. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join } from 'node:path'

import type { About, ClusterView } from '../../src/apis/dashboard.ts'
import { root } from '../run.ts'
import { clusterAt, comparison, eventsAt, nodeAt, podAt, search } from './world-views.ts'
import { nodeOf, type World } from './world.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const files = new Set(['index.html', 'app.js', 'app.css', 'theme.js', 'icon.svg'])

export type Fixture = {
  readonly url: string
  /** Every path that was asked for. */
  readonly asked: readonly string[]
  /** The next second of the world: all that watch get a patch. */
  readonly tick: () => void
  readonly goAway: () => Promise<void>
  readonly comeBack: () => Promise<void>
  /** From now on all of `api/` is refused so, or no longer. */
  readonly refuse: (answer?: { readonly status: number; readonly error: string }) => void
  readonly now: () => number
}

type Options = {
  readonly world: World
  readonly at: number
  readonly troubles?: readonly string[]
  readonly settings?: About['settings']
  readonly hasScenario?: boolean
}
type Watcher = { readonly response: ServerResponse; readonly path: string }

export async function startFixture(options: Options): Promise<Fixture> {
  const { world, troubles = [], settings, hasScenario = true } = options
  let now = options.at
  let server: Server | undefined
  let port = 0
  let refusal: { readonly status: number; readonly error: string } | undefined
  const asked: string[] = []
  const watchers = new Set<Watcher>()
  const sockets = new Set<Socket>()

  const about: About = {
    cluster: 'demo',
    version: '0.1.0',
    everyMillis: 1000,
    ...(settings && { settings }),
    ...(hasScenario ? { scenario: scenarioOf(world) } : {}),
  }
  /** A view, whole or of one sample; undefined where there is none. */
  const viewOf = (path: string, times?: readonly number[]): object | undefined => {
    const [kind = '', ...rest] = path.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    if (kind === 'cluster')
      return { ...clusterAt(world, now, times), troubles } satisfies ClusterView
    if (kind === 'events') return eventsAt(world, now, times)
    if (kind === 'node' && world.nodes.includes(key)) return nodeAt(world, key, now, times)
    if (kind === 'pod' && nodeOf(world, key)) return podAt(world, key, now, times)
    return undefined
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://fixture')
    asked.push(pathname)
    const send = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    if (!pathname.startsWith('/api/')) return sendFile(pathname.slice(1) || 'index.html', response)
    if (refusal !== undefined) return send(refusal.status, { error: refusal.error })
    const path = pathname.slice('/api/'.length)
    if (path === 'about') return send(200, about)
    if (path === 'search') return send(200, search(world, searchParams.get('q') ?? ''))
    if (path === 'comparison' && hasScenario) return send(200, comparison(world))
    const isLive = path.startsWith('live/')
    const view = viewOf(isLive ? path.slice('live/'.length) : path)
    if (view === undefined) return send(404, { error: `there is no ${path}` })
    if (!isLive) return send(200, view)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(`event: view\ndata: ${JSON.stringify(view)}\n\n`)
    const watcher = { response, path: path.slice('live/'.length) }
    watchers.add(watcher)
    response.on('close', () => watchers.delete(watcher))
  }

  const listen = async (): Promise<void> => {
    server = createServer(answer)
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }

  await listen()
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    now: () => now,
    tick: () => {
      now += 1000
      for (const { response, path } of watchers) {
        response.write(`event: patch\ndata: ${JSON.stringify(viewOf(path, [now]))}\n\n`)
      }
    },
    goAway: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server?.close(resolve))
    },
    comeBack: listen,
    refuse: (answer) => void (refusal = answer),
  }
}

const scenarioOf = ({ start }: World): NonNullable<About['scenario']> => ({
  name: 'seed-evaluation',
  about: 'a gateway, two workers and a noisy neighbour',
  speed: 10,
  phases: ['warm-up', 'saturation', 'contention', 'bursty'].map((name, i) => ({
    name,
    at: start + i * 225_000,
  })),
})

function sendFile(name: string, response: ServerResponse): void {
  if (!files.has(name)) return void response.writeHead(404).end()
  const type = types[extname(name)] ?? ''
  response
    .writeHead(200, { 'content-type': type, 'content-security-policy': "default-src 'self'" })
    .end(readFileSync(join(root, 'dist', 'web', name)))
}

/** Our HTTP servers, on real sockets: whatever bytes come, they answer or hang up, and go on. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import type { Random } from '../../../src/core/random.ts'
import { jsonReply } from '../../../src/runtime/http-server-answer.ts'
import { probeRoutes } from '../../../src/runtime/http-server-probes.ts'
import { serveHttp } from '../../../src/runtime/http-server.ts'
import { listen } from '../../../src/sim/apiserver/serve/https.ts'
import { certificates } from '../../certificates.ts'
import { openStage } from '../../dashboard/stage.ts'
import { manualClock } from '../../manual-clock.ts'
import { createPods, loadedPod, onPlatform } from '../../platform.ts'
import { chance, mutateBytes, pick, randomBytes } from '../generate.ts'
import { asBytes, type FuzzInput, type FuzzTarget } from '../target.ts'
import { randomPath, seeds as objects } from './api-seeds.ts'
import { newServer } from './api.ts'

const token = 'fuzz'
const host = '127.0.0.1'

/** A new connection to a server that is made once a process, and keeps nothing between inputs. */
type Open = () => Promise<Socket>
/** What it found wrong with itself since it was asked last. */
type Served = { readonly open: Open; readonly faults: string[] }

const onPort =
  (port: number): Open =>
  async () =>
    connect({ host, port })

/** As `mbcas agent` serves it, of an agent with two pods; its time stands still. */
async function serveAgent(): Promise<Served> {
  const faults: string[] = []
  return new Promise((resolve, reject) => {
    onPlatform({ cpus: 2 }, async ({ kube, pass, agent, metrics }) => {
      await createPods(kube, [loadedPod('a', { load: 'steady cpu=300m' }), loadedPod('b')])
      await pass(30)
      const ok = () => ({ ok: true }) as const
      const probes = probeRoutes({ live: { rhythm: ok }, ready: { agent: agent.ready }, metrics })
      const routes = { ...probes, '/state': { GET: () => jsonReply(agent.view()) } }
      const log = (level: string, message: string, fields: object = {}) => {
        if (level === 'error') faults.push(`${message} ${JSON.stringify(fields)}`)
      }
      const { port } = await serveHttp({ host, port: 0, routes, log })
      resolve({ open: onPort(port), faults })
      await new Promise(() => undefined) // this process is ended by who started it
    }).catch(reject)
  })
}

async function serveDashboard(): Promise<Served> {
  const { port } = await openStage({ nodes: 1, access: { by: 'token', token } })
  return { open: onPort(port), faults: [] }
}

async function serveApi(): Promise<Served> {
  const faults: string[] = []
  const { server } = certificates()
  let current: Pick<ReturnType<typeof newServer>, 'handle'> | undefined
  const { port } = await listen({
    server: { handle: (request) => (current ??= newServer(true)).handle(request) },
    clock: manualClock(),
    host,
    port: 0,
    cert: server.cert,
    key: server.key,
    token,
    report: (what, error) =>
      faults.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`),
  })
  const open = async () => {
    current = undefined
    const socket = connectTls({ host, port, rejectUnauthorized: false, ALPNProtocols: [] })
    await new Promise((resolve, reject) =>
      socket.once('secureConnect', resolve).once('error', reject),
    )
    return socket
  }
  return { open, faults }
}

/** Until it answers something, or hangs up. */
async function say(open: Open, bytes: Uint8Array): Promise<string> {
  const socket = await open()
  return new Promise((resolve) => {
    let answer = ''
    const done = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (data: Buffer) => {
      answer += data.toString('latin1')
      setImmediate(done)
    })
    socket.on('close', done).on('error', done)
    socket.end(bytes)
  })
}

type Request = (random: Random) => string

const server = (name: string, start: () => Promise<Served>, requests: Request): FuzzTarget => {
  let serving: Promise<Served> | undefined
  return {
    name,
    generate: (random) => {
      if (chance(random, 0.03)) return randomBytes(random, 5000)
      const written = Array.from({ length: chance(random, 0.2) ? 3 : 1 }, () => requests(random))
      return mutateBytes(random, [Buffer.from(written.join(''))])
    },
    run: async (input: FuzzInput) => {
      const { open, faults } = await (serving ??= start())
      const answer = await say(open, asBytes(input))
      const [fault] = faults.splice(0)
      if (fault !== undefined) throw new TypeError(fault)
      // The API server says it of a create with a version, as the real one does; of bugs it reports.
      const isFault = answer.startsWith('HTTP/1.1 500 ') && start !== serveApi
      if (isFault) throw new TypeError(answer.slice(0, 1000))
    },
    // Sockets are slow beside parsers.
    share: 0.1,
  }
}

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const bodies = ['', 'token=fuzz&next=%2F', '{"a":1}', 'x'.repeat(20_000)]
const headers = [
  `Authorization: Bearer ${token}`,
  'Authorization: Bearer wrong',
  'Cookie: mbcas=1.2; a=b',
  'Accept-Encoding: gzip, br;q=0.5',
  'If-None-Match: "x"',
  'Last-Event-ID: 5',
  'Expect: 100-continue',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: application/json',
  'Origin: http://evil.example',
]

/** With a length, in chunks, or with a length that is wrong. */
function requestFor(random: Random, path: string, { body = pick(random, bodies), more = '' } = {}) {
  const lines = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, headers))
  const how = random()
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const [framing, sent] =
    how < 0.3
      ? ['Transfer-Encoding: chunked', body === '' ? '0\r\n\r\n' : chunked]
      : [`Content-Length: ${how < 0.9 ? body.length : body.length + 7}`, body]
  const head = [`${pick(random, methods)} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, framing]
  return `${head.join('\r\n')}\r\n${more}\r\n${sent}`
}

const agentPaths = ['/', '/state', '/metrics', '/healthz', '/readyz', '/state?a=b', '//state', '*']
const dashboardPaths = [
  '/',
  '/login',
  '/login?next=//a',
  '/index.html',
  '/healthz',
  '/api',
  '/api/',
]
  .concat(['/api/cluster', '/api/live/cluster', '/api/events', '/api/live/events', '/api/about'])
  .concat(['/api/node/node-0', '/api/live/node/node-0', '/api/pod/default/a', '/api/comparison'])
  .concat([
    '/api/cluster?from=1&to=2',
    '/api/node/%00',
    '/api/pod/__proto__/constructor',
    '/%2e%2e/a',
  ])

export const servers: readonly FuzzTarget[] = [
  server('agent-http', serveAgent, (random) => requestFor(random, pick(random, agentPaths))),
  server('dashboard-http', serveDashboard, (random) =>
    requestFor(random, pick(random, dashboardPaths), {
      more: chance(random, 0.7) ? `Authorization: Bearer ${token}\r\n` : '',
    }),
  ),
  server('api-https', serveApi, (random) =>
    requestFor(random, randomPath(random), {
      body: chance(random, 0.5) ? JSON.stringify(pick(random, objects).object) : '',
      more: `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`,
    }),
  ),
]

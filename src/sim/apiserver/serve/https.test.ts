import assert from 'node:assert/strict'
import { request } from 'node:https'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'

import { configMaps, newServer } from '../../../../test/sim/api-server.ts'
import { makeCertificate } from '../../certificate.ts'
import { listen } from './https.ts'

const { cert, key } = makeCertificate({ name: 'test', days: 1 })
const server = newServer()
const reports: string[] = []
const listening = await listen({
  server: {
    handle: (request) => {
      if (request.path === '/bug') throw new TypeError('no such thing')
      return server.handle(request)
    },
  },
  report: (what, error) => reports.push(`${what}: ${String(error)}`),
  clock: server.agenda.clock,
  host: '127.0.0.1',
  port: 0,
  cert,
  key,
  token: 'secret',
})
const stop = new AbortController()
const running = server.agenda.run({ signal: stop.signal })
after(async () => {
  await listening.close()
  stop.abort()
  await running
})

const place = '/api/v1/namespaces/default/configmaps'

type Asked = { readonly token?: string; readonly headers?: Record<string, string> }

/** Ends with the first event of a watch. */
async function get(path: string, { token = 'secret', headers }: Asked = {}) {
  return new Promise<{ status: number; encoding: string; body: Buffer }>((resolve, reject) => {
    const options = {
      port: listening.port,
      path,
      ca: cert,
      checkServerIdentity: () => undefined,
      headers: { authorization: `Bearer ${token}`, ...headers },
    }
    const outgoing = request(options, (response) => {
      const parts: Buffer[] = []
      const answer = () =>
        resolve({
          status: response.statusCode ?? 0,
          encoding: response.headers['content-encoding'] ?? '',
          body: Buffer.concat(parts),
        })
      response.on('end', answer).on('data', (part: Buffer) => {
        parts.push(part)
        if (path.includes('watch')) {
          answer()
          outgoing.destroy()
        }
      })
    })
    outgoing.on('error', reject).end()
  })
}

void test('without the token nothing but the health is told', async () => {
  const { status, body } = await get(place, { token: 'wrong' })
  assert.equal(status, 401)
  assert.deepEqual(JSON.parse(body.toString()), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  })
  assert.equal((await get('/readyz', { token: 'wrong' })).body.toString(), 'ok')
})

void test('a long answer is compressed where the client can read it, and a watch tells', async () => {
  const data = { a: 'x'.repeat(200_000) }
  const metadata = { name: 'long', namespace: 'default' }
  server.api.create(configMaps, { metadata, data }, { manager: 'test' })
  const packed = await get(`${place}/long`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(packed.encoding, 'gzip')
  assert.ok(packed.body.length < 10_000)
  const plain = await get(`${place}/long`)
  assert.equal(plain.encoding, '')
  assert.deepEqual(gunzipSync(packed.body), plain.body)
  const { status, body } = await get(`${place}?watch=1`)
  assert.equal(status, 200)
  assert.match(body.toString(), /^\{"type":"ADDED","object":\{"kind":"ConfigMap"/)
})

void test('what is a bug of ours is answered with 500 and reported, and the server goes on', async () => {
  const { status, body } = await get('/bug')
  assert.equal(status, 500)
  assert.match(
    body.toString(),
    /"message":"Internal error occurred: no such thing","reason":"InternalError"/,
  )
  assert.deepEqual(reports, ['GET /bug: TypeError: no such thing'])
  assert.equal((await get(place)).status, 200)
})

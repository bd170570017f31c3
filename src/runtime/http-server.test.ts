import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'

import { each } from '../../test/each.ts'
import { settled } from '../../test/manual-clock.ts'
import { type Checks, probeRoutes } from './http-server-probes.ts'
import {
  type HttpReply,
  type HttpRoutes,
  type HttpServerOptions,
  serveHttp,
  type StreamOut,
} from './http-server.ts'
import { registry } from './metrics.ts'

const never = new AbortController().signal
const keptAlive = new http.Agent({ keepAlive: true })

async function serve(
  context: TestContext,
  routes: HttpRoutes,
  more: Partial<HttpServerOptions> = {},
) {
  const logged: string[] = []
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`)
  const server = await serveHttp({ host: '127.0.0.1', port: 0, routes, log, ...more })
  context.after(async () => server.close(AbortSignal.abort()))
  return { ...server, logged }
}

type Asked = { method?: string; body?: string | string[]; agent?: http.Agent; ca?: string }

async function ask(url: string, { method = 'GET', body = [], agent, ca }: Asked = {}) {
  const client = url.startsWith('https') ? https : http
  const request = client.request(url, { method, agent, ca })
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  if (typeof body === 'string') request.end(body)
  else {
    for (const part of body) request.write(part)
    request.end()
  }
  const response = await answered
  const { statusCode, headers } = response
  return { status: statusCode, headers, body: await text(response) }
}

/** A connection that says only what it is told, and how it ends. */
async function connect(port: number, says = '', localAddress = '127.0.0.1') {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  const heard = text(socket).catch(() => '')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(says)
  return { socket, heard }
}

/** Answers only when told. */
function held(reply: HttpReply) {
  let enter = () => {}
  let release = () => {}
  const entered = new Promise<void>((resolve) => (enter = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const handle = async () => {
    enter()
    await released
    return reply
  }
  return { entered, release: () => release(), handle }
}

const echo: HttpRoutes = {
  '/echo': {
    GET: ({ query }) => ({ body: `a=${query.get('a')}` }),
    POST: ({ body, headers }) => ({
      status: 201,
      type: 'x/y',
      body: `${headers.host} ${body.toString()}`,
    }),
  },
  '/fails': {
    GET: () => {
      throw new Error('secret')
    },
  },
}

void describe('runtime/http-server', () => {
  void test('answers by exact path and method', async (context) => {
    const { url, port, logged } = await serve(context, echo)
    const rows = [
      { at: '/echo?a=%20b', status: 200, body: 'a= b' },
      { at: '/echo?a=1?2', status: 200, body: 'a=1?2' },
      { at: '/echo', method: 'POST', send: 'hi', status: 201, body: `127.0.0.1:${port} hi` },
      { at: '/echo', method: 'HEAD', status: 200, body: '' },
      { at: '/echo', method: 'PUT', status: 405, body: '/echo takes GET, POST, HEAD, not PUT\n' },
      { at: '/echo/', status: 404, body: 'there is no /echo/ here; there are /echo, /fails\n' },
      {
        at: '/toString',
        status: 404,
        body: 'there is no /toString here; there are /echo, /fails\n',
      },
      { at: '/fails', status: 500, body: 'it failed; the log of this process says why\n' },
    ]
    for (const { at, method = 'GET', send = '', status, body } of rows) {
      const got = await ask(url + at, { method, body: send })
      assert.deepEqual([at, got.status, got.body], [at, status, body])
    }
    assert.deepEqual(logged, ['error answering a request failed'])
    const head = await ask(`${url}/echo`, { method: 'HEAD' })
    assert.equal(head.headers['content-length'], '6')
    const refused = await ask(`${url}/echo`, { method: 'DELETE' })
    assert.equal(refused.headers.allow, 'GET, POST, HEAD')
  })

  void test('what no route has is answered otherwise, and all answers have their headers', async (context) => {
    const { url } = await serve(context, echo, {
      otherwise: ({ method, path }) => ({
        body: `${method} ${path}`,
        headers: { 'x-own': 'mine' },
      }),
      headers: { 'x-all': 'every', 'x-own': 'usual' },
    })
    const other = await ask(`${url}/a/b`, { method: 'PUT' })
    assert.deepEqual(
      [other.body, other.headers['x-all'], other.headers['x-own']],
      ['PUT /a/b', 'every', 'mine'],
    )
    const routed = await ask(`${url}/fails`)
    assert.deepEqual([routed.status, routed.headers['x-own']], [500, 'usual'])
  })

  void test('a stream goes on until either side ends it', async (context) => {
    const closed: string[] = []
    const outs = new Map<string, StreamOut>()
    const { url } = await serve(context, {
      '/stream': {
        GET: ({ query }) => ({
          type: 'x/y',
          body: (out) => {
            const name = query.get('as') ?? ''
            outs.set(name, out)
            out.onClose(() => closed.push(name))
            out.write('one ')
          },
        }),
      },
    })
    const whole = ask(`${url}/stream?as=ours`)
    while (!outs.has('ours')) await settled()
    outs.get('ours')?.write('two')
    outs.get('ours')?.end()
    const { headers, body } = await whole
    assert.deepEqual([headers['content-type'], body], ['x/y', 'one two'])

    const theirs = http.get(`${url}/stream?as=theirs`)
    const response = await new Promise<http.IncomingMessage>((resolve) =>
      theirs.once('response', resolve),
    )
    response.on('error', () => {})
    theirs.destroy()
    while (!closed.includes('theirs')) await settled()
    assert.deepEqual(closed, ['ours', 'theirs'])
    const head = await ask(`${url}/stream?as=head`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.body, outs.has('head')], [200, '', false])
  })

  void test('an answer that cannot be sent ends the connection, not the process', async (context) => {
    const { url, logged } = await serve(context, {
      '/': { GET: () => ({ headers: { a: 'b\nc' }, body: '' }) },
    })
    await assert.rejects(ask(`${url}/`))
    assert.deepEqual(logged, ['error sending an answer failed'])
  })

  void test('a body above the limit is refused, told or not', async (context) => {
    const { url } = await serve(context, echo, { mostBodyBytes: 10 })
    assert.equal((await ask(`${url}/echo`, { method: 'POST', body: '0123456789' })).status, 201)
    const told = await ask(`${url}/echo`, { method: 'POST', body: '0123456789x' })
    assert.deepEqual(
      [told.status, told.headers.connection, told.body],
      [413, 'close', 'a body may have 10 bytes, this has more\n'],
    )
    const untold = await ask(`${url}/echo`, { method: 'POST', body: ['0123456789', 'x'] })
    assert.equal(untold.status, 413)
  })

  each(
    ['content-length: 9', 'transfer-encoding: chunked'].flatMap((head) => [
      { name: `GET ${head} is not read`, head, asks: 'GET /echo', status: 400 },
      { name: `HEAD ${head} is not read`, head, asks: 'HEAD /echo', status: 400 },
      { name: `PUT ${head} is not read`, head, asks: 'PUT /echo', status: 405 },
      { name: `POST ${head} elsewhere is not read`, head, asks: 'POST /other', status: 404 },
    ]),
    async ({ head, asks, status }) => {
      const server = await serveHttp({ host: '127.0.0.1', port: 0, routes: echo, log: () => {} })
      const { heard } = await connect(server.port, `${asks} HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n`)
      assert.match(await heard, new RegExp(`^HTTP/1.1 ${status} [^]*\nconnection: close\r`, 'i'))
      await server.close(AbortSignal.abort())
    },
  )

  void test('a body in ever so many pieces is refused', async (context) => {
    const { url } = await serve(context, echo)
    const body = Array.from({ length: 10_001 }, () => 'x')
    assert.equal((await ask(`${url}/echo`, { method: 'POST', body })).status, 413)
    assert.equal((await ask(`${url}/echo`, { method: 'POST', body: body.slice(1) })).status, 201)
  })

  void test('who asks again before the answer is cut off, after it is not', async (context) => {
    const slowly = held({ body: 'done' })
    const { port } = await serve(context, { '/slow': { GET: slowly.handle }, ...echo })
    const one = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
    const hasty = await connect(port, one('/slow') + one('/slow'))
    assert.equal(await hasty.heard, '')
    slowly.release()
    const patient = await connect(port, one('/echo'))
    for (let i = 0; i < 3; i += 1) {
      await once(patient.socket, 'data')
      patient.socket.write(one('/echo'))
    }
    await once(patient.socket, 'data')
    patient.socket.end()
    assert.equal((await patient.heard).match(/a=null/g)?.length, 4)
  })

  void test('one connection too many costs the greediest address its oldest', async (context) => {
    const { url, port } = await serve(context, echo, { bounds: { mostConnections: 4 } })
    const other = await connect(port, '', '127.0.0.2')
    const [first, second] = [await connect(port), await connect(port)]
    const third = await connect(port)
    assert.equal((await ask(`${url}/echo`)).status, 200)
    assert.equal(await first.heard, '')
    const { socket } = await connect(port)
    const more = await connect(port)
    assert.equal(await second.heard, '')
    assert.deepEqual(
      [other, third, more].map(({ socket }) => socket.readableEnded),
      [false, false, false],
    )
    for (const each of [other.socket, third.socket, socket, more.socket]) each.destroy()
  })

  void test('clients that do not read are cut off when too much waits for them', async (context) => {
    const megabytes = Buffer.alloc(12 * 1024 * 1024, 'x')
    const { url, port } = await serve(
      context,
      { '/large': { GET: () => ({ body: megabytes }) }, ...echo },
      { bounds: { mostWaitingBytes: 20 * 1024 * 1024 } },
    )
    const ask12 = async () => {
      const socket = net.connect(port, '127.0.0.1')
      socket.pause()
      socket.on('error', () => {})
      socket.write('GET /large HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }
    const deaf = [await ask12(), await ask12(), await ask12()]
    assert.equal((await ask(`${url}/echo`)).status, 200)
    const cut = deaf.map(
      async (socket) => (await text(socket).catch(() => '')).length < megabytes.length,
    )
    assert.ok((await Promise.all(cut)).includes(true))
  })

  void test('a head that is too large is refused', async (context) => {
    const { port } = await serve(context, echo)
    const { heard } = await connect(port, `GET /echo HTTP/1.1\r\na: ${'x'.repeat(9000)}\r\n\r\n`)
    assert.match(await heard, /^HTTP\/1.1 431 /)
  })

  void test('a client that does not finish its request is cut off', async (context) => {
    const timeouts = { headers: 40, request: 60, idle: 10_000 }
    const { port } = await serve(context, echo, { timeouts })
    const slowHead = await connect(port, 'GET /echo HTTP/1.1\r\nhost')
    const slowBody = await connect(
      port,
      'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n12',
    )
    assert.match(await slowHead.heard, /^HTTP\/1.1 408 /)
    assert.match(await slowBody.heard, /^HTTP\/1.1 408 |^$/)
  })

  void test('a client that does nothing is cut off', async (context) => {
    const timeouts = { headers: 10_000, request: 10_000, idle: 40 }
    const { port } = await serve(context, echo, { timeouts })
    const { heard } = await connect(port)
    assert.equal(await heard, '')
  })

  void test('closing ends idle connections, finishes answers and takes nothing new', async (context) => {
    const slowly = held({ body: 'done' })
    const { url, port, close } = await serve(context, {
      '/slow': { GET: slowly.handle },
      '/fast': { GET: () => ({ body: 'fast' }) },
    })
    const silent = await connect(port)
    const begun = await connect(port, 'GET /fa')
    await ask(`${url}/fast`, { agent: keptAlive })
    const slow = ask(`${url}/slow`, { agent: keptAlive })
    await slowly.entered
    const streamed = await connect(port, 'GET /fast HTTP/1.1\r\nhost: a\r\n\r\n')
    await new Promise((resolve) => streamed.socket.once('data', resolve))
    let isClosed = false
    const closed = close(never).then(() => (isClosed = true))
    assert.equal(await silent.heard, '')
    assert.equal(await begun.heard, '')
    assert.match(await streamed.heard, /fast$/)
    await assert.rejects(ask(`${url}/fast`), /ECONNREFUSED/)
    assert.equal(isClosed, false)
    slowly.release()
    const { body, headers } = await slow
    assert.deepEqual([body, headers.connection], ['done', 'close'])
    await closed
  })

  void test('closing cuts off what is not done in time', async (context) => {
    const hanging = held({ body: '' })
    const { url, close } = await serve(context, { '/hangs': { GET: hanging.handle } })
    const asked = assert.rejects(ask(`${url}/hangs`), /socket hang up|ECONNRESET/)
    await hanging.entered
    const grace = new AbortController()
    const closed = close(grace.signal)
    grace.abort()
    await closed
    await asked
  })

  void test('a taken port, a foreign address and an unknown host are named', async (context) => {
    const { port } = await serve(context, echo)
    await assert.rejects(serve(context, echo, { port }), {
      message: `serving HTTP on 127.0.0.1:${port}: port ${port} is taken by another process; stop it, or choose another port`,
    })
    await assert.rejects(serve(context, echo, { host: '203.0.113.9' }), /is no address of this/)
  })

  void test('serves TLS, and closes also during a handshake', async (context) => {
    const { url, port, close } = await serve(context, echo, { tls })
    const { body } = await ask(`${url}/echo?a=1`, { ca: tls.cert })
    assert.equal(body, 'a=1')
    const silent = await connect(port)
    await close(never)
    assert.equal(await silent.heard, '')
  })

  void test('tells health and readiness with reasons, and metrics', async (context) => {
    let isSynced = false
    const ready: Checks = {
      lease: () => ({ ok: true }),
      cache: () => (isSynced ? { ok: true } : { ok: false, reason: 'pods are not listed yet' }),
      broken: async () => {
        if (!isSynced) throw new Error('no answer')
        return { ok: true }
      },
    }
    const metrics = registry()
    metrics.counter('a_total', 'A').inc()
    const { url } = await serve(context, probeRoutes({ live: {}, ready, metrics }))
    assert.equal((await ask(`${url}/healthz`)).body, 'ok\n')
    const before = await ask(`${url}/readyz`)
    assert.deepEqual(
      [before.status, before.body],
      [503, '[+] lease\n[-] cache: pods are not listed yet\n[-] broken: no answer\nnot ok\n'],
    )
    isSynced = true
    const then = await ask(`${url}/readyz`)
    assert.deepEqual([then.status, then.body], [200, '[+] lease\n[+] cache\n[+] broken\nok\n'])
    const page = await ask(`${url}/metrics`)
    assert.equal(page.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(page.body, metrics.render())
  })
})

/** Of localhost, for a hundred years; of no use to anybody. */
const tls = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUDUcnDCGryN9OHrveO/ri0MWyyG4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjAwNDQwM1oYDzIxMjYxMDIz
MDA0NDAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQZqLovdOtnWQTswebftpu3PlVUVsuoyY8eBEi/sorrvUNYoQ0nlzs1
8VH9JRyQlxFl1Ne2ZS/1cnDve2Zo6t2uo28wbTAdBgNVHQ4EFgQUVFpKTRH3lmis
ephc7dTsKwIyZxQwHwYDVR0jBBgwFoAUVFpKTRH3lmisephc7dTsKwIyZxQwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAMKU4lMhf5reN70Unmz2YnS7GEP6ghdVomqmNaVAKpgqAiBm
Dk+uJ5tjkrzbEmCLynbNLFEKglyzCnW6ospVNvl65g==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglTTTxe3ezS5w3U7p
sMDOvXjxEOUEQb+qS5UjobmmNCOhRANCAAQZqLovdOtnWQTswebftpu3PlVUVsuo
yY8eBEi/sorrvUNYoQ0nlzs18VH9JRyQlxFl1Ne2ZS/1cnDve2Zo6t2u
-----END PRIVATE KEY-----`,
}

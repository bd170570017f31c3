/** Against servers of ours; test/e2e/prometheus.test.ts has a real one. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { each } from '../../../test/each.ts'
import { instantClock } from '../../../test/instant-clock.ts'
import { openPrometheus, type PrometheusOptions } from './prometheus.ts'

type Asked = { readonly path: string; readonly token: string; readonly form: URLSearchParams }
type Answer = (response: ServerResponse, asked: Asked) => void

const pods = [{ namespace: 'shop', name: 'web' }]
const series = (pod: string, value: string) => ({
  metric: { namespace: 'shop', pod },
  value: [1, value],
})
const fine: Answer = (response) => {
  const result = [series('web', '0.5'), series('stranger', '9'), series('web', '+Inf')]
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
}

async function serve(t: TestContext, answer: Answer, isSecure = false) {
  const asked: Asked[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request))
    const path = `${request.method} ${request.url}`
    const one = { path, token: request.headers.authorization ?? '', form }
    asked.push(one)
    answer(response, one)
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void respond(request, response)
  const server = isSecure
    ? createSecureServer(certificates().server, listener)
    : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { asked, url: `http${isSecure ? 's' : ''}://127.0.0.1:${port}` }
}

function open(t: TestContext, options: PrometheusOptions, clock = instantClock()) {
  const source = openPrometheus(options, clock)
  t.after(source.close)
  const read = async (signal = new AbortController().signal) => source.read(pods, signal)
  return { ...source, read }
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-prometheus-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

void describe('asking Prometheus', () => {
  void test('gives the latencies of the pods that were asked for', async (t) => {
    const { url, asked } = await serve(t, fine)
    const { p99Millis, unusable } = await open(t, { url, query: 'q{pod=~"$pod"}' }).read()
    assert.deepEqual(Object.fromEntries(p99Millis), { 'shop/web': 500 })
    assert.equal(unusable, 1)
    const [one] = asked
    assert.equal(one?.path, 'POST /api/v1/query')
    assert.equal(one?.form.get('query'), 'q{pod=~"web"}')
    assert.equal(one?.form.get('timeout'), '5000ms')
    assert.equal(one?.token, '')
  })

  void test('goes below the path of its URL, with a slash at its end or without', async (t) => {
    const { url, asked } = await serve(t, fine)
    for (const path of ['/prometheus', '/prometheus/']) await open(t, { url: url + path }).read()
    for (const { path } of asked) assert.equal(path, 'POST /prometheus/api/v1/query')
    assert.equal(asked.length, 2)
  })

  void test('sends the name and password of its URL', async (t) => {
    const { url, asked } = await serve(t, fine)
    await open(t, { url: url.replace('//', '//me:secret@') }).read()
    assert.equal(asked[0]?.token, `Basic ${Buffer.from('me:secret').toString('base64')}`)
  })

  void test('sends the bearer token of a file, anew after a 401', async (t) => {
    const bearerTokenFile = join(folderFor(t), 'token')
    writeFileSync(bearerTokenFile, 'old\n')
    const { url, asked } = await serve(t, (response, one) => {
      if (one.token === 'Bearer new') fine(response, one)
      else response.writeHead(401).end('Unauthorized')
    })
    const { read } = open(t, { url, bearerTokenFile })
    await assert.rejects(read(), /got 401 \(does it want a bearer token, or another\?\)/)
    writeFileSync(bearerTokenFile, 'new\n')
    await read()
    assert.deepEqual(
      asked.map(({ token }) => token),
      ['Bearer old', 'Bearer new'],
    )
  })

  void test('trusts the CA of a file, as soon as it is the right one', async (t) => {
    const caFile = join(folderFor(t), 'ca.crt')
    writeFileSync(caFile, certificates().otherCa.cert)
    const { url, asked } = await serve(t, fine, true)
    const { read } = open(t, { url, caFile })
    await assert.rejects(read(), /not signed by a CA that we know .*: give that CA's file/)
    writeFileSync(caFile, certificates().ca.cert)
    assert.equal((await read()).p99Millis.size, 1)
    assert.equal(asked.length, 1)
  })

  for (const { name, status, body, says } of [
    {
      name: 'tells what Prometheus said of the query',
      status: 422,
      body: '{"status":"error","errorType":"execution","error":"too many samples"}',
      says: /^Error: asking http:\/\/127\.0\.0\.1:\d+\/ for up: expected 200, got 422: execution: too many samples$/,
    },
    {
      name: 'asks about the path after a 404',
      status: 404,
      body: 'nothing here',
      says: /got 404 \(is the path of the URL right\?\): .* got nothing here$/,
    },
    {
      name: 'does not follow a server elsewhere',
      status: 302,
      body: '',
      says: /expected 200, got 302/,
    },
    {
      name: 'tells that something else answered',
      status: 200,
      body: '<html>',
      says: /got <html>$/,
    },
    {
      name: 'reads no more than a bounded answer',
      status: 200,
      body: 'x'.repeat(2_000_000),
      says: /expected at most 1048576 bytes: narrow the query by \$namespace and \$pod$/,
    },
  ]) {
    void test(name, async (t) => {
      const { url } = await serve(t, (response) => response.writeHead(status).end(body))
      await assert.rejects(open(t, { url, query: 'up' }).read(), says)
    })
  }

  void test('waits no longer than it was told, be it for the answer or for its end', async (t) => {
    const silent = await serve(t, () => {})
    const endless = await serve(t, (response) => void response.write('{'))
    for (const { url } of [silent, endless]) {
      await assert.rejects(open(t, { url, timeoutMillis: 50 }).read(), /no answer within 0.05 s$/)
    }
  })

  void test('names the URL without its password when nobody is there', async (t) => {
    const { read, where } = open(t, { url: 'http://me:secret@127.0.0.1:1', query: 'up' })
    await assert.rejects(
      read(),
      /^Error: asking http:\/\/me@127\.0\.0\.1:1\/ for up: .*ECONNREFUSED/,
    )
    assert.equal(where, 'p99 latency from http://me@127.0.0.1:1/ by up')
  })

  void test('ends when it is aborted, and when it is closed', async (t) => {
    const { url } = await serve(t, () => {})
    const aborted = new AbortController()
    const first = open(t, { url }).read(aborted.signal)
    aborted.abort(new Error('enough'))
    await assert.rejects(first, /enough/)
    const { read, close } = open(t, { url })
    const second = read()
    close()
    await assert.rejects(second, /closed/)
  })

  each(
    [
      { name: 'wants a URL', url: 'prometheus:9090', says: /http:\/\/ or https:\/\/, got prom/ },
      { name: 'wants an address', url: 'prometheus', says: /a URL such as http/ },
      {
        name: 'wants no query in its URL',
        url: 'http://me:secret@p/?a=b',
        says: /without \? and #, got http:\/\/me@p\/\?a=b$/,
      },
      { name: 'has no use for a CA without TLS', url: 'http://p', says: /https:\/\/ with a CA/ },
    ],
    ({ url, says }) =>
      assert.throws(() => openPrometheus({ url, caFile: '/ca' }, instantClock()), says),
  )
})

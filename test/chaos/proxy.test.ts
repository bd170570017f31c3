import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'

import { certificates } from '../certificates.ts'
import { each } from '../each.ts'
import { createFaults, everyFault, type Faults } from './faults.ts'
import { startProxy, type Upstream } from './proxy.ts'

type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const opened: (() => Promise<unknown>)[] = []
after(async () => Promise.all(opened.map(async (close) => close())))

const line = (i: number) => `${JSON.stringify({ type: 'MODIFIED', object: { i } })}\n`
const whole = Array.from({ length: 3000 }, (_, i) => line(i)).join('')

/** An event stream of 3000 lines at /?watch=1, the same with a length at /list, an echo elsewhere. */
const serve: RequestListener = (from, to) => {
  if (from.url === '/?watch=1') {
    for (let i = 0; i < 3000; i += 1) to.write(line(i))
    to.end()
  } else if (from.url === '/list') {
    to.writeHead(200, { 'content-length': Buffer.byteLength(whole) }).end(whole)
  } else {
    to.setHeader('x-method', from.method ?? '')
    from.pipe(to)
  }
}

/** Its certificate is for kubernetes.default alone. */
async function upstream(): Promise<Upstream> {
  const { serverElsewhere, ca } = certificates()
  const server = https.createServer({ cert: serverElsewhere.cert, key: serverElsewhere.key }, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(async () => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, ca: ca.cert, serverName: 'kubernetes.default' }
}

async function way(faults: Faults) {
  const proxy = await startProxy({ upstream: await upstream(), faults })
  opened.push(proxy.close)
  return proxy
}

/**
 * What came of asking a few at a time, until all of `wanted` did; timing decides who meets what, and a
 * busy machine is given more and more time to answer.
 */
async function askUntil({
  wanted,
  request,
  outcome,
  faults,
}: {
  readonly wanted: readonly string[]
  readonly request: (patience: number) => Promise<Answer>
  readonly outcome: (answer: Answer) => string
  readonly faults: Faults
}): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  for (let i = 0; i < 60 && !wanted.every((one) => seen.has(one)); i += 1) {
    const patience = Math.min(400 * 2 ** Math.floor(i / 6), 10_000)
    const asking = Array.from({ length: 8 }, async () => request(patience))
    const answers = await Promise.allSettled(asking)
    for (const fault of faults.counts.keys()) seen.add(fault)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') seen.add(outcome(answer.value))
      else seen.add((answer.reason as Error).message)
    }
  }
  return seen
}

/** Rejects when the connection breaks, or nothing comes for `patience`. */
async function ask(
  { url, ca }: { readonly url: string; readonly ca: string | undefined },
  path: string,
  { body = '', patience = 10_000 } = {},
): Promise<Answer> {
  const method = body === '' ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const outgoing = https.request(url + path, { ca, method, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', ({ message }) =>
        reject(new Error(message === 'stalled' ? message : 'broken')),
      )
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
      })
    })
    outgoing.setTimeout(patience, () => outgoing.destroy(new Error('stalled')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

void describe('chaos proxy', () => {
  void test('passes everything through when settled', async () => {
    const faults = createFaults({ seed: 1, requestRatio: 1, streamRatio: 1 })
    faults.settle()
    const proxy = await way(faults)
    assert.equal((await ask(proxy, '/?watch=1')).body, whole)
    assert.equal((await ask(proxy, '/list')).body, whole)
    const echoed = await ask(proxy, '/echo', { body: 'hello' })
    assert.deepEqual([echoed.headers['x-method'], echoed.body], ['POST', 'hello'])
    assert.equal(faults.counts.size, 0)
  })

  void test('meets a request with every fault', async () => {
    const faults = createFaults({ seed: 1, requestRatio: 1, streamRatio: 0 })
    const proxy = await way(faults)
    const wanted = [
      ...everyFault.filter((fault) => fault.startsWith('request')),
      'Status 410 Expired',
      'Status 429 TooManyRequests',
      'Status 500 InternalError',
      'Status 503 ServiceUnavailable',
      'passed', // delayed
      'read ECONNRESET',
      'socket hang up',
      'stalled',
    ]
    const seen = await askUntil({
      wanted,
      faults,
      request: async (patience) => ask(proxy, '/list', { patience }),
      outcome: ({ status, headers, body }) => {
        if (status === 200) return 'passed'
        const { kind, code, reason } = JSON.parse(body) as Record<string, string | number>
        assert.equal(code, status)
        assert.equal(headers['retry-after'] !== undefined, status === 429)
        return `${kind} ${code} ${reason}`
      },
    })
    assert.deepEqual([...seen].toSorted(), [...wanted].toSorted())
  })

  void test('breaks answers anywhere, also within a line, and never makes anything up', async () => {
    const faults = createFaults({ seed: 2, requestRatio: 0, streamRatio: 0.6 })
    const proxy = await way(faults)
    const wanted = [
      ...everyFault.filter((fault) => fault.startsWith('stream')),
      'whole',
      'expired',
      'within a line',
      'broken',
      'stalled',
    ]
    const seen = await askUntil({
      wanted,
      faults,
      request: async (patience) =>
        ask(proxy, faults.random() < 0.3 ? '/list' : '/?watch=1', { patience }),
      outcome: ({ body }) => {
        const error = body.indexOf('{"type":"ERROR"')
        const kept = error === -1 ? body : body.slice(0, error)
        assert.ok(whole.startsWith(kept))
        if (error === -1 && kept === whole) return 'whole'
        const onLine = kept === '' || kept.endsWith('\n')
        assert.ok(error === -1 || onLine, 'an ERROR event has a line of its own')
        if (error !== -1) return 'expired'
        return onLine ? 'between lines' : 'within a line'
      },
    })
    assert.deepEqual(
      wanted.filter((one) => !seen.has(one)),
      [],
    )
  })

  void test('a settled proxy lets an answer that is under way end well', async () => {
    const faults = createFaults({ seed: 3, requestRatio: 0, streamRatio: 1 })
    const proxy = await way(faults)
    const answer = ask(proxy, '/?watch=1')
    faults.settle()
    assert.equal((await answer).body, whole)
  })

  each(
    [
      { name: 'a server of another name is not trusted', change: { serverName: 'localhost' } },
      {
        name: 'a server of another authority is not trusted',
        change: { ca: certificates().otherCa.cert },
      },
    ],
    async ({ change }) => {
      const faults = createFaults({ seed: 1, requestRatio: 0, streamRatio: 0 })
      const proxy = await startProxy({ upstream: { ...(await upstream()), ...change }, faults })
      opened.push(proxy.close)
      assert.equal((await ask(proxy, '/list')).status, 502)
    },
  )

  void test('speaks plain HTTP too, and is gone after close', async () => {
    const server = createServer(serve)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const faults = createFaults({ seed: 1, requestRatio: 0, streamRatio: 0 })
    const upstream = { url: `http://127.0.0.1:${port}` }
    const proxy = await startProxy({ upstream, faults, tls: false })
    assert.equal(proxy.ca, undefined)
    assert.equal(await (await fetch(`${proxy.url}/list`)).text(), whole)
    await proxy.close()
    await assert.rejects(fetch(`${proxy.url}/list`))
    server.closeAllConnections()
    server.close()
  })
})

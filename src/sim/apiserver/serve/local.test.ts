import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { configMaps, newServer, type TestServer } from '../../../../test/sim/api-server.ts'
import { ConnectionFailed } from '../../../ports/kube.ts'
import { Refusal } from '../refusal.ts'
import type { Fault } from './faults.ts'
import { createLocalTransport } from './local.ts'

const place = '/api/v1/namespaces/default/configmaps'
const create = {
  title: 'creating a',
  method: 'POST',
  path: place,
  contentType: 'application/json',
  body: '{"metadata":{"name":"a"},"data":{"a":"1"}}',
}
const watch = { title: 'watching', method: 'GET', path: `${place}?watch=1` }
const at = { namespace: 'default', name: 'a' }

const transportTo = (server: TestServer) =>
  createLocalTransport({ server, agenda: server.agenda, userAgent: 'test/1' })

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk)
  return text
}

const withFault = (fault: Fault) => newServer({ faults: () => fault })

void test('a request is answered without time going by', async () => {
  const server = newServer()
  const { status, chunks } = await transportTo(server).open(create)
  assert.equal(status, 201)
  assert.match(await textOf(chunks), /"manager":"test"/)
  assert.equal(server.agenda.now(), 0)
})

void test('time does not run away from a client that is there but has not asked yet', async () => {
  const server = newServer()
  const transport = transportTo(server)
  const asking = (async () => {
    for (let turns = 0; turns < 50; turns += 1) await Promise.resolve()
    await transport.open(create)
    return server.agenda.now()
  })()
  server.agenda.at(1000, () => {})
  await server.agenda.run({ until: 2000 })
  assert.equal(await asking, 0)
})

void test('a watch tells until it is aborted', async () => {
  const server = newServer()
  const transport = transportTo(server)
  const end = new AbortController()
  const { chunks } = await transport.open({ ...watch, signal: end.signal })
  await transport.open(create)
  const running = server.agenda.run({ until: 1 })
  const seen: string[] = []
  await assert.rejects(async () => {
    for await (const chunk of chunks) {
      seen.push(new TextDecoder().decode(chunk))
      end.abort(new Error('enough'))
    }
  }, /enough/)
  await running
  assert.equal(seen.length, 1)
})

void test('to close it ends its watches', async () => {
  const transport = transportTo(newServer())
  const { chunks } = await transport.open(watch)
  transport.close()
  await assert.rejects(textOf(chunks), /the client was closed/)
  await assert.rejects(transport.open(create), ConnectionFailed)
})

each(
  [
    { name: 'a reset before it is done leaves nothing', when: 'before', done: false },
    { name: 'a reset after it is done leaves what was done', when: 'after', done: true },
  ] as const,
  async ({ when, done }) => {
    const server = withFault({ kind: 'reset', when })
    await assert.rejects(transportTo(server).open(create), ConnectionFailed)
    assert.equal(server.api.find(configMaps, at) !== undefined, done)
  },
)

void test('a refusal is answered, and nothing is done', async () => {
  const refusal = new Refusal({
    code: 429,
    reason: 'TooManyRequests',
    message: 'slow down',
    details: { retryAfterSeconds: 3 },
  })
  const server = withFault({ kind: 'refuse', refusal })
  const { status, headers } = await transportTo(server).open(create)
  assert.equal(status, 429)
  assert.equal(headers['retry-after'], '3')
  assert.equal(server.api.find(configMaps, at), undefined)
})

void test('a delay takes simulated time', async () => {
  const server = withFault({ kind: 'delay', millis: 5000 })
  const answered = transportTo(server).open(create)
  await server.agenda.run({ until: 4999 })
  assert.equal(server.api.find(configMaps, at), undefined)
  await server.agenda.run({ until: 5000 })
  assert.equal((await answered).status, 201)
})

void test('a watch can break off after some events', async () => {
  const server = withFault({ kind: 'watch', after: 1, how: 'break' })
  for (const name of ['a', 'b']) {
    server.api.create(configMaps, { metadata: { ...at, name } }, { manager: 'test' })
  }
  const { chunks } = await transportTo(server).open(watch)
  await assert.rejects(textOf(chunks), ConnectionFailed)
})

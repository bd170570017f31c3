import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { configMaps, newServer, type TestServer } from '../../../../test/sim/api-server.ts'
import type { ApiObject } from '../object.ts'

const place = '/api/v1/namespaces/default/configmaps'
const by = { manager: 'test' }

const create = ({ api }: TestServer, name: string, labels: Record<string, string> = {}) =>
  api.create(configMaps, { metadata: { name, namespace: 'default', labels } }, by)

type Event = { readonly type: string; readonly object: ApiObject }

/** What a watch tells; `takes` says for how many events the client has time. */
function watch(server: TestServer, query = '', takes = Infinity) {
  const events: Event[] = []
  let ended = false
  const answer = server.handle({ method: 'GET', path: `${place}?watch=1${query}`, headers: {} })
  assert.ok(answer.kind === 'stream')
  const { stop } = answer.start({
    send: (chunk) => {
      events.push(JSON.parse(new TextDecoder().decode(chunk)) as Event)
      return events.length < takes
    },
    end: () => (ended = true),
  })
  const told = () =>
    events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim())
  return { events, told, stop, ended: () => ended }
}

void test('a watch begins with what is there, and tells what comes', async () => {
  const server = newServer()
  const made = create(server, 'a')
  const { told, stop } = watch(server)
  server.api.update(configMaps, { ...made, data: { a: '1' } }, by)
  server.api.remove(configMaps, made.metadata)
  assert.deepEqual(told(), ['ADDED a'])
  await server.agenda.run({ until: 1 })
  assert.deepEqual(told(), ['ADDED a', 'MODIFIED a', 'DELETED a'])
  stop()
  create(server, 'b')
  await server.agenda.run({ until: 2 })
  assert.equal(told().length, 3)
})

void test('a watch from a version tells what was missed, once', async () => {
  const server = newServer()
  const { resourceVersion } = create(server, 'a').metadata
  create(server, 'b')
  const { told } = watch(server, `&resourceVersion=${resourceVersion}`)
  await server.agenda.run({ until: 1 })
  assert.deepEqual(told(), ['ADDED b'])
})

void test('what begins to match is added, what stops to match is deleted as it was', async () => {
  const server = newServer()
  const made = create(server, 'a')
  const { events, told } = watch(server, '&labelSelector=mark%3Dyes')
  const label = (object: ApiObject, mark: string) =>
    server.api.update(
      configMaps,
      { ...object, metadata: { ...object.metadata, labels: { mark } } },
      by,
    )
  const no = label(label(made, 'yes'), 'no')
  await server.agenda.run({ until: 1 })
  assert.deepEqual(told(), ['ADDED a', 'DELETED a'])
  assert.deepEqual(events[1]?.object.metadata.labels, { mark: 'yes' })
  assert.equal(events[1]?.object.metadata.resourceVersion, no.metadata.resourceVersion)
})

void test('a version that is forgotten is an event, and the end', () => {
  const { events, ended } = watch(newServer(), '&resourceVersion=1')
  assert.equal(events[0]?.type, 'ERROR')
  assert.equal(events[0]?.object['message'], 'too old resource version: 1 (2)')
  assert.ok(ended())
})

void test('the end of the initial events is marked', () => {
  const server = newServer()
  create(server, 'a')
  const { events } = watch(
    server,
    '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'BOOKMARK'],
  )
  assert.deepEqual(events[1]?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
})

each(
  [
    {
      name: 'bookmarks come every minute and before the end',
      query: '&allowWatchBookmarks=true',
      bookmarks: 3,
    },
    { name: 'no bookmarks come where none are asked for', query: '', bookmarks: 0 },
  ],
  async ({ query, bookmarks }) => {
    const server = newServer()
    const { events, ended } = watch(server, `&timeoutSeconds=150${query}`)
    await server.agenda.run({ until: 149_999 })
    assert.equal(ended(), false)
    assert.equal(events.filter(({ type }) => type === 'BOOKMARK').length, bookmarks)
    await server.agenda.run({ until: 150_000 })
    assert.ok(ended())
  },
)

void test('without a limit a watch ends after half an hour to an hour', async () => {
  const server = newServer()
  const { ended } = watch(server)
  await server.agenda.run({ until: 30 * 60_000 - 1 })
  assert.equal(ended(), false)
  await server.agenda.run({ until: 60 * 60_000 })
  assert.ok(ended())
})

void test('a client that is too slow is ended, and the others go on', async () => {
  const server = newServer()
  const slow = watch(server, '', 2)
  const quick = watch(server)
  for (const name of ['a', 'b', 'c']) create(server, name)
  await server.agenda.run({ until: 1 })
  assert.equal(slow.told().length, 2)
  assert.ok(slow.ended())
  assert.equal(quick.told().length, 3)
})

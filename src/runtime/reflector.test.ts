import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  configMap,
  type ConfigMap,
  configMaps,
  refusal,
  watching,
} from '../../test/chaos/watching.ts'
import { each } from '../../test/each.ts'
import { memoryKube } from '../../test/memory-kube.ts'
import type { Kube, ListQuery } from '../ports/kube.ts'

const lists = (on: ReturnType<typeof watching>) =>
  on.lists().map(({ limit, continue: token }) => `${limit ?? 'all'} ${token ?? 'from the start'}`)
const versions = (on: ReturnType<typeof watching>) =>
  on.watches().map(({ resourceVersion }) => resourceVersion)

void describe('reflector', () => {
  void test('lists page by page, then watches from the version of the list', async () => {
    const on = watching({ pageSize: 2, selection: { namespace: 'default' } })
    await on.put(...['a', 'b', 'c', 'd', 'e'].map((name) => configMap(name)))
    on.start()
    assert.equal((await on.news()).length, 5)
    assert.deepEqual(lists(on), ['2 from the start', '2 page-1', '2 page-2'])
    assert.deepEqual(on.watches(), [
      // 70 to 140 s, drawn at random: here the middle.
      { namespace: 'default', resourceVersion: '5', timeoutSeconds: 105, allowBookmarks: true },
    ])
    on.stop()
  })

  void test('watches on from the last event when the server ends the watch', async () => {
    const on = watching()
    on.start()
    await on.news()
    await on.put(configMap('a'), configMap('b'))
    await on.news()
    on.server.endWatches()
    await on.put(configMap('c'))
    assert.deepEqual(await on.news(), ['added default/c ->'])
    assert.deepEqual([versions(on), on.lists().length], [['0', '2'], 1])
    on.stop()
  })

  void test('watches on from the last bookmark', async () => {
    const on = watching({ selection: { namespace: 'default' } })
    await on.put(configMap('a'))
    on.start()
    await on.news()
    await on.put(configMap('b', '', 'elsewhere'), configMap('c', '', 'elsewhere'))
    on.server.bookmark()
    await on.news()
    on.server.compact() // version 1 is forgotten, 3 is known
    on.server.endWatches()
    await on.put(configMap('d'))
    assert.deepEqual(await on.news(), ['added default/d ->'])
    assert.deepEqual([versions(on), on.lists().length], [['1', '3'], 1])
    on.stop()
  })

  each(
    [
      {
        name: 'a broken connection is followed by a watch, not a list',
        error: new Error('socket hang up'),
      },
      {
        name: 'a 500 in a watch is followed by a watch, not a list',
        error: refusal(500, 'InternalError'),
      },
      {
        name: 'a 503 in a watch is followed by a watch, not a list',
        error: refusal(503, 'ServiceUnavailable'),
      },
      {
        name: 'a 429 in a watch is followed by a watch, not a list',
        error: refusal(429, 'TooManyRequests', 1),
      },
    ],
    async ({ error }) => {
      const on = watching()
      on.start()
      await on.put(configMap('a'))
      await on.news()
      on.server.endWatches(error)
      await on.news()
      await on.put(configMap('b'))
      await on.clock.advance(2000)
      assert.deepEqual(await on.news(), ['added default/b ->'])
      assert.deepEqual([versions(on), on.lists().length], [['0', '1'], 1])
      on.stop()
    },
  )

  void test('lists again when the server has forgotten the version, and tells the difference', async () => {
    const on = watching()
    await on.put(...['same', 'gone', 'changed', 'reborn'].map((name) => configMap(name, '1')))
    const informer = on.start()
    await on.news()
    on.answers.watch.push(new Error('broken'))
    on.server.endWatches()
    await on.news()
    await on.remove('gone')
    await on.change('changed', '2')
    await on.remove('reborn')
    await on.put(configMap('reborn', '2'), configMap('new', '2'))
    on.server.compact()
    await on.clock.advance(10_000)
    assert.deepEqual(await on.news(), [
      'deleted default/gone 1->',
      'updated default/changed 1->2',
      'added default/new ->2',
      'deleted default/reborn 1->',
      'added default/reborn ->2',
    ])
    assert.equal(informer.counts.relists, 1)
    on.stop()
  })

  each(
    [
      { name: 'an ERROR event Expired lists again', error: refusal(410, 'Expired') },
      { name: 'an ERROR event Gone lists again', error: refusal(410, 'Gone') },
    ],
    async ({ error }) => {
      const on = watching()
      on.start()
      await on.put(configMap('a', '1'))
      await on.news()
      on.answers.watch.push(error)
      on.server.endWatches()
      await on.news()
      await on.change('a', '2')
      await on.clock.advance(2000)
      assert.deepEqual(await on.news(), ['updated default/a 1->2'])
      assert.deepEqual([versions(on), on.lists().length], [['0', '1', '2'], 2])
      on.stop()
    },
  )

  void test('three refusals in a row of one version list again; being busy does not count', async () => {
    const bad = refusal(500, 'InternalError')
    const on = watching({
      script: { watch: [bad, bad, refusal(429, 'TooManyRequests'), bad, bad, bad] },
    })
    on.start()
    await on.clock.advance(100_000)
    assert.deepEqual([on.watches().length, on.lists().length], [7, 2])
    on.stop()
  })

  void test('a token that expired starts the list again in one piece', async () => {
    const on = watching({ pageSize: 2 })
    await on.put(...['a', 'b', 'c', 'd', 'e'].map((name) => configMap(name)))
    on.answers.list.push(
      () => undefined,
      () => on.server.compact(),
    )
    const informer = on.start()
    assert.deepEqual(await on.news(), [])
    await on.remove('a')
    await on.clock.advance(2000)
    assert.equal((await on.news()).length, 4)
    assert.deepEqual(lists(on), ['2 from the start', '2 page-1', 'all from the start'])
    assert.deepEqual([versions(on), informer.store.size], [['6'], 4])
    on.stop()
  })

  void test('a page that failed is asked for again, not the whole list', async () => {
    const on = watching({ pageSize: 2 })
    await on.put(...['a', 'b', 'c'].map((name) => configMap(name)))
    const informer = on.start()
    on.answers.list.push(refusal(503, 'ServiceUnavailable'), new Error('socket hang up'))
    await on.clock.advance(5000)
    assert.deepEqual(lists(on), ['2 from the start', '2 page-1', '2 page-1', '2 page-1'])
    assert.equal(informer.store.size, 3)
    on.stop()
  })

  void test('a told-again older event is not applied: what was deleted stays so', async () => {
    const on = watching()
    await on.put(configMap('a', '1'))
    const [old] = (await on.server.list(configMaps)).items
    await on.change('a', '2')
    await on.remove('a')
    on.answers.watch.push([{ type: 'ADDED', object: old }])
    on.start()
    assert.deepEqual(await on.news(), [])
    on.stop()
  })

  void test('a bookmark from the past means that the storage was put back: its list is believed', async () => {
    const on = watching()
    await on.put(configMap('b', 'restored'))
    const [b] = (await on.server.list(configMaps)).items
    const at = (resourceVersion: string, { metadata }: ConfigMap) => ({
      type: 'ADDED',
      object: { metadata: { ...metadata, resourceVersion }, data: { value: resourceVersion } },
    })
    on.answers.watch.push(
      [at('5', configMap('a')), at('9', b ?? configMap('b'))],
      [{ type: 'BOOKMARK', resourceVersion: '3' }],
    )
    const informer = on.start()
    assert.deepEqual(await on.news(), [
      'added default/b ->restored',
      'added default/a ->5',
      'updated default/b restored->9',
    ])
    await on.clock.advance(2000)
    assert.deepEqual([on.lists().length, informer.store.size], [2, 2], 'one may be a mistake')
    await on.clock.advance(10_000)
    assert.deepEqual(await on.news(), ['deleted default/a 5->', 'updated default/b 9->restored'])
    assert.deepEqual(versions(on), ['1', '9', '1'])
    on.stop()
  })

  void test('of pages that differ in their version the first one counts: nothing is skipped', async () => {
    const server = memoryKube()
    const list = async (_: unknown, query: ListQuery = {}) =>
      query.continue === undefined
        ? { items: [], resourceVersion: '5', next: 'more' }
        : { items: [], resourceVersion: '7', next: undefined }
    const asked: (string | undefined)[] = []
    const watch: Kube['watch'] = (resource, query, options) => {
      asked.push(query.resourceVersion)
      return server.watch(resource, query, options)
    }
    const on = watching({ kube: { ...server, list, watch } })
    on.start()
    await on.news()
    assert.deepEqual(asked, ['5'])
    on.stop()
  })
})

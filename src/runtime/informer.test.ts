import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { configMap, configMaps, refusal, watching } from '../../test/chaos/watching.ts'
import { each } from '../../test/each.ts'

void describe('informer', () => {
  void test('tells what is there, then each change with what was before, in order', async () => {
    const on = watching()
    await on.put(configMap('a', '1'), configMap('b', '1', 'other'))
    const informer = on.start()
    assert.deepEqual(await on.news(), ['added default/a ->1', 'added other/b ->1'])
    await on.change('a', '2')
    await on.change('a', '3')
    await on.remove('a')
    await on.put(configMap('a', '4'))
    assert.deepEqual(await on.news(), [
      'updated default/a 1->2',
      'updated default/a 2->3',
      'deleted default/a 3->',
      'added default/a ->4',
    ])
    assert.equal(informer.store.get('default/a')?.data?.['value'], '4')
    assert.deepEqual(
      informer.store.byIndex('value', '1').map(({ metadata }) => metadata.name),
      ['b'],
    )
    on.stop()
  })

  void test('has synced once the whole first list is in the store and told', async () => {
    let sizeAtSync = 0
    let toldAtSync = 0
    const on = watching({
      pageSize: 1,
      script: { list: [refusal(503, 'ServiceUnavailable')] },
      handlers: [() => (toldAtSync += 1)],
      onSynced: () => {
        sizeAtSync = informer.store.size
        assert.equal(toldAtSync, 3)
      },
    })
    await on.put(configMap('a'), configMap('b'), configMap('c'))
    const informer = on.start()
    await on.news()
    assert.equal(informer.hasSynced(), false)
    await on.clock.advance(2000)
    assert.deepEqual([informer.hasSynced(), sizeAtSync, informer.counts.listedAt], [true, 3, 1200])
    assert.deepEqual(
      on.logged.map(({ message }) => message),
      ['reflecting'],
    )
    on.stop()
  })

  void test('an empty list is a list', async () => {
    const on = watching()
    const informer = on.start()
    await on.news()
    assert.equal(informer.hasSynced(), true)
    on.stop()
  })

  void test('a handler that throws is logged, and neither others nor later changes miss anything', async () => {
    const heard: string[] = []
    const on = watching({
      handlers: [
        ({ key }) => {
          throw new Error(`no ${key}`)
        },
        ({ type }) => heard.push(type),
      ],
    })
    const informer = on.start()
    await on.put(configMap('a', '1'))
    await on.news()
    await on.change('a', '2')
    await on.news()
    assert.deepEqual(heard, ['added', 'updated'])
    assert.deepEqual([informer.counts.errors, on.watches().length], [2, 1])
    assert.deepEqual(
      on.logged.map(({ message, key, change }) => ({ message, key, change })),
      [
        { message: 'handling an object', key: 'default/a', change: 'added' },
        { message: 'handling an object', key: 'default/a', change: 'updated' },
      ],
    )
    on.stop()
  })

  void test('an object that cannot be projected is logged and counts as absent', async () => {
    const on = watching({
      project: (object) => {
        if (object.data?.['value'] === 'bad') throw new Error('cannot be read')
        return object
      },
    })
    await on.put(configMap('a', 'bad'), configMap('b', 'good'))
    on.start()
    assert.deepEqual(await on.news(), ['added default/b ->good'])
    await on.change('b', 'bad')
    await on.change('a', 'good')
    assert.deepEqual(await on.news(), ['deleted default/b good->', 'added default/a ->good'])
    assert.deepEqual(
      on.logged.map(({ key }) => key),
      ['default/a', 'default/b'],
    )
    on.stop()
  })

  const large = async (on: ReturnType<typeof watching>, name: string) =>
    on.server.patch(
      configMaps,
      { namespace: 'default', name },
      { type: 'merge', body: { unread: 'too much', data: { value: 'lost' } } },
    )

  void test('one that becomes too large to read stays as it was, also in a list, until it goes', async () => {
    const on = watching()
    await on.put(configMap('a', '1'))
    const informer = on.start()
    assert.deepEqual(await on.news(), ['added default/a ->1'])
    await large(on, 'a')
    assert.deepEqual(await on.news(), [])
    on.server.endWatches(refusal(410, 'Expired'))
    await on.clock.advance(2000)
    assert.deepEqual([await on.news(), informer.counts.lists], [[], 2])
    assert.equal(informer.store.get('default/a')?.data?.['value'], '1')
    const unread = on.logged.filter(({ message }) => message === 'object not read')
    assert.deepEqual(unread, [
      { message: 'object not read', resource: 'configmaps', key: 'default/a', reason: 'too much' },
    ])
    await on.remove('a')
    assert.deepEqual(await on.news(), ['deleted default/a 1->'])
    on.stop()
  })

  void test('one of the same name that was never readable is not the one before', async () => {
    const on = watching()
    await on.put(configMap('a', '1'))
    on.start()
    await on.news()
    await on.remove('a')
    await on.put({ ...configMap('a', '2'), unread: 'too much' })
    assert.deepEqual(await on.news(), ['deleted default/a 1->'])
    on.stop()
  })

  void test('what stands for it is told, by what is known of it now and before', async () => {
    const on = watching({
      projectUnread: (object, held) =>
        held?.data?.['value'] === 'stays'
          ? undefined
          : { ...object, data: { value: `stub of ${held?.data?.['value'] ?? 'none'}` } },
    })
    await on.put({ ...configMap('a', '1'), unread: 'too much' })
    on.start()
    assert.deepEqual(await on.news(), ['added default/a ->stub of none'])
    const become = async (value: string) =>
      on.server.patch(
        configMaps,
        { namespace: 'default', name: 'a' },
        { type: 'merge', body: { unread: null, data: { value } } },
      )
    await become('2')
    assert.deepEqual(await on.news(), ['updated default/a stub of none->2'])
    await large(on, 'a')
    assert.deepEqual(await on.news(), ['updated default/a 2->stub of 2'])
    await become('stays')
    await large(on, 'a')
    assert.deepEqual(await on.news(), ['updated default/a stub of 2->stays'])
    on.stop()
  })

  void test('counts what went on', async () => {
    const on = watching()
    await on.put(configMap('a'))
    const informer = on.start()
    await on.clock.advance(1000)
    await on.change('a', '2')
    on.server.bookmark()
    await on.news()
    on.server.endWatches(refusal(410, 'Expired'))
    await on.clock.advance(2000)
    const { counts } = informer
    const { lists, relists, watches, events, bookmarks, errors } = counts
    assert.deepEqual(
      { lists, relists, watches, events, bookmarks, errors },
      { lists: 2, relists: 1, watches: 2, events: 1, bookmarks: 1, errors: 1 },
    )
    assert.deepEqual([counts.listedAt, counts.heardAt], [2200, 2200])
    on.stop()
  })

  each(
    [
      { name: 'stops at once while a list is on its way', script: { list: ['stall' as const] } },
      { name: 'stops at once in a pause after a failure', script: { list: [new Error('broken')] } },
      { name: 'stops at once in a pause of a watch', script: { watch: [new Error('broken')] } },
      { name: 'stops at once in a stalled watch', script: { watch: ['stall' as const] } },
      { name: 'stops at once in an open watch', script: {} },
    ],
    async ({ script }) => {
      const on = watching({ script })
      const informer = on.start()
      await on.news()
      on.stop()
      await on.put(configMap('late'))
      await informer.stopped
      const asked = on.asked.length
      await on.clock.advance(600_000)
      assert.deepEqual(await on.news(), [])
      assert.deepEqual([on.asked.length, on.clock.sleeping()], [asked, 0])
    },
  )

  void test('a handler that stops the informer hears nothing more', async () => {
    const on = watching({ handlers: [({ type }) => void (type === 'added' && on.stop())] })
    const [a, b] = ['a', 'b'].map((name) => ({ type: 'ADDED', object: configMap(name) }))
    on.answers.watch.push([a, b])
    await on.start().stopped
    assert.deepEqual(await on.news(), ['added default/a ->'])
  })

  void test('syncs once, however often it lists', async () => {
    let synced = 0
    const on = watching({ onSynced: () => (synced += 1) })
    const informer = on.start()
    await on.news()
    on.server.endWatches(refusal(410, 'Expired'))
    await on.clock.advance(2000)
    assert.deepEqual([informer.counts.lists, synced], [2, 1])
    on.stop()
  })
})

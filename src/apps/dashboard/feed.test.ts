import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Happening } from '../../apis/dashboard.ts'
import { createDecisions, createFeed } from './feed.ts'
import type { SeenAllocation } from './seen.ts'

const happening = (at: number, kind: Happening['kind'] = 'decision'): Happening => ({
  id: `h${at}`,
  at,
  kind,
  text: '',
})
const ids = (list: readonly Happening[]): string[] => list.map(({ id }) => id)

void describe('the feed', () => {
  void test('has the newest first, in whatever order they came, and none twice', () => {
    const feed = createFeed()
    for (const at of [3, 1, 2, 3]) feed.add(happening(at))
    assert.deepEqual(ids(feed.newest()), ['h3', 'h2', 'h1'])
    assert.equal(feed.newest(), feed.newest(), 'the same list while nothing is new')
  })

  void test('holds five hundred, and nothing older than them', () => {
    const feed = createFeed()
    for (let at = 10; at < 610; at += 1) feed.add(happening(at))
    feed.add(happening(5))
    assert.deepEqual([feed.newest().length, feed.newest().at(-1)?.id], [500, 'h110'])
  })

  void test('tells apart who suffered', () => {
    const feed = createFeed()
    for (let at = 0; at < 50; at += 1) {
      feed.add(happening(at, at % 2 === 0 ? 'suffering' : 'decision'))
    }
    assert.deepEqual([feed.newestSuffering().length, feed.newestSuffering()[0]?.id], [20, 'h48'])
  })
})

void describe('decisions on pods', () => {
  const allocation = (generation: number, key = 'shop/api') =>
    ({ key, uid: 'u1', generation, request: generation, urgency: 'normal', reason: 'x' }) as const
  const note = (decisions: ReturnType<typeof createDecisions>, generation: number, key?: string) =>
    decisions.note(allocation(generation, key) as unknown as SeenAllocation, 1)

  void test('one a generation, the newest first, fifty at most', () => {
    const decisions = createDecisions()
    for (let generation = 1; generation <= 60; generation += 1) note(decisions, generation)
    note(decisions, 60)
    const list = decisions.of('shop/api')
    assert.deepEqual([list.length, list[0]?.request, list.at(-1)?.request], [50, 60, 11])
    decisions.forget('shop/api')
    assert.deepEqual(decisions.of('shop/api'), [])
  })

  void test('of many pods fewer each', () => {
    const decisions = createDecisions()
    for (let pod = 0; pod < 5000; pod += 1) note(decisions, 1, `shop/${pod}`)
    for (let generation = 2; generation < 20; generation += 1) note(decisions, generation, 'shop/1')
    assert.equal(decisions.of('shop/1').length, 10)
  })
})

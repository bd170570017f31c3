import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualCaches, seenAllocation, seenNode, seenPod } from '../../../test/dashboard/caches.ts'
import { nodeView, podView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { createDecisions, createFeed } from './feed.ts'
import { createHistories } from './histories.ts'
import { createKnowledge } from './knowledge.ts'
import { allTime } from './record.ts'
import { createViews } from './views.ts'

const now = Date.UTC(2026, 0, 1)

function scene(...nodes: readonly string[]) {
  const caches = manualCaches()
  caches.put({ nodes: nodes.map((name) => seenNode(name)) })
  const knowledge = createKnowledge(caches, { pace: manualClock(), now: () => now })
  const feed = createFeed()
  const decisions = createDecisions()
  const histories = createHistories(1000)
  const views = createViews({ caches, knowledge, feed, decisions, histories, now: () => now })
  return { caches, knowledge, feed, decisions, views }
}

void describe('the view of the cluster', () => {
  void test('has a tile a node, who suffered lately, who suffers, and what is amiss', () => {
    const { knowledge, feed, views } = scene('n2', 'n1')
    knowledge.answered('n1', nodeView({ pods: [podView({ isSuffering: true })] }))
    feed.add({ id: 'g', at: 1, kind: 'suffering', text: 'waits' })
    feed.add({ id: 'd', at: 2, kind: 'decision', text: 'decided' })
    const view = views.cluster(allTime)
    assert.deepEqual([view.at, view.totals.nodes], [now, 2])
    assert.deepEqual(
      view.nodes.map(({ name }) => name),
      ['n1', 'n2'],
    )
    assert.deepEqual(
      view.sufferedLately.map(({ id }) => id),
      ['g'],
    )
    assert.deepEqual(
      view.suffering.map(({ key }) => key),
      ['shop/api'],
    )
    assert.match(view.troubles.join(), /^no fresh word of 1 of 2 nodes, such as n2: /)
    assert.deepEqual(
      views.events().events.map(({ id }) => id),
      ['d', 'g'],
    )
  })
})

void describe('the view of a node', () => {
  void test('has its tile, its pods, and what is kept from the market', () => {
    const { knowledge, views } = scene('n1')
    knowledge.answered('n1', nodeView())
    const view = views.node('n1', allTime)
    assert.deepEqual([view?.tile.name, view?.reserve, view?.held], ['n1', 400, 0])
    assert.deepEqual(
      view?.pods.map(({ key }) => key),
      ['shop/api'],
    )
  })

  void test('is none where there is no such node', () =>
    assert.equal(scene('n1').views.node('n2', allTime), undefined))
})

void describe('the view of a pod', () => {
  void test('has its bid, what it was given, what became of that, and every decision', () => {
    const { caches, knowledge, decisions, views } = scene('n1')
    const original = { request: 100, limit: 200 }
    const words = { phase: 'Pending', phaseReason: 'NodeHeadroom', message: 'n1 has 50m left' }
    const allocation = seenAllocation('shop/api', { original, ...words })
    caches.put({ pods: [seenPod('shop/api', { restarts: 3 })], allocations: [allocation] })
    knowledge.answered('n1', nodeView())
    decisions.note(allocation, now)
    const view = views.pod('shop/api', allTime)
    assert.deepEqual(view?.bid, podView().bid)
    assert.deepEqual(view?.original, original)
    assert.deepEqual(view?.state, {
      phase: 'Pending',
      reason: 'NodeHeadroom',
      message: 'n1 has 50m left',
    })
    assert.equal(view?.restarts, 3)
    assert.deepEqual(
      view?.decisions.map(({ reason }) => reason),
      ['gets its share'],
    )
    assert.equal(views.nodeOfPod('shop/api'), 'n1')
  })

  void test('says nothing of what MBCAS does not do: no bid, no allocation', () => {
    const { caches, views } = scene('n1')
    caches.put({ pods: [seenPod('shop/api')] })
    const view = views.pod('shop/api', allTime)
    assert.deepEqual([view?.row.isManaged, view?.decisions], [false, []])
    for (const part of ['bid', 'original', 'state']) assert.ok(view && !(part in view), part)
  })

  each(
    [
      { name: 'is none before the pod is bound', pod: seenPod('shop/api', { node: undefined }) },
      { name: 'is none where its node is gone', pod: seenPod('shop/api', { node: 'n9' }) },
      { name: 'is none after its end', pod: seenPod('shop/api', { isOver: true }) },
      { name: 'is none of another pod', pod: seenPod('shop/web') },
    ],
    ({ pod }) => {
      const { caches, views } = scene('n1')
      caches.put({ pods: [pod] })
      assert.equal(views.pod('shop/api', allTime), undefined)
    },
  )
})

void describe('the search', () => {
  each(
    [
      { name: 'for nothing finds nothing', words: ' ', nodes: [], pods: [] },
      {
        name: 'finds by part of a name, whatever its case',
        words: ' API ',
        nodes: [],
        pods: ['shop/api', 'shop/api-2', 'shop/web-api', 'shop/rapid'],
      },
      {
        name: 'finds nodes and pods',
        words: 'node-1',
        nodes: ['node-1', 'node-10'],
        pods: ['sys/proxy-node-1'],
      },
      {
        name: 'does not find pods that are not bound or have ended',
        words: 'gone',
        nodes: [],
        pods: [],
      },
    ],
    ({ words, nodes, pods }) => {
      const { caches, views } = scene('node-10', 'node-1', 'other')
      const bound = ['shop/rapid', 'shop/web-api', 'shop/api-2', 'shop/api', 'sys/proxy-node-1']
      caches.put({
        pods: [
          ...bound.map((key) => seenPod(key)),
          seenPod('shop/gone', { isOver: true }),
          seenPod('shop/gone-2', { node: undefined }),
        ],
      })
      const found = views.search(words)
      assert.deepEqual(found.nodes, nodes)
      assert.deepEqual(
        found.pods.map(({ key }) => key),
        pods,
      )
      assert.equal(found.left, 0)
    },
  )

  void test('shows fifty, at most half of them nodes, and says how many are left', () => {
    const many = Array.from({ length: 40 }, (_, i) => `a-${10 + i}`)
    const { caches, views } = scene(...many)
    caches.put({ pods: many.map((name) => seenPod(`shop/${name}`)) })
    const { nodes, pods, left } = views.search('a-')
    assert.deepEqual([nodes.length, pods.length, left], [25, 25, 30])
  })
})

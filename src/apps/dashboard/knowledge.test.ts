import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualCaches, seenMarket, seenNode, seenPod } from '../../../test/dashboard/caches.ts'
import { nodeView, podView } from '../../../test/dashboard/standings.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import type { PodView } from '../../apis/node-view.ts'
import { createKnowledge } from './knowledge.ts'

const timesOf = (clock: ReturnType<typeof manualClock>) => ({ pace: clock, now: clock.wall })

function scene(...names: readonly string[]) {
  const caches = manualCaches()
  const clock = manualClock()
  caches.put({ nodes: names.map((name) => seenNode(name)) })
  return { caches, clock, knowledge: createKnowledge(caches, timesOf(clock)) }
}

const suffering = (name: string, throttledRatio: number): PodView =>
  podView({ name, throttledRatio, isSuffering: true })

void describe('what is known of a node', () => {
  void test('nodes are in the order of their names, and go when they are gone', () => {
    const { caches, knowledge } = scene('n2', 'n1', 'n10')
    assert.deepEqual(knowledge.nodes(), ['n1', 'n10', 'n2'])
    caches.removeNode('n10')
    assert.deepEqual(knowledge.nodes(), ['n1', 'n2'])
    assert.equal(knowledge.standingOf('n10'), undefined)
  })

  void test('another node of the same name does not inherit what the agent of the first one said', () => {
    const { caches, knowledge } = scene('n1', 'n2')
    knowledge.answered('n1', nodeView())
    caches.removeNode('n1')
    assert.deepEqual(knowledge.nodes(), ['n2'])
    caches.put({ nodes: [seenNode('n1')] })
    assert.deepEqual(knowledge.nodes(), ['n1', 'n2'])
    assert.equal(knowledge.standingOf('n1')?.tile.mode, 'unknown')
  })

  void test('an answer counts for a minute; then only what the API knows', async () => {
    const { caches, clock, knowledge } = scene('n1')
    caches.put({ pods: [seenPod('shop/api')], markets: { n1: seenMarket() } })
    knowledge.answered('n1', nodeView())
    await clock.advance(60_000)
    assert.deepEqual(knowledge.standingOf('n1')?.tile.mode, 'uncongested')
    await clock.advance(1)
    const { tile } = knowledge.standingOf('n1') ?? {}
    assert.deepEqual(
      [tile?.mode, tile?.trouble],
      ['congested', 'nothing was heard of its agent lately'],
    )
  })

  void test('an agent that fails is told of at once, and what it said before still counts', () => {
    const { knowledge } = scene('n1')
    knowledge.answered('n1', nodeView())
    knowledge.failed('n1', 'connection refused')
    const { tile } = knowledge.standingOf('n1') ?? {}
    assert.deepEqual([tile?.mode, tile?.trouble], ['uncongested', 'connection refused'])
    knowledge.answered('n1', nodeView())
    assert.equal(knowledge.standingOf('n1')?.tile.trouble, undefined)
  })

  void test('an answer brings back the one before it', () => {
    const { knowledge } = scene('n1')
    const first = nodeView()
    assert.equal(knowledge.answered('n1', first), undefined)
    assert.equal(knowledge.answered('n1', nodeView()), first)
  })

  void test('an agent that does not renew its Lease is silent, whether it answers here or not', () => {
    const { caches, clock, knowledge } = scene('n1', 'n2')
    knowledge.answered('n1', nodeView())
    knowledge.answered('n2', nodeView({ node: 'n2' }))
    knowledge.failed('n2', 'connection refused')
    const silenceOf = (name: string) => {
      const { silentSince, trouble } = knowledge.standingOf(name)?.tile ?? {}
      return [silentSince, trouble]
    }
    assert.deepEqual(silenceOf('n1'), [undefined, undefined])
    caches.silent.set('n1', 41_000).set('n2', 52_000)
    const [since, why] = silenceOf('n1')
    assert.deepEqual([since, /does not renew/.test(String(why))], [clock.wall() - 41_000, true])
    assert.deepEqual(silenceOf('n2'), [clock.wall() - 52_000, 'connection refused'])
    caches.silent.clear()
    assert.deepEqual(silenceOf('n1'), [undefined, undefined])
  })

  void test('is worked out once, until something about the node changes', () => {
    const { caches, knowledge } = scene('n1')
    const before = knowledge.standingOf('n1')
    assert.equal(knowledge.standingOf('n1'), before)
    caches.put({ pods: [seenPod('shop/api'), seenPod('shop/done', { isOver: true })] })
    knowledge.stir('n1')
    assert.deepEqual(
      knowledge.standingOf('n1')?.rows.map(({ key }) => key),
      ['shop/api'],
      'a pod that has ended holds nothing',
    )
  })

  void test('what pods use is measured by metrics.k8s.io where no agent answers', () => {
    const { caches, knowledge } = scene('n1', 'n2')
    caches.put({ pods: [seenPod('shop/api'), seenPod('shop/web', { node: 'n2' })] })
    knowledge.answered('n1', nodeView())
    const answered = knowledge.standingOf('n1')
    knowledge.standingOf('n2')
    knowledge.measured(new Map(['shop/api', 'shop/web'].map((key) => [key, 33])))
    assert.equal(knowledge.standingOf('n1'), answered)
    assert.equal(knowledge.standingOf('n2')?.tile.used, 33)
  })

  void test('where its agent is: the address of the node, the port of its market', () => {
    const { caches, knowledge } = scene()
    caches.put({
      nodes: [seenNode('n1', { host: '10.0.0.1' })],
      markets: { n1: seenMarket({ agentPort: 9000 }) },
    })
    assert.deepEqual(knowledge.placeOf('n1'), { name: 'n1', host: '10.0.0.1', port: 9000 })
    assert.deepEqual(knowledge.placeOf('n2'), { name: 'n2', host: undefined, port: undefined })
  })
})

void describe('what is known of the cluster', () => {
  void test('sums over all nodes, and the highest price of any', () => {
    const { caches, knowledge } = scene('n1', 'n2')
    caches.put({ pods: [seenPod('shop/api'), seenPod('shop/web', { node: 'n2', request: 50 })] })
    caches.put({ markets: { n2: seenMarket() } })
    knowledge.answered('n1', nodeView())
    assert.deepEqual(knowledge.totals(), {
      nodes: 2,
      pods: 2,
      managedPods: 2,
      sufferingPods: 1,
      allocatable: 8000,
      capacity: 7100,
      sold: 3600,
      promised: 150,
      used: 80,
      price: 0.002,
    })
  })

  void test('no price where nobody pays one', () => {
    const { knowledge } = scene('n1')
    knowledge.answered('n1', nodeView())
    assert.ok(!('price' in knowledge.totals()))
  })

  void test('who suffers: the worst first, of all nodes, and twenty at most', () => {
    const { knowledge } = scene('n1', 'n2')
    const many = Array.from({ length: 30 }, (_, i) => suffering(`m${10 + i}`, 0.2))
    const pods = [...many, podView({ name: 'calm' }), suffering('worst', 0.9)]
    knowledge.answered('n1', nodeView({ pods }))
    knowledge.answered('n2', nodeView({ node: 'n2', pods: [suffering('bad', 0.5)] }))
    const keys = knowledge.suffering().map(({ key }) => key)
    assert.deepEqual(keys.slice(0, 4), ['shop/worst', 'shop/bad', 'shop/m10', 'shop/m11'])
    assert.equal(keys.length, 20)
  })

  void test('is partly blind while some agent has not answered', () => {
    const { knowledge } = scene('n1', 'n2')
    knowledge.answered('n1', nodeView())
    assert.equal(knowledge.isPartlyBlind(), true)
    knowledge.answered('n2', nodeView({ node: 'n2' }))
    assert.equal(knowledge.isPartlyBlind(), false)
  })

  void test('its troubles: what cannot be read, how many nodes are silent and why, what is not measured', () => {
    const caches = manualCaches(['the events cannot be read'])
    caches.put({ nodes: ['n1', 'n2', 'n3'].map((name) => seenNode(name)) })
    const knowledge = createKnowledge(caches, timesOf(manualClock()))
    for (const node of ['n1', 'n2', 'n3']) knowledge.answered(node, nodeView({ node }))
    knowledge.measured(undefined)
    assert.deepEqual(knowledge.troubles(), ['the events cannot be read'])
    knowledge.failed('n2', 'connection refused')
    knowledge.failed('n3', 'no route')
    assert.deepEqual(knowledge.troubles(), [
      'the events cannot be read',
      'no fresh word of 2 of 3 nodes, such as n2: connection refused',
      'metrics.k8s.io does not answer, so what pods use is not known where no agent answers',
    ])
  })
})

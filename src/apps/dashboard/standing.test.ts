import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { seenMarket, seenPod } from '../../../test/dashboard/caches.ts'
import { nodeView, podView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import type { PodRow } from '../../apis/dashboard.ts'
import type { PodView } from '../../apis/node-view.ts'
import type { SeenAllocation } from './seen.ts'
import { type NodeSources, severityOf, standNode } from './standing.ts'

const pod = seenPod('shop/api')
const market = seenMarket()
const sources = (given: Partial<NodeSources> = {}): NodeSources => ({
  name: 'n1',
  node: { name: 'n1', allocatable: 4000, isReady: true, message: '', host: undefined },
  market,
  answer: nodeView(),
  trouble: undefined,
  silentSince: undefined,
  pods: [pod],
  allocationOf: () => undefined,
  usedBy: () => undefined,
  ...given,
})

void describe('how a node stands', () => {
  void test('as its agent says', () => {
    const { tile, rows, bids, promised, managedPods } = standNode(sources())
    assert.deepEqual(tile, {
      name: 'n1',
      mode: 'uncongested',
      allocatable: 4000,
      capacity: 3600,
      sold: 100,
      used: 80,
      price: 0,
      pods: 1,
      suffering: 0,
      clearedAt: Date.UTC(2026, 0, 1),
    })
    assert.deepEqual(rows, [
      {
        key: 'shop/api',
        node: 'n1',
        used: 80,
        demand: 90,
        need: 100,
        floor: 50,
        entitled: 150,
        shareRatio: 0.25,
        gets: 100,
        request: 100,
        limit: 200,
        throttledRatio: 0,
        waitedRatio: 0,
        isInLane: true,
        state: 'well',
        isManaged: true,
        isSuffering: false,
        reason: 'gets its need',
      },
    ])
    assert.deepEqual([[...bids.keys()], promised, managedPods], [['shop/api'], 100, 1])
  })

  void test('without its agent as the API knows, and it says so', () => {
    const allocation = { need: 300, entitled: 100, gets: 200, price: 0.002, reason: 'short' }
    const { tile, rows, reserve, held } = standNode(
      sources({
        answer: undefined,
        trouble: 'asking the agent of node n1: refused',
        allocationOf: () => allocation as SeenAllocation,
        usedBy: () => 70,
      }),
    )
    const { mode, price, clearedAt, used, suffering, trouble } = tile
    assert.deepEqual(
      { mode, price, clearedAt, used, suffering, trouble, reserve, held },
      {
        mode: 'congested',
        price: 0.002,
        clearedAt: 7,
        used: 70,
        suffering: 1,
        trouble: 'asking the agent of node n1: refused',
        reserve: 400,
        held: 100,
      },
    )
    assert.deepEqual(rows, [
      {
        key: 'shop/api',
        node: 'n1',
        used: 70,
        demand: 300,
        need: 300,
        entitled: 100,
        gets: 200,
        request: 100,
        limit: 200,
        throttledRatio: 0,
        waitedRatio: 0,
        state: 'well',
        paid: 0.4,
        isManaged: true,
        isSuffering: false,
        reason: 'short',
      },
    ])
  })

  void test('of a node where nothing of ours runs no more than its pods is known', () => {
    const { tile, rows } = standNode(
      sources({ answer: undefined, market: undefined, trouble: 'no agent' }),
    )
    assert.deepEqual([tile.mode, tile.capacity, tile.pods], ['unknown', 0, 1])
    assert.match(rows[0]?.reason ?? '', /no PodAllocation/)
  })

  void test('that it is not ready matters more than why nobody answers there', () => {
    const node = { name: 'n1', allocatable: 1, isReady: false, message: 'gone', host: undefined }
    const { tile } = standNode(sources({ node, trouble: 'refused', silentSince: 7 }))
    assert.equal(tile.trouble, 'it is not ready: gone')
    assert.ok(!('silentSince' in tile))
  })

  void test('pods come in the order of their keys', () => {
    const names = ['b', 'a', 'c'].map((name) => podView({ name, uid: name }))
    const { rows } = standNode(sources({ answer: nodeView({ pods: names }) }))
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['shop/a', 'shop/b', 'shop/c'],
    )
  })
})

void describe('the ceiling of a pod', () => {
  const ceilingOf = (given: Partial<PodView>): number | undefined =>
    standNode(sources({ answer: nodeView({ pods: [podView(given)] }) })).rows[0]?.ceiling
  const { bid: _, ...outside } = podView()
  const { bid } = podView()
  assert.ok(bid)

  each<{ name: string; pod: Partial<PodView>; gives: number | undefined }>(
    [
      { name: 'is not its limit, which is lifted in the kernel', pod: {}, gives: undefined },
      { name: 'is what a person set', pod: { bid: { ...bid, ceilingByHand: 700 } }, gives: 700 },
      {
        name: 'of a strict pod is its limit',
        pod: { bid: { ...bid, isStrict: true } },
        gives: 200,
      },
    ],
    ({ pod, gives }) => assert.equal(ceilingOf(pod), gives),
  )

  void test('is the limit of one that takes no part', () => {
    const { rows } = standNode(sources({ answer: nodeView({ pods: [outside] }) }))
    assert.equal(rows[0]?.ceiling, 200)
  })
})

void describe('who is worse off', () => {
  each<{ name: string; pod: Partial<PodRow>; gives: number }>(
    [
      { name: 'nobody who is well', pod: {}, gives: 0 },
      { name: 'who waits for a CPU, by how long', pod: { waitedRatio: 0.3 }, gives: 0.3 },
      { name: 'who runs out of quota, by how often', pod: { throttledRatio: 0.4 }, gives: 0.4 },
      { name: 'who is late, by how much', pod: { p99Millis: 150, targetMillis: 100 }, gives: 0.5 },
      { name: 'not who is in time', pod: { p99Millis: 90, targetMillis: 100 }, gives: 0 },
      { name: 'not who has no target', pod: { p99Millis: 900 }, gives: 0 },
    ],
    ({ pod, gives }) =>
      assert.equal(severityOf({ throttledRatio: 0, waitedRatio: 0, ...pod }), gives),
  )
})

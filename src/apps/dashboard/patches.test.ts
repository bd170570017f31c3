import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { row, tile } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import type { ClusterView, Happening, NodeDetail, PodDetail } from '../../apis/dashboard.ts'
import { patchCluster, patchEvents, patchNode, patchPod } from './patches.ts'

const emptyHistory = {
  at: [],
  capacity: [],
  promised: [],
  sold: [],
  used: [],
  price: [],
  suffering: [],
}
const totals = {
  nodes: 2,
  pods: 3,
  managedPods: 3,
  sufferingPods: 0,
  allocatable: 8000,
  capacity: 7200,
  sold: 2000,
  promised: 1000,
  used: 900,
}
const happening = (id: string): Happening => ({ id, at: 1, kind: 'suffering', text: id })

const cluster = (given: Partial<ClusterView> = {}): ClusterView => ({
  at: 5,
  totals,
  history: emptyHistory,
  nodes: [tile(), tile({ name: 'n2' })],
  sufferedLately: [happening('a')],
  suffering: [],
  troubles: [],
  ...given,
})

void describe('the patch of the cluster', () => {
  const history = { ...emptyHistory, at: [5], used: [900] }
  each<{ name: string; now: Partial<ClusterView>; patch: object | undefined }>(
    [
      { name: 'is none where only time passed', now: { at: 6 }, patch: undefined },
      {
        name: 'has the nodes that changed, and those that came',
        now: { nodes: [tile(), tile({ name: 'n2', used: 7 }), tile({ name: 'n3' })] },
        patch: { nodes: [tile({ name: 'n2', used: 7 }), tile({ name: 'n3' })] },
      },
      {
        name: 'names those that went',
        now: { nodes: [tile({ name: 'n2' })] },
        patch: { gone: ['n1'] },
      },
      {
        name: 'has a node that lost a field',
        now: { nodes: [tile(), { ...tile({ name: 'n2' }), trouble: 'silent' }] },
        patch: { nodes: [{ ...tile({ name: 'n2' }), trouble: 'silent' }] },
      },
      {
        name: 'has what is new of who suffered',
        now: { sufferedLately: [happening('b'), happening('a')] },
        patch: { sufferedLately: [happening('b')] },
      },
      {
        name: 'has all who suffer, if that changed',
        now: { suffering: [row({ key: 'a/x' })] },
        patch: { suffering: [row({ key: 'a/x' })] },
      },
      { name: 'has the troubles', now: { troubles: ['x'] }, patch: { troubles: ['x'] } },
      { name: 'has the new points', now: { history }, patch: { history } },
      {
        name: 'has the totals as a whole',
        now: { totals: { ...totals, used: 1 } },
        patch: { totals: { ...totals, used: 1 } },
      },
    ],
    ({ now, patch }) => {
      const got = patchCluster(cluster(), cluster(now))
      assert.deepEqual(got, patch && { at: now.at ?? 5, ...patch })
    },
  )
})

void describe('the patch of a node', () => {
  const node = (given: Partial<NodeDetail> = {}): NodeDetail => ({
    at: 5,
    tile: tile(),
    reserve: 400,
    held: 0,
    pods: [row()],
    history: { at: [], price: [], mode: [], capacity: [], pods: [] },
    ...given,
  })

  void test('has whole rows that changed, and keys that went', () => {
    const now = node({ pods: [row({ key: 'shop/web', used: 1 })], held: 50 })
    assert.deepEqual(patchNode(node(), now), {
      at: 5,
      held: 50,
      pods: [row({ key: 'shop/web', used: 1 })],
      gone: ['shop/api'],
    })
    assert.equal(patchNode(now, node({ ...now, at: 6 })), undefined)
  })
})

void describe('the patch of a pod', () => {
  const bid = {
    floor: 50,
    need: 100,
    ceiling: 1000,
    weight: 1,
    entitled: 150,
    shareRatio: 0.25,
    gets: 100,
  }
  const decision = { at: 1, request: 100, limit: 200, urgency: 'normal' as const, reason: 'x' }
  const none: PodDetail['history'] = {
    at: [],
    demand: [],
    gets: [],
    entitled: [],
    request: [],
    ceiling: [],
    used: [],
    waitedRatio: [],
    throttledRatio: [],
    p99Millis: [],
  }
  const pod = (given: Partial<PodDetail> = {}): PodDetail => ({
    at: 5,
    row: row(),
    bid,
    restarts: 0,
    history: none,
    decisions: [decision],
    ...given,
  })

  void test('has what changed, and the decisions that are new', () => {
    const later = { ...decision, at: 2 }
    const now = pod({
      bid: { ...bid, need: 300 },
      restarts: 1,
      decisions: [later, decision],
    })
    const parts = { bid: { ...bid, need: 300 }, restarts: 1, decisions: [later] }
    assert.deepEqual(patchPod(pod(), now), { at: 5, ...parts })
    assert.equal(patchPod(now, now), undefined)
  })

  void test('is not enough where something went', () => {
    const { bid: _bid, ...without } = pod()
    assert.equal(patchPod(pod(), without), 'whole')
    assert.deepEqual(patchPod(without, pod()), { at: 5, bid })
  })
})

void test('the patch of the feed has what is new, also what belongs further down', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(happening)
  assert.ok(a && b && c)
  assert.deepEqual(patchEvents({ at: 1, events: [b] }, { at: 2, events: [c, b, a] }), {
    at: 2,
    events: [c, a],
  })
  assert.equal(patchEvents({ at: 1, events: [b] }, { at: 2, events: [b] }), undefined)
})

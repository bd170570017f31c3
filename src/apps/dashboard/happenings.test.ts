import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { nodeView, podView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import type { Happening } from '../../apis/dashboard.ts'
import type { KubeEvent } from '../../apis/event.ts'
import type { PodView } from '../../apis/node-view.ts'
import { tellAllocation, tellEvent, tellMarket, tellNode, tellStates } from './happenings.ts'
import type { SeenAllocation, SeenMarket } from './seen.ts'

const now = Date.UTC(2026, 0, 1)

const allocation = (given: Partial<SeenAllocation> = {}): SeenAllocation => ({
  key: 'shop/api',
  uid: 'u1',
  node: 'n1',
  generation: 1,
  observedGeneration: 0,
  decidedAt: undefined,
  request: 100,
  limit: 200,
  urgency: 'normal',
  mode: 'congested',
  need: 300,
  entitled: 100,
  gets: 200,
  price: 0.002,
  reason: 'gets less than its need',
  phase: 'Pending',
  phaseReason: '',
  message: '',
  applied: {},
  original: undefined,
  ...given,
})

const updated = (before: Partial<SeenAllocation>, after: Partial<SeenAllocation>) =>
  ({
    type: 'updated',
    key: 'shop/api',
    before: allocation(before),
    now: allocation(after),
  }) as const

void describe('what happens to an allocation', () => {
  type Told = { name: string; change: Parameters<typeof tellAllocation>[0]; tells: Happening[] }
  each<Told>(
    [
      {
        name: 'is told as a decision when it comes, with the time that the API has',
        change: { type: 'added', key: 'shop/api', now: allocation({ decidedAt: now - 5 }) },
        tells: [
          {
            id: 'decision u1 1',
            at: now - 5,
            kind: 'decision',
            text: 'shop/api should have a request of 100m and a limit of 200m: gets less than its need',
            pod: 'shop/api',
            node: 'n1',
          },
        ],
      },
      {
        name: 'in a hurry, with what was before',
        change: updated({}, { generation: 2, limit: undefined, urgency: 'guardrail' }),
        tells: [
          {
            id: 'decision u1 2',
            at: now,
            kind: 'decision',
            text: 'shop/api should have a request of 100m (was a request of 100m and a limit of 200m): gets less than its need',
            pod: 'shop/api',
            node: 'n1',
          },
        ],
      },
      {
        name: 'without its limit where that stays as it is',
        change: updated({ request: 80 }, { generation: 2 }),
        tells: [
          {
            id: 'decision u1 2',
            at: now,
            kind: 'decision',
            text: 'shop/api should have a request of 100m (was a request of 80m): gets less than its need',
            pod: 'shop/api',
            node: 'n1',
          },
        ],
      },
      {
        name: 'that it was carried out',
        change: updated(
          {},
          {
            observedGeneration: 1,
            phase: 'Applied',
            applied: { request: 90, limit: 200 },
          },
        ),
        tells: [
          {
            id: 'outcome u1 1 Applied  a request of 100m and a limit of 200m',
            at: now,
            kind: 'resize',
            text: 'shop/api now has a request of 90m and a limit of 200m',
            pod: 'shop/api',
            node: 'n1',
          },
        ],
      },
      {
        name: 'that it could not be, and why',
        change: updated(
          {},
          {
            observedGeneration: 1,
            phase: 'Failed',
            phaseReason: 'Infeasible',
            message: 'no room',
          },
        ),
        tells: [
          {
            id: 'outcome u1 1 Failed Infeasible',
            at: now,
            kind: 'warning',
            text: 'shop/api could not be resized: no room',
            pod: 'shop/api',
            node: 'n1',
          },
        ],
      },
      {
        name: 'not that it waits, and nothing where nothing changed',
        change: updated({ phase: 'Applied' }, { observedGeneration: 1, phase: 'Pending' }),
        tells: [],
      },
      {
        name: 'not what became of an older decision',
        change: updated(
          { generation: 2, observedGeneration: 0 },
          { generation: 2, observedGeneration: 1, phase: 'Applied' },
        ),
        tells: [],
      },
    ],
    ({ change, tells }) => assert.deepEqual(tellAllocation(change, now), tells),
  )
})

void describe('what happens to a node', () => {
  const market = (given: Partial<SeenMarket>): SeenMarket => ({
    mode: 'uncongested',
    allocatable: 0,
    reserve: 0,
    held: 0,
    capacity: 0,
    sold: 0,
    price: 0,
    clearedAt: now,
    managedPods: 0,
    sufferingPods: 0,
    agentPort: undefined,
    ...given,
  })

  void test('its market changed its mode', () => {
    const before = market({})
    const change = (to: Partial<SeenMarket>) =>
      ({ type: 'updated', key: 'n1', before, now: market(to) }) as const
    const [told] = tellMarket(change({ mode: 'congested', price: 0.003 }))
    assert.equal(
      told?.text,
      'n1 went from uncongested to congested at a price of 0.003 per millicore: not all needs fit, and the price shares what there is',
    )
    assert.deepEqual(tellMarket(change({ price: 1 })), [])
  })

  void test('it was lost, and came back', () => {
    const node = { name: 'n1', allocatable: 1, host: undefined }
    const lost = { ...node, isReady: false, message: 'kubelet stopped' }
    const ready = { ...node, isReady: true, message: '' }
    const textOf = (before: typeof lost, after: typeof lost) =>
      tellNode({ type: 'updated', key: 'n1', before, now: after }, now).map(({ text }) => text)
    assert.deepEqual(textOf(ready, lost), ['n1 is not ready: kubelet stopped'])
    assert.deepEqual(textOf(lost, ready), ['n1 is ready again'])
    assert.deepEqual(textOf(ready, ready), [])
  })
})

void describe('how pods do', () => {
  const told = (before: Partial<PodView>, after: Partial<PodView>) =>
    tellStates(
      nodeView({ pods: [podView(before)] }),
      nodeView({ pods: [podView(after)] }),
      now,
    ).map(({ text, node, pod }) => [text, node, pod])
  const textsOf = (before: Partial<PodView>, after: Partial<PodView>) =>
    told(before, after).map(([text]) => text)

  void test('is told as it changes, with what is seen', () => {
    assert.deepEqual(told({}, { state: 'waits', waitedRatio: 0.4 }), [
      ['shop/api waits for a CPU 40 % of the time', 'n1', 'shop/api'],
    ])
    const late = { state: 'late', p99Millis: 90, targetMillis: 50 } as const
    assert.deepEqual(textsOf({ state: 'waits' }, late), ['shop/api is late: p99 90 ms of 50 ms'])
    assert.deepEqual(textsOf({}, { state: 'throttled', throttledRatio: 0.3 }), [
      'shop/api is throttled in 30 % of periods',
    ])
    assert.deepEqual(textsOf(late, {}), ['shop/api no longer suffers'])
  })

  void test('is told of who is held back, once', () => {
    assert.deepEqual(textsOf({}, { heldTo: 700 }), [
      'shop/api is held to 700m, since a pod that has a claim to that CPU suffers',
    ])
    assert.deepEqual(textsOf({ heldTo: 700 }, { heldTo: 630 }), [])
    assert.deepEqual(textsOf({ heldTo: 700 }, {}), ['shop/api is no longer held back'])
  })

  void test('is not told where nothing changed, nor of who just came', () => {
    assert.deepEqual(told({ state: 'waits' }, { state: 'waits' }), [])
    assert.deepEqual(told({ uid: 'other' }, { state: 'waits' }), [])
  })
})

void describe('events of Kubernetes', () => {
  const event = (kind: string, given: Partial<KubeEvent> = {}): KubeEvent => ({
    metadata: { uid: 'e1' },
    involvedObject: { apiVersion: 'v1', kind, namespace: 'shop', name: 'api' },
    type: 'Warning',
    reason: 'BackOff',
    message: 'restarting',
    source: { component: 'kubelet' },
    reportingComponent: '',
    reportingInstance: '',
    count: 3,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    ...given,
  })

  void test('of a pod are sentences', () => {
    assert.deepEqual(tellEvent(event('Pod')), {
      id: 'event e1 3',
      at: now,
      kind: 'warning',
      text: 'shop/api: BackOff: restarting (3 times)',
      pod: 'shop/api',
    })
  })

  void test('of other objects are left out, and what is told otherwise', () => {
    assert.equal(tellEvent(event('Deployment')), undefined)
    assert.equal(tellEvent(event('Pod', { reason: 'ResizeStarted' })), undefined)
  })
})

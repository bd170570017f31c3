import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, wanting } from '../../../test/node-pods.ts'
import { type Decision, planNode } from '../../core/bidding/plan.ts'
import { type Millicores, millicores } from '../../core/units.ts'
import { allocationOf, amountsIn, isOtherSpec, withDecision } from './allocation.ts'

const decision = (request: number, limit: number, uid = 'u1', name = 'app'): Decision => ({
  pod: {
    uid,
    namespace: 'shop',
    name: 'api',
    phase: 'running',
    qosClass: 'Burstable',
    priority: 0,
    isStatic: false,
    hasPodResources: false,
    wishes: { isOptedOut: false, minCpu: undefined, maxCpu: undefined, priorityMultiplier: 1 },
    containers: [],
  },
  bid: {
    id: uid,
    floor: millicores(100),
    need: millicores(500),
    ceiling: millicores(2000),
    weight: 1,
  },
  enforcement: 'elastic',
  mode: 'overloaded',
  need: millicores(500),
  entitled: millicores(500),
  given: millicores(500),
  secured: millicores(500),
  shareRatio: 0.5,
  ceilingByHand: undefined,
  promise: millicores(500),
  request: millicores(request),
  limit: millicores(limit),
  containers: [{ name, request: millicores(request), limit: millicores(limit) }],
  price: null,
  reason: 'a test',
  notes: [],
})

const specOf = (decision: Decision) => allocationOf({ decision, urgency: 'normal' }, 'n1').spec

void describe('the amounts of an allocation', () => {
  void test('are those that were decided', () => {
    assert.deepEqual(amountsIn(specOf(decision(500, 1000))), {
      limits: new Map([['app', 1000]]),
      limit: 1000,
      request: 500,
    })
  })

  void test('may be told by a person in CPUs, and not all of them', () => {
    const {
      containers: _containers,
      desiredCPURequest: _request,
      ...spec
    } = specOf(decision(500, 1000))
    assert.deepEqual(amountsIn({ ...spec, desiredCPULimit: '1.5' }), {
      limits: new Map(),
      limit: 1500,
      request: undefined,
    })
  })
})

void describe('what is another spec', () => {
  const spec = specOf(decision(500, 1000))
  each(
    [
      { name: 'the same is not', now: decision(500, 1000), is: false },
      { name: 'a limit that rises is', now: decision(500, 1001), is: true },
      { name: 'a request that falls is', now: decision(499, 1000), is: true },
      { name: 'another pod of the same name is', now: decision(500, 1000, 'u2'), is: true },
      { name: 'another container is', now: decision(500, 1000, 'u1', 'log'), is: true },
    ],
    ({ now, is }) => assert.equal(isOtherSpec(spec, now), is),
  )

  each(
    [
      { name: 'without containers it is', before: { ...spec, containers: [] }, is: true },
      {
        name: 'a bare number counts CPUs',
        before: {
          ...spec,
          containers: [{ name: 'app', desiredCPURequest: '500m', desiredCPULimit: 1 }],
        },
        is: false,
      },
    ],
    ({ before, is }) => assert.equal(isOtherSpec(before, decision(500, 1000)), is),
  )

  void test('a container without a limit is published without one, and so is its pod', () => {
    const free = wanting('api', 0.4, {
      containers: [container({ demandCores: 0.4, limit: undefined })],
    })
    const [only] = planNode({ allocatable: millicores(1000) }, [free]).decisions
    assert.ok(only !== undefined)
    const spec = specOf(only)
    assert.deepEqual(spec.containers, [{ name: 'app', desiredCPURequest: '100m' }])
    assert.ok(!('desiredCPULimit' in spec))
    assert.equal(isOtherSpec(spec, only), false)
  })

  void test('urgency is told', () =>
    assert.equal(
      allocationOf({ decision: decision(1, 2), urgency: 'guardrail' }, 'n1').spec.urgency,
      'guardrail',
    ))

  void test('a price that has no meaning is left out', () => {
    assert.ok(spec.decision !== undefined && !('price' in spec.decision))
  })
})

const more = (amount: Millicores, times: number): Millicores =>
  millicores(Math.ceil(amount * times))

void describe('what is said of the market', () => {
  const before = decision(500, 1000)
  const spec = specOf(before)
  each<{ name: string; now: Partial<Decision>; says: boolean }>(
    [
      { name: 'is kept where it is still so', now: {}, says: false },
      {
        name: 'and where a tenth more is needed',
        now: { need: more(before.need, 1.1) },
        says: false,
      },
      {
        name: 'is new where half as much again is',
        now: { need: more(before.need, 1.5) },
        says: true,
      },
      { name: 'or is had', now: { given: more(before.given, 1.5) }, says: true },
      { name: 'or CPU became short', now: { mode: 'congested' }, says: true },
    ],
    ({ now, says }) => {
      const told = withDecision(spec, { ...before, ...now, reason: 'as it is now' })
      assert.equal(told?.decision?.reason, says ? 'as it is now' : undefined)
      if (told !== undefined) assert.deepEqual({ ...told, decision: spec.decision }, spec)
    },
  )
})

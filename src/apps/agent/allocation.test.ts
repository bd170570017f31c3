import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import { millicores } from '../../core/units.ts'
import { allocationOf, isWorthWriting } from './allocation.ts'

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
  mode: 'overloaded',
  need: millicores(500),
  request: millicores(request),
  limit: millicores(limit),
  containers: [{ name, request: millicores(request), limit: millicores(limit) }],
  price: null,
  reason: 'a test',
})

void describe('what is worth a write', () => {
  const { spec } = allocationOf(decision(500, 1000), 'n1')
  each(
    [
      { name: 'the same is not', now: decision(500, 1000), worth: false },
      { name: '2 % is not', now: decision(510, 980), worth: false },
      { name: 'a limit that rises by more is', now: decision(500, 1021), worth: true },
      { name: 'a request that falls by more is', now: decision(489, 1000), worth: true },
      { name: 'another pod of the same name is', now: decision(500, 1000, 'u2'), worth: true },
      { name: 'another container is', now: decision(500, 1000, 'u1', 'log'), worth: true },
    ],
    ({ now, worth }) => assert.equal(isWorthWriting(spec, now), worth),
  )

  each(
    [
      { name: 'without containers it is', before: { ...spec, containers: [] }, worth: true },
      {
        name: 'a bare number counts CPUs',
        before: {
          ...spec,
          containers: [{ name: 'app', desiredCPURequest: '500m', desiredCPULimit: 1 }],
        },
        worth: false,
      },
    ],
    ({ before, worth }) => assert.equal(isWorthWriting(before, decision(500, 1000)), worth),
  )

  void test('a price that has no meaning is left out', () => {
    assert.ok(spec.decision !== undefined && !('price' in spec.decision))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { PodAllocation } from '../../apis/pod-allocation.ts'
import { type Millicores, millis } from '../../core/units.ts'
import { nextStatus, type Outcome } from './status.ts'

const cpu = (name: string, request: number, limit: number) => ({
  name,
  request: request as Millicores,
  limit: limit as Millicores,
})

const allocation = (status?: PodAllocation['status']): PodAllocation => ({
  metadata: { name: 'web', generation: 3 },
  spec: { podName: 'web', urgency: 'normal', decision: { price: 0.002 } },
  ...(status && { status }),
})

const applied: Outcome = {
  phase: 'Applied',
  reason: 'Applied',
  message: 'has it',
  actuated: [cpu('app', 100, 1500), cpu('log', 50, 500)],
  attempted: false,
}

void describe('apps/controller: the status', () => {
  const first = nextStatus(allocation(), applied, millis(1_000_000))

  void test('tells what was applied, when, at what price, and for which generation', () => {
    const { conditions, ...status } = first ?? {}
    assert.deepEqual(status, {
      phase: 'Applied',
      reason: 'Applied',
      message: 'has it',
      attempts: 0,
      appliedCPURequest: '150m',
      appliedCPULimit: '2',
      containers: [
        { name: 'app', appliedCPURequest: '100m', appliedCPULimit: '1500m' },
        { name: 'log', appliedCPURequest: '50m', appliedCPULimit: '500m' },
      ],
      observedGeneration: 3,
      shadowPriceCPU: 0.002,
      lastAppliedTime: '1970-01-01T00:16:40Z',
    })
    assert.equal(conditions?.[0]?.status, 'True')
  })

  void test('nothing new is nothing to write', () => {
    assert.equal(nextStatus(allocation(first), applied, millis(2_000_000)), undefined)
  })

  void test('attempts count for one generation of the spec', () => {
    const tried: Outcome = { ...applied, phase: 'Pending', reason: 'Resizing', attempted: true }
    const second = nextStatus(allocation(first), tried, millis(2_000_000))
    assert.equal(second?.attempts, 1)
    assert.equal(second?.lastAttemptTime, '1970-01-01T00:33:20Z')
    const renewed = { ...allocation(second), metadata: { name: 'web', generation: 4 } }
    assert.equal(nextStatus(renewed, tried, millis(3_000_000))?.attempts, 1)
  })
})

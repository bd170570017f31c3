import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { allocationObject, cpu, notedWith, podObject } from '../../../test/controller-pods.ts'
import type { PodAllocationStatus } from '../../apis/pod-allocation.ts'
import { millis } from '../../core/units.ts'
import type { Outcome } from './outcome.ts'
import { seePod } from './seen-pod.ts'
import { type News, nextStatus } from './status.ts'

const pod = seePod(
  podObject({
    metadata: notedWith('{"app":{"request":"50m","limit":"1"},"log":{"limit":"200m"}}'),
    spec: { containers: [{ name: 'app' }, { name: 'log' }] },
    status: {
      containerStatuses: [
        { name: 'app', restartCount: 0, resources: cpu('100m', '1500m') },
        { name: 'log', restartCount: 0, resources: cpu('50m', '500m') },
      ],
    },
  }),
)
const applied: Outcome = {
  phase: 'Applied',
  reason: 'Applied',
  message: 'has it',
  pod,
  attempted: false,
}
const news = (outcome: Partial<Outcome> = {}, more: Partial<News> = {}): News => ({
  allocation: allocationObject({ decision: { price: 0.002 } }, { generation: 3 }),
  outcome: { ...applied, ...outcome },
  attempts: 0,
  attemptedAt: undefined,
  ...more,
})

const statusOf = (conditions: PodAllocationStatus['conditions'], type: string) =>
  conditions?.find((condition) => condition.type === type)?.status

void describe('apps/controller: the status', () => {
  const first = nextStatus({}, news(), millis(1_000_000))

  void test('tells what was applied, what was there before, when, at what price, and for which generation', () => {
    const { conditions, ...status } = first
    assert.deepEqual(status, {
      phase: 'Applied',
      reason: 'Applied',
      message: 'has it',
      attempts: 0,
      appliedCPURequest: '150m',
      appliedCPULimit: '2',
      originalCPURequest: '50m',
      originalCPULimit: '1200m',
      containers: [
        {
          name: 'app',
          appliedCPURequest: '100m',
          appliedCPULimit: '1500m',
          originalCPURequest: '50m',
          originalCPULimit: '1',
        },
        {
          name: 'log',
          appliedCPURequest: '50m',
          appliedCPULimit: '500m',
          originalCPULimit: '200m',
        },
      ],
      observedGeneration: 3,
      shadowPriceCPU: 0.002,
      lastAppliedTime: '1970-01-01T00:16:40Z',
    })
    assert.equal(statusOf(conditions, 'Applied'), 'True')
    assert.equal(statusOf(conditions, 'Resizable'), 'True')
  })

  void test('the same again is the same', () => {
    assert.deepEqual(nextStatus(first, news(), millis(2_000_000)), first)
  })

  void test('what forbids it is a condition', () => {
    const refused = news({ phase: 'Failed', reason: 'LimitRange', message: 'too much' })
    const { conditions } = nextStatus(first, refused, millis(2_000_000))
    assert.equal(statusOf(conditions, 'Applied'), 'False')
    assert.deepEqual(
      conditions?.find(({ type }) => type === 'Resizable'),
      {
        type: 'Resizable',
        status: 'False',
        reason: 'LimitRange',
        message: 'too much',
        observedGeneration: 3,
        lastTransitionTime: '1970-01-01T00:33:20Z',
      },
    )
  })

  void test('attempts count for one generation of the spec', () => {
    const tried = news(
      { phase: 'Pending', reason: 'Resizing' },
      { attempts: 1, attemptedAt: millis(2_000_000) },
    )
    const second = nextStatus(first, tried, millis(2_000_000))
    assert.equal(second.attempts, 1)
    assert.equal(second.lastAttemptTime, '1970-01-01T00:33:20Z')
    const allocation = allocationObject({}, { generation: 4 })
    assert.equal(nextStatus(second, { ...tried, allocation }, millis(3_000_000)).attempts, 1)
  })

  void test('original values go when they are restored, and stay unknown without the pod', () => {
    const { originalCPULimit } = nextStatus(first, news({ pod: seePod(podObject()) }), millis(0))
    assert.equal(originalCPULimit, undefined)
    const gone = nextStatus(first, news({ phase: 'Failed', pod: undefined }), millis(0))
    assert.equal(gone.appliedCPULimit, '2')
  })

  void test('another amount is applied at another time', () => {
    const less = seePod(podObject())
    const { lastAppliedTime } = nextStatus(first, news({ pod: less }), millis(2_000_000))
    assert.equal(lastAppliedTime, '1970-01-01T00:33:20Z')
  })
})

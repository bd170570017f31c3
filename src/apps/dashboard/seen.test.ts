import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import type { Pod, PodSpec } from '../../apis/pod.ts'
import { seeAllocation, seeMarket, seeNode, seePod } from './seen.ts'

const container = (name: string, request?: string, limit?: string) => ({
  name,
  resources: {
    ...(request !== undefined && { requests: { cpu: request } }),
    ...(limit !== undefined && { limits: { cpu: limit } }),
  },
})
const pod = (spec: PodSpec, status: Pod['status'] = {}): Pod => ({
  metadata: { namespace: 'shop', name: 'api' },
  spec,
  status,
})

void describe('what is kept of a pod', () => {
  const sidecar = { ...container('proxy', '50m', '100m'), restartPolicy: 'Always' }
  const init = container('migrate', '2', '2')
  each<{ name: string; spec: PodSpec; gives: [number, number | undefined] }>(
    [
      {
        name: 'the sums over what lasts: containers and sidecars',
        spec: { containers: [container('app', '0.1', '1')], initContainers: [sidecar, init] },
        gives: [150, 1100],
      },
      {
        name: 'no limit where some container has none',
        spec: { containers: [container('app', '100m', '1'), container('log', '50m')] },
        gives: [150, undefined],
      },
      {
        name: 'what it has as a whole counts before its parts',
        spec: {
          containers: [container('app', '100m')],
          resources: { requests: { cpu: '300m' }, limits: { cpu: '400m' } },
        },
        gives: [300, 400],
      },
    ],
    ({ spec, gives }) => {
      const { request, limit } = seePod(pod(spec))
      assert.deepEqual([request, limit], gives)
    },
  )

  void test('where it is, whether it has ended, and its restarts', () => {
    const status = (name: string, restartCount: number) => ({ name, restartCount })
    const seen = seePod(
      pod(
        { nodeName: 'n1', containers: [] },
        {
          phase: 'Failed',
          containerStatuses: [status('app', 2)],
          initContainerStatuses: [status('proxy', 1)],
        },
      ),
    )
    const { key, node, isOver, restarts } = seen
    assert.deepEqual([key, node, isOver, restarts], ['shop/api', 'n1', true, 3])
  })
})

void test('what is kept of a node: whether it is ready, and where it is', () => {
  const addresses = [
    { type: 'Hostname', address: 'n1' },
    { type: 'InternalIP', address: '10.0.0.1' },
  ]
  const conditions = [{ type: 'Ready', status: 'Unknown' as const, message: 'silent' }]
  const seen = seeNode({
    metadata: { name: 'n1' },
    status: { allocatable: { cpu: '4' }, addresses, conditions },
  })
  const words = { isReady: false, message: 'silent', host: '10.0.0.1' }
  assert.deepEqual(seen, { name: 'n1', allocatable: 4000, ...words })
})

void test('a market of nothing that we know is none', () => {
  assert.equal(seeMarket({ metadata: { name: 'n1' }, status: { resources: [] } }), undefined)
})

void describe('what is kept of an allocation', () => {
  const allocation = (given: Partial<PodAllocation> = {}): PodAllocation => ({
    metadata: {
      namespace: 'shop',
      name: 'api',
      uid: 'u1',
      generation: 3,
      managedFields: [
        { manager: 'mbcas-agent', time: '2026-01-01T00:00:05Z' },
        { manager: 'kubectl', time: '2026-01-01T00:00:02Z' },
        { manager: 'mbcas-controller', subresource: 'status', time: '2026-01-01T00:09:00Z' },
      ],
    },
    spec: {
      podName: 'api',
      nodeName: 'n1',
      desiredCPURequest: '100m',
      desiredCPULimit: 2,
      urgency: 'guardrail',
      decision: { mode: 'congested', need: '1500m', price: 0.01, reason: 'short' },
    },
    ...given,
  })

  void test('amounts in millicores, and when it was decided: not when it was carried out', () => {
    const seen = seeAllocation(allocation())
    assert.deepEqual(
      [seen.request, seen.limit, seen.need, seen.phase, seen.original],
      [100, 2000, 1500, 'Pending', undefined],
    )
    assert.equal(seen.decidedAt, Date.UTC(2026, 0, 1, 0, 0, 5))
  })

  void test('what it came with, as far as that was set', () => {
    const status = { originalCPURequest: '50m', phase: 'Applied' as const, observedGeneration: 3 }
    const seen = seeAllocation(allocation({ status }))
    assert.deepEqual([seen.original, seen.observedGeneration], [{ request: 50 }, 3])
  })

  void test('one that a person wrote may say nothing of why', () => {
    const spec = { podName: 'api', urgency: 'normal' as const, desiredCPULimit: '1' }
    assert.equal(seeAllocation(allocation({ spec })).reason, 'nobody wrote why')
  })
})

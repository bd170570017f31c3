import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { podAllocations } from '../apis/pod-allocation.ts'
import { pods } from '../apis/pod.ts'
import { ownerReference } from './owner-reference.ts'

void describe('runtime/owner-reference', () => {
  void test('names the object by kind, name and uid', () => {
    const pod = { metadata: { name: 'api', uid: 'u1' }, spec: { containers: [] } }
    assert.deepEqual(ownerReference(pods, pod), {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'api',
      uid: 'u1',
      controller: true,
    })
  })

  void test('a group stands before the version', () => {
    const allocation = {
      metadata: { name: 'api', uid: 'u2' },
      spec: { podName: 'api', urgency: 'normal' },
    } as const
    const { apiVersion, kind } = ownerReference(podAllocations, allocation)
    assert.deepEqual([apiVersion, kind], ['allocation.mbcas.io/v1alpha1', 'PodAllocation'])
  })

  void test('an object that was never stored cannot own', () => {
    const pod = { metadata: { name: 'api' }, spec: { containers: [] } }
    assert.throws(() => ownerReference(pods, pod), /making an owner of Pod api: expected .* uid/)
  })
})

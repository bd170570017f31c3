import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { allocationObject, cpu, notedWith, podObject } from '../../../test/controller-pods.ts'
import type { ObjectMeta } from '../../apis/object.ts'
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import { createNodeLedger } from './node-ledger.ts'
import { seePod, type SeenPod } from './seen-pod.ts'
import { createWaitingRoom, quotaOf, roomOn } from './waiting-room.ts'
import { createWaker } from './wake.ts'

const pod = (name: string, request = '100m', metadata: ObjectMeta = {}): SeenPod =>
  seePod(
    podObject({
      metadata: { name, uid: `uid-${name}`, ...metadata },
      spec: { containers: [{ name: 'app', resources: cpu(request) }] },
      status: { containerStatuses: [] },
    }),
  )
const original = notedWith('{}')

function start(pods: readonly SeenPod[], allocated: readonly string[]) {
  const woken: string[] = []
  const forgotten: string[] = []
  const waiting = createWaitingRoom()
  const waker = createWaker({
    queue: { add: (key) => void woken.push(key) },
    allocationOf: (key) => (allocated.includes(key) ? allocationObject() : undefined),
    pods: () => ({
      size: pods.length,
      get: (key) => pods.find((one) => one.key === key),
      list: () => [...pods],
      byIndex: () => [...pods],
    }),
    ledger: createNodeLedger((key) => pods.find((one) => one.key === key)),
    waiting,
    forgetAllocation: (key) => void forgotten.push(key),
    forgetPod: (uid) => void forgotten.push(uid),
  })
  return { waker, waiting, woken, forgotten }
}

void describe('apps/controller: who is woken', () => {
  void test('by an allocation its pod, but not by its status', () => {
    const { waker, woken, forgotten } = start([], [])
    const now: PodAllocation = allocationObject()
    waker.allocation({ type: 'added', key: 'shop/web', now })
    const told = { ...now, status: { phase: 'Applied' as const } }
    waker.allocation({ type: 'updated', key: 'shop/web', before: now, now: told })
    assert.deepEqual(woken, ['shop/web'])
    const other = { ...now, metadata: { ...now.metadata, generation: 2 } }
    waker.allocation({ type: 'updated', key: 'shop/web', before: now, now: other })
    waker.allocation({ type: 'deleted', key: 'shop/web', before: other })
    assert.equal(woken.length, 3)
    assert.deepEqual(forgotten, ['shop/web'])
  })

  void test('by a pod itself, if somebody wants something of it or once did', () => {
    const { waker, woken } = start([], ['shop/web'])
    const all = [pod('web'), pod('other'), pod('left', '100m', original)]
    for (const now of all) waker.pod({ type: 'added', key: now.key, now })
    assert.deepEqual(woken, ['shop/web', 'shop/left'])
  })

  void test('by a pod that shrinks or goes, those who wait for room on its node', () => {
    const { waker, waiting, woken, forgotten } = start([], [])
    waiting.wait('shop/web', roomOn('node-0'))
    const [before, now] = [pod('api', '500m'), pod('api', '200m')]
    waker.pod({ type: 'added', key: 'shop/api', now: before })
    waker.pod({ type: 'updated', key: 'shop/api', before, now })
    assert.deepEqual(woken, ['shop/web'])
    waker.pod({ type: 'updated', key: 'shop/api', before: now, now: before })
    waker.pod({ type: 'deleted', key: 'shop/api', before })
    assert.deepEqual(woken, ['shop/web', 'shop/web'])
    assert.deepEqual(forgotten, ['uid-api'])
  })

  void test('by a node or a namespace, its pods that take part; by a quota, who waits for it', () => {
    const pods = [pod('web'), pod('other')]
    const { waker, waiting, woken } = start(pods, ['shop/web'])
    waker.node('node-0')
    waker.namespace('shop')
    assert.deepEqual(woken, ['shop/web', 'shop/web'])
    waiting.wait('shop/other', quotaOf('shop'))
    waker.quota('shop')
    assert.equal(woken.at(-1), 'shop/other')
  })
})

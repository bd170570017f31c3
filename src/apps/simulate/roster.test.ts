import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Pod } from '../../apis/pod.ts'
import { createRoster, stagedPod } from './roster.ts'

const owner = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name, uid: 'u', controller: true }],
})

const podOf = (metadata: Partial<Pod['metadata']> = {}, more: Partial<Pod> = {}): Pod => ({
  metadata: { name: 'web-7d9f-abcde', namespace: 'default', uid: 'uid-1', ...metadata },
  spec: {
    nodeName: 'node-0',
    containers: [{ name: 'app', resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } } }],
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    containerStatuses: [
      { name: 'app', containerID: 'containerd://c1', restartCount: 2, state: { running: {} } },
    ],
  },
  ...more,
})

void describe('a staged pod', () => {
  each(
    [
      {
        name: 'belongs to the Deployment of its ReplicaSet',
        metadata: owner('ReplicaSet', 'shop-web-7d9f'),
        workload: 'shop-web',
      },
      { name: 'or to its Job', metadata: owner('Job', 'report'), workload: 'report' },
      { name: 'or stands for itself', metadata: {}, workload: 'web-7d9f-abcde' },
      {
        name: 'and is named with its namespace elsewhere',
        metadata: { ...owner('ReplicaSet', 'web-7d9f'), namespace: 'shop' },
        workload: 'shop/web',
      },
    ],
    ({ metadata, workload }) => assert.equal(stagedPod(podOf(metadata))?.workload, workload),
  )

  void test('knows its containers, its target and its restarts', () => {
    const pod = stagedPod(podOf({ annotations: { 'mbcas.io/target-latency-ms': '50' } }))
    assert.equal(pod?.targetMillis, 50)
    assert.equal(pod?.restarts, 2)
    const place = { podUid: 'uid-1', qosClass: 'Burstable', containerId: 'containerd://c1' }
    assert.deepEqual(pod?.containers, [
      { name: 'app', isSidecar: false, place, requestMilli: 100, limitMilli: 1000 },
    ])
  })

  void test('is one only on a node, and until it has ended', () => {
    assert.equal(stagedPod(podOf({}, { spec: { containers: [] } })), undefined)
    assert.equal(stagedPod(podOf({}, { status: { phase: 'Succeeded' } })), undefined)
  })
})

void describe('a roster', () => {
  void test('has pods by node until they are gone', () => {
    const roster = createRoster()
    roster.note(podOf(), false)
    assert.deepEqual(
      roster.on('node-0').map(({ uid }) => uid),
      ['uid-1'],
    )
    assert.deepEqual(roster.on('node-1'), [])
    roster.note(podOf(), true)
    assert.deepEqual([...roster.all()], [])
  })
})

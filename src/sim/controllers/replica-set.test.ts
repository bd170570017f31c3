import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  container,
  countsOf,
  startTestCluster,
  template,
  type TestCluster,
} from '../../../test/sim/whole-cluster.ts'
import type { ApiObject } from '../apiserver/object.ts'
import { pods, replicaSets } from '../resources.ts'
import { inDeletionOrder } from './deletion-order.ts'
import type { PodObject } from './workload.ts'

const set = (replicas: number) => ({
  metadata: { name: 'web' },
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template('web') },
})

const relabel = ({ api }: TestCluster, object: ApiObject, labels: Record<string, string>) =>
  api.update(pods, { ...object, metadata: { ...object.metadata, labels } }, { manager: 'test' })

void describe('a ReplicaSet', () => {
  void test('creates and deletes pods, and says so', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(replicaSets, set(2))
    await cluster.pass(10)
    assert.deepEqual(countsOf(cluster.get(replicaSets, 'web')), {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 0,
      observedGeneration: 1,
    })
    let mostTerminating = 0
    cluster.api.subscribe(replicaSets, ({ object }) => {
      const { terminatingReplicas = 0 } = countsOf(object)
      mostTerminating = Math.max(mostTerminating, terminatingReplicas)
    })
    cluster.edit(replicaSets, 'web', { replicas: 1 })
    await cluster.pass(10)
    assert.equal(mostTerminating, 1)
    assert.equal(countsOf(cluster.get(replicaSets, 'web'))['terminatingReplicas'], 0)
    const reasons = cluster.events('web').map((event) => event.split(':')[0])
    assert.deepEqual(reasons, ['SuccessfulCreate', 'SuccessfulCreate', 'SuccessfulDelete'])
  })

  void test('takes pods that match and belong to nobody', async () => {
    const cluster = await startTestCluster(1)
    const labels = { app: 'web' }
    cluster.add(pods, { metadata: { name: 'lone', labels }, spec: { containers: [container()] } })
    await cluster.pass(5)
    cluster.add(replicaSets, set(2))
    await cluster.pass(10)
    const owners = cluster.pods().map(({ metadata }) => metadata.ownerReferences?.[0]?.name)
    assert.deepEqual(owners, ['web', 'web'])
  })

  void test('lets a pod go whose labels change, and replaces it', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(replicaSets, set(2))
    await cluster.pass(10)
    const [pod] = cluster.pods()
    assert.ok(pod)
    relabel(cluster, pod, { app: 'other' })
    await cluster.pass(10)
    assert.equal(cluster.pods().length, 3)
    assert.equal(cluster.get(pods, pod.metadata.name)?.metadata.ownerReferences, undefined)
  })

  void test('looks at its pods together, not at each change of each', async () => {
    const cluster = await startTestCluster(2)
    let versions = 0
    cluster.api.subscribe(replicaSets, () => (versions += 1))
    cluster.add(replicaSets, set(50))
    await cluster.pass(30)
    assert.equal(countsOf(cluster.get(replicaSets, 'web'))['readyReplicas'], 50)
    assert.ok(versions < 40, `expected fewer than 40 writes, got ${versions}`)
  })
})

void describe('the first pod to go', () => {
  const now = Date.UTC(2026, 0, 1, 1)
  const pod = (
    name: string,
    at: { node?: string; phase?: string; ready?: string; cost?: number; restarts?: number } = {},
  ) =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        uid: name,
        creationTimestamp: '2026-01-01T00:00:00Z',
        ...(at.cost !== undefined && {
          annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(at.cost) },
        }),
      },
      spec: { nodeName: at.node ?? name },
      status: {
        phase: at.phase ?? 'Running',
        conditions: [
          {
            type: 'Ready',
            status: at.ready === '' ? 'False' : 'True',
            lastTransitionTime: at.ready ?? '2026-01-01T00:00:00Z',
          },
        ],
        containerStatuses: [{ restartCount: at.restarts ?? 0 }],
      },
    }) satisfies PodObject
  each(
    [
      { name: 'has not started', pods: [pod('a'), pod('b', { phase: 'Pending' })], first: 'b' },
      { name: 'is not ready', pods: [pod('a'), pod('b', { ready: '' })], first: 'b' },
      { name: 'costs least', pods: [pod('a', { cost: 1 }), pod('b', { cost: -1 })], first: 'b' },
      {
        name: 'has most neighbours',
        pods: [pod('a'), pod('b', { node: 'x' }), pod('c', { node: 'x' })],
        first: 'b',
      },
      {
        name: 'is ready for the shortest time',
        pods: [pod('a'), pod('b', { ready: '2026-01-01T00:59:00Z' })],
        first: 'b',
      },
      { name: 'restarted most', pods: [pod('a'), pod('b', { restarts: 3 })], first: 'b' },
      { name: 'is the first by uid, if all is equal', pods: [pod('b'), pod('a')], first: 'a' },
    ],
    ({ pods: all, first }) => {
      const ordered = inDeletionOrder(all, { related: all, now })
      assert.equal(ordered[0]?.metadata.name, first)
    },
  )
})

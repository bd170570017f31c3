import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, startTestCluster, type TestCluster } from '../../../test/sim/whole-cluster.ts'
import type { JsonObject } from '../apiserver/object.ts'
import { pods } from '../resources.ts'
import { durationOf } from './metrics-types.ts'

const addPod = (
  cluster: TestCluster,
  name: string,
  more: { load?: string; memory?: string } = {},
) =>
  cluster.add(pods, {
    metadata: {
      name,
      labels: { app: name },
      annotations: {
        'sim.mbcas.io/load': more.load ?? 'idle',
        ...(more.memory !== undefined && { 'sim.mbcas.io/memory': more.memory }),
      },
    },
    spec: { containers: [container({ resources: {} })] },
  })

function ask(cluster: TestCluster, path: string) {
  const answer = cluster.handle({ method: 'GET', path, headers: {} })
  assert.equal(answer.kind, 'whole')
  return answer.kind === 'whole' ? { status: answer.status, body: answer.body } : undefined
}

const read = (cluster: TestCluster, path: string): unknown =>
  JSON.parse(ask(cluster, `/apis/metrics.k8s.io/v1beta1${path}`)?.body ?? '')

type PodMetrics = {
  readonly metadata: JsonObject
  readonly window: string
  readonly containers: readonly { name: string; usage: { cpu: string; memory: string } }[]
}

void describe('metrics of pods', () => {
  void test('say what its containers used since the last reading', async () => {
    const cluster = await startTestCluster(1)
    addPod(cluster, 'busy', { load: 'steady cpu=300m', memory: '100Mi' })
    await cluster.pass(20)
    const path = '/namespaces/default/pods/busy'
    read(cluster, path)
    await cluster.pass(15)
    const { metadata, window, containers } = read(cluster, path) as PodMetrics
    assert.equal(window, '15s')
    assert.deepEqual(metadata['labels'], { app: 'busy' })
    assert.deepEqual(containers, [
      { name: 'main', usage: { cpu: '300000000n', memory: '102400Ki' } },
    ])
  })

  void test('are listed as far as a selector matches', async () => {
    const cluster = await startTestCluster(1)
    addPod(cluster, 'a')
    addPod(cluster, 'b')
    await cluster.pass(20)
    const { items } = read(cluster, '/pods?labelSelector=app%3Db') as {
      items: readonly PodMetrics[]
    }
    assert.deepEqual(
      items.map(({ metadata }) => metadata['name']),
      ['b'],
    )
  })

  void test('are missing of a pod that does not run', async () => {
    const cluster = await startTestCluster(1)
    addPod(cluster, 'a')
    const path = '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/a'
    assert.equal(ask(cluster, path)?.status, 404)
  })
})

void test('metrics of a node have the pods on it together', async () => {
  const cluster = await startTestCluster(1)
  addPod(cluster, 'a', { load: 'steady cpu=300m', memory: '1Gi' })
  addPod(cluster, 'b', { load: 'steady cpu=200m', memory: '1Gi' })
  await cluster.pass(20)
  read(cluster, '/nodes')
  await cluster.pass(15)
  const { items } = read(cluster, '/nodes') as { items: readonly { usage: object }[] }
  assert.deepEqual(
    items.map(({ usage }) => usage),
    [{ cpu: '500000000n', memory: '2359296Ki' }],
  )
})

void describe('a duration', () => {
  each(
    [
      { name: 'seconds', millis: 15_000, text: '15s' },
      { name: 'parts of a second', millis: 15_042, text: '15.042s' },
      { name: 'minutes', millis: 75_000, text: '1m15s' },
      { name: 'hours', millis: 3_600_000, text: '1h0m0s' },
    ],
    ({ millis, text }) => assert.equal(durationOf(millis), text),
  )
})

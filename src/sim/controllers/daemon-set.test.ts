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
import type { JsonObject } from '../apiserver/object.ts'
import { daemonSets, nodes } from '../resources.ts'
import { nextStep, type NodePods } from './daemon-update.ts'

const daemonSet = (spec: JsonObject = {}) => ({
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent'), ...spec },
})

const change = ({ api }: TestCluster, name: string, change: JsonObject) => {
  const node = api.find(nodes, { name })
  assert.ok(node)
  const { metadata = {}, spec = {} } = change as { metadata?: JsonObject; spec?: JsonObject }
  api.update(
    nodes,
    {
      ...node,
      metadata: { ...node.metadata, ...metadata },
      spec: { ...(node.spec as JsonObject), ...spec },
    },
    { manager: 'test' },
  )
}

const places = (cluster: TestCluster) =>
  cluster
    .pods('agent')
    .map(({ spec }) => spec?.nodeName ?? '')
    .toSorted()

void describe('a DaemonSet', () => {
  void test('runs a pod on every node, and tells so', async () => {
    const cluster = await startTestCluster(3)
    cluster.add(daemonSets, daemonSet())
    await cluster.pass(20)
    assert.deepEqual(places(cluster), ['node-0', 'node-1', 'node-2'])
    assert.deepEqual(countsOf(cluster.get(daemonSets, 'agent')), {
      currentNumberScheduled: 3,
      numberMisscheduled: 0,
      desiredNumberScheduled: 3,
      numberReady: 3,
      observedGeneration: 1,
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    })
    const [pod] = cluster.pods('agent')
    assert.equal(pod?.metadata.labels?.['pod-template-generation'], '1')
  })

  void test('keeps to nodes that it selects, and follows their labels', async () => {
    const cluster = await startTestCluster(2)
    const selecting = template('agent', { nodeSelector: { disk: 'ssd' } })
    cluster.add(daemonSets, daemonSet({ template: selecting }))
    await cluster.pass(10)
    assert.deepEqual(places(cluster), [])
    const { labels = {} } = cluster.api.find(nodes, { name: 'node-1' })?.metadata ?? {}
    change(cluster, 'node-1', { metadata: { labels: { ...labels, disk: 'ssd' } } })
    await cluster.pass(10)
    assert.deepEqual(places(cluster), ['node-1'])
    change(cluster, 'node-1', { metadata: { labels } })
    await cluster.pass(10)
    assert.deepEqual(places(cluster), [])
  })

  void test('a taint keeps new pods away, and only NoExecute drives them out', async () => {
    const cluster = await startTestCluster(2)
    change(cluster, 'node-0', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } })
    cluster.add(daemonSets, daemonSet())
    await cluster.pass(10)
    assert.deepEqual(places(cluster), ['node-1'])
    change(cluster, 'node-1', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } })
    await cluster.pass(10)
    assert.deepEqual(places(cluster), ['node-1'])
    assert.equal(countsOf(cluster.get(daemonSets, 'agent'))['numberMisscheduled'], 1)
    change(cluster, 'node-1', { spec: { taints: [{ key: 'gpu', effect: 'NoExecute' }] } })
    await cluster.pass(10)
    assert.deepEqual(places(cluster), [])
  })

  void test('replaces its pods one node at a time', async () => {
    const cluster = await startTestCluster(3)
    cluster.add(daemonSets, daemonSet())
    await cluster.pass(20)
    let least = 3
    cluster.api.subscribe(daemonSets, ({ object }) => {
      least = Math.min(least, countsOf(object)['numberAvailable'] ?? 0)
    })
    cluster.edit(daemonSets, 'agent', {
      template: template('agent', { containers: [container({ image: 'app:2' })] }),
    })
    await cluster.pass(60)
    assert.equal(least, 2)
    assert.equal(countsOf(cluster.get(daemonSets, 'agent'))['updatedNumberScheduled'], 3)
  })
})

void describe('a rolling update of a DaemonSet', () => {
  type Pod = { readonly name: string; readonly isAvailable: boolean }
  const pod = (name: string, isAvailable = true): Pod => ({ name, isAvailable })
  const on = (node: string, pods: Partial<NodePods<Pod>>): NodePods<Pod> => ({
    node,
    shouldRun: true,
    ...pods,
  })
  each(
    [
      {
        name: 'takes as many as may be unavailable',
        nodes: [on('a', { outdated: pod('a1') }), on('b', { outdated: pod('b1') })],
        limits: { maxSurge: 0, maxUnavailable: 1 },
        gives: { remove: ['a1'], create: [] },
      },
      {
        name: 'waits for the one that comes',
        nodes: [on('a', { updated: pod('a2', false) }), on('b', { outdated: pod('b1') })],
        limits: { maxSurge: 0, maxUnavailable: 1 },
        gives: { remove: [], create: [] },
      },
      {
        name: 'takes those that do not serve anyway',
        nodes: [on('a', { outdated: pod('a1', false) }), on('b', { outdated: pod('b1') })],
        limits: { maxSurge: 0, maxUnavailable: 1 },
        gives: { remove: ['a1'], create: [] },
      },
      {
        name: 'with surge the new one comes first',
        nodes: [on('a', { outdated: pod('a1') }), on('b', { outdated: pod('b1') })],
        limits: { maxSurge: 1, maxUnavailable: 0 },
        gives: { remove: [], create: ['a'] },
      },
      {
        name: 'with surge the old one goes when the new one serves',
        nodes: [
          on('a', { outdated: pod('a1'), updated: pod('a2') }),
          on('b', { outdated: pod('b1') }),
        ],
        limits: { maxSurge: 1, maxUnavailable: 0 },
        gives: { remove: ['a1'], create: ['b'] },
      },
    ],
    ({ nodes: seen, limits, gives }) => {
      const isAvailable = (one: Pod) => one.isAvailable
      const { remove, create } = nextStep(seen, { ...limits, isAvailable })
      assert.deepEqual({ remove: remove.map(({ name }) => name), create }, gives)
    },
  )
})

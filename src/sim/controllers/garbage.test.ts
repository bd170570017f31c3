/** What goes with what: owners, namespaces, time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  conditionsOf,
  deployment,
  startTestCluster,
  type TestCluster,
} from '../../../test/sim/whole-cluster.ts'
import type { ApiObject } from '../apiserver/object.ts'
import {
  configMaps,
  deployments,
  events,
  namespaces,
  nodes,
  pods,
  replicaSets,
  resourceQuotas,
} from '../resources.ts'

const place = (name: string) => ({ namespace: 'default', name })
const owned = (cluster: TestCluster, name: string, owner: ApiObject, more = {}) => {
  const { apiVersion, kind, metadata } = owner
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more }
  return cluster.add(configMaps, { metadata: { name, ownerReferences: [reference] } })
}
const names = (cluster: TestCluster) =>
  cluster.api
    .list(configMaps, 'default')
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt')

void describe('what is owned', () => {
  void test('goes in chains after its owner', async () => {
    const cluster = await startTestCluster(1)
    const a = cluster.add(configMaps, { metadata: { name: 'a' } })
    owned(cluster, 'c', owned(cluster, 'b', a))
    await cluster.pass(1)
    cluster.api.remove(configMaps, place('a'), { propagation: 'Background' })
    await cluster.pass(1)
    assert.deepEqual(names(cluster), [])
  })

  void test('goes before an owner that is deleted in the foreground', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(deployments, deployment('web'))
    await cluster.pass(10)
    const order: string[] = []
    for (const resource of [pods, replicaSets, deployments]) {
      cluster.api.subscribe(resource, ({ type }) => {
        if (type === 'DELETED') order.push(resource.plural)
      })
    }
    cluster.api.remove(deployments, place('web'), { propagation: 'Foreground' })
    await cluster.pass(20)
    assert.deepEqual(order, ['pods', 'pods', 'pods', 'replicasets', 'deployments'])
  })

  void test('stays, and is its own, when it is orphaned', async () => {
    const cluster = await startTestCluster(1)
    owned(cluster, 'b', cluster.add(configMaps, { metadata: { name: 'a' } }))
    await cluster.pass(1)
    cluster.api.remove(configMaps, place('a'), { propagation: 'Orphan' })
    await cluster.pass(1)
    assert.deepEqual(names(cluster), ['b'])
    assert.equal(cluster.get(configMaps, 'b')?.metadata.ownerReferences, undefined)
  })

  void test('stays as long as one owner is there', async () => {
    const cluster = await startTestCluster(1)
    const [a, b] = ['a', 'b'].map((name) => cluster.add(configMaps, { metadata: { name } }))
    assert.ok(a && b)
    const ownerReferences = [a, b].map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata.name,
      uid: metadata.uid,
    }))
    cluster.add(configMaps, { metadata: { name: 'c', ownerReferences } })
    cluster.api.remove(configMaps, place('a'))
    await cluster.pass(1)
    assert.deepEqual(names(cluster), ['b', 'c'])
    cluster.api.remove(configMaps, place('b'))
    await cluster.pass(1)
    assert.deepEqual(names(cluster), [])
  })

  void test('may belong to something that is in no namespace', async () => {
    const cluster = await startTestCluster(1)
    const node = cluster.api.find(nodes, { name: 'node-0' })
    assert.ok(node)
    owned(cluster, 'b', node)
    await cluster.pass(1)
    assert.deepEqual(names(cluster), ['b'])
  })

  void test('goes if its owner is in another namespace, where it cannot be', async () => {
    const cluster = await startTestCluster(1)
    const other = cluster.add(configMaps, { metadata: { name: 'a', namespace: 'kube-system' } })
    owned(cluster, 'b', other)
    await cluster.pass(1)
    assert.deepEqual(names(cluster), [])
    assert.match(cluster.events('b').join(), /OwnerRefInvalidNamespace/)
  })
})

void describe('a namespace that is deleted', () => {
  void test('goes with all that is in it', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(namespaces, { metadata: { name: 'team' } })
    await cluster.pass(1)
    cluster.add(deployments, { ...deployment('web'), metadata: { name: 'web', namespace: 'team' } })
    await cluster.pass(10)
    cluster.api.remove(namespaces, { name: 'team' })
    await cluster.pass(20)
    assert.equal(cluster.get(namespaces, 'team'), undefined)
    assert.deepEqual(cluster.api.list(pods, 'team'), [])
  })

  void test('says what holds it', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(namespaces, { metadata: { name: 'team' } })
    await cluster.pass(1)
    const metadata = { name: 'stuck', namespace: 'team', finalizers: ['example.com/hold'] }
    const held = cluster.add(configMaps, { metadata })
    cluster.api.remove(namespaces, { name: 'team' })
    await cluster.pass(20)
    assert.deepEqual(conditionsOf(cluster.get(namespaces, 'team')), [
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    ])
    const current = cluster.api.find(configMaps, held.metadata)
    assert.ok(current)
    const by = { manager: 'test' }
    cluster.api.update(
      configMaps,
      { ...current, metadata: { ...current.metadata, finalizers: [] } },
      by,
    )
    await cluster.pass(1)
    assert.equal(cluster.get(namespaces, 'team'), undefined)
  })

  void test('gets what pods expect, again if somebody deletes it', async () => {
    const cluster = await startTestCluster(1)
    cluster.api.remove(configMaps, place('kube-root-ca.crt'))
    await cluster.pass(1)
    assert.notEqual(cluster.get(configMaps, 'kube-root-ca.crt'), undefined)
  })
})

void describe('time', () => {
  void test('takes events after an hour, and not those that repeat', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(deployments, deployment('web'))
    await cluster.pass(60)
    assert.notDeepEqual(cluster.events('web'), [])
    await cluster.pass(3600)
    assert.deepEqual(cluster.api.list(events, 'default'), [])
  })

  void test('a quota follows what is used', async () => {
    const cluster = await startTestCluster(1)
    const hard = { pods: '5', 'requests.cpu': '1' }
    cluster.add(resourceQuotas, { metadata: { name: 'q' }, spec: { hard } })
    cluster.add(deployments, deployment('web'))
    await cluster.pass(10)
    const used = () => cluster.status(resourceQuotas, 'q')['used']
    assert.deepEqual(used(), { pods: '3', 'requests.cpu': '30m' })
    cluster.edit(deployments, 'web', { replicas: 1 })
    await cluster.pass(10)
    assert.deepEqual(used(), { pods: '1', 'requests.cpu': '10m' })
  })
})

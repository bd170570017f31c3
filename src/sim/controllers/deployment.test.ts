import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  conditionsOf,
  container,
  countsOf,
  deployment,
  startTestCluster,
  template,
  type TestCluster,
} from '../../../test/sim/whole-cluster.ts'
import type { JsonObject } from '../apiserver/object.ts'
import { deployments, pods, replicaSets, resourceQuotas } from '../resources.ts'

/** An image that never becomes ready. */
const stuck = (app: string): JsonObject =>
  template(app, { containers: [container({ resources: { requests: { cpu: '100' } } })] })

const image = (app: string, name: string): JsonObject =>
  template(app, { containers: [container({ image: name })] })

/** By revision. */
const sizes = ({ api }: TestCluster): Record<string, number> =>
  Object.fromEntries(
    api
      .list(replicaSets, 'default')
      .map(({ metadata, spec }) => [
        metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '',
        (spec as { replicas: number }).replicas,
      ]),
  )

void describe('a Deployment', () => {
  void test('tells its numbers, conditions and revision as the real controller does', async () => {
    const cluster = await startTestCluster()
    const { metadata } = deployment('web')
    cluster.add(deployments, {
      ...deployment('web'),
      metadata: { ...metadata, annotations: { note: 'hello' } },
    })
    await cluster.pass(20)
    const web = cluster.get(deployments, 'web')
    assert.deepEqual(countsOf(web), {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    })
    const [set] = cluster.api.list(replicaSets, 'default')
    assert.deepEqual(conditionsOf(web), [
      'Available True MinimumReplicasAvailable: Deployment has minimum availability.',
      `Progressing True NewReplicaSetAvailable: ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
    ])
    assert.deepEqual(web?.metadata.annotations, {
      'deployment.kubernetes.io/revision': '1',
      note: 'hello',
    })
    assert.equal(web?.metadata.generation, 1)
    assert.deepEqual(set?.metadata.annotations, {
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
      'deployment.kubernetes.io/revision': '1',
      note: 'hello',
    })
    assert.equal(set?.metadata.generation, 1)
    assert.deepEqual(cluster.events('web'), [
      `ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 3`,
    ])
  })

  void test('rolls to a new template, and back', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    cluster.edit(deployments, 'web', { template: image('web', 'app:2') })
    await cluster.pass(60)
    assert.deepEqual(sizes(cluster), { 1: 0, 2: 3 })
    cluster.edit(deployments, 'web', { template: image('web', 'app:1') })
    await cluster.pass(60)
    assert.deepEqual(sizes(cluster), { 2: 0, 3: 3 })
    const web = cluster.get(deployments, 'web')
    assert.equal(web?.metadata.annotations?.['deployment.kubernetes.io/revision'], '3')
    const set = cluster.api
      .list(replicaSets, 'default')
      .find(({ spec }) => (spec as { replicas: number }).replicas > 0)
    assert.equal(set?.metadata.annotations?.['deployment.kubernetes.io/revision-history'], '1')
    assert.equal(cluster.pods('web').length, 3)
  })

  void test('says when a rollout is stuck, and recovers when it is undone', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web', { progressDeadlineSeconds: 20 }))
    await cluster.pass(20)
    cluster.edit(deployments, 'web', { template: stuck('web') })
    await cluster.pass(15)
    assert.match(conditionsOf(cluster.get(deployments, 'web')).join(), /ReplicaSetUpdated/)
    await cluster.pass(15)
    const late = cluster.get(deployments, 'web')
    assert.match(
      conditionsOf(late).join(),
      /Progressing False ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out progressing\./,
    )
    assert.deepEqual(countsOf(late), {
      observedGeneration: 2,
      replicas: 4,
      updatedReplicas: 1,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
      terminatingReplicas: 0,
    })
    cluster.edit(deployments, 'web', { template: template('web') })
    await cluster.pass(10)
    assert.match(conditionsOf(cluster.get(deployments, 'web')).join(), /NewReplicaSetAvailable/)
  })

  void test('does nothing new while it is paused, but scales', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    cluster.edit(deployments, 'web', { paused: true, replicas: 4, template: image('web', 'app:2') })
    await cluster.pass(20)
    assert.deepEqual(sizes(cluster), { 1: 4 })
    assert.match(
      conditionsOf(cluster.get(deployments, 'web')).join(),
      /Progressing Unknown DeploymentPaused: Deployment is paused/,
    )
    cluster.edit(deployments, 'web', { paused: false })
    await cluster.pass(60)
    assert.deepEqual(sizes(cluster), { 1: 0, 2: 4 })
  })

  void test('scaling keeps the progress condition of the last rollout', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    cluster.edit(deployments, 'web', { replicas: 5 })
    await cluster.pass(0.2)
    assert.match(conditionsOf(cluster.get(deployments, 'web')).join(), /NewReplicaSetAvailable/)
    await cluster.pass(20)
    assert.equal(countsOf(cluster.get(deployments, 'web'))['availableReplicas'], 5)
  })

  void test('scaled in the middle of a rollout, its sets keep their shares', async () => {
    const cluster = await startTestCluster()
    cluster.add(
      deployments,
      deployment('web', {
        replicas: 10,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
      }),
    )
    await cluster.pass(30)
    cluster.edit(deployments, 'web', { template: stuck('web') })
    await cluster.pass(30)
    assert.deepEqual(sizes(cluster), { 1: 8, 2: 5 })
    cluster.edit(deployments, 'web', { replicas: 15 })
    await cluster.pass(30)
    assert.deepEqual(sizes(cluster), { 1: 11, 2: 7 })
  })

  void test('recreating, no new pod comes before the last old one is gone', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web', { strategy: { type: 'Recreate' } }))
    await cluster.pass(20)
    const old = new Set(cluster.pods('web').map(({ metadata }) => metadata.uid))
    let isMixed = false
    cluster.api.subscribe(pods, () => {
      const both = cluster.pods('web')
      isMixed ||=
        both.some(({ metadata }) => old.has(metadata.uid)) &&
        both.some(({ metadata }) => !old.has(metadata.uid))
    })
    cluster.edit(deployments, 'web', { template: image('web', 'app:2') })
    await cluster.pass(60)
    assert.equal(isMixed, false)
    assert.deepEqual(sizes(cluster), { 1: 0, 2: 3 })
  })

  void test('shows that a quota keeps its pods away', async () => {
    const cluster = await startTestCluster()
    cluster.add(resourceQuotas, { metadata: { name: 'q' }, spec: { hard: { pods: '2' } } })
    await cluster.pass(1)
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    assert.match(
      conditionsOf(cluster.get(deployments, 'web')).join('\n'),
      /ReplicaFailure True FailedCreate: pods "web-\w+-\w+" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2/,
    )
    cluster.api.remove(resourceQuotas, { namespace: 'default', name: 'q' })
    await cluster.pass(60)
    assert.equal(countsOf(cluster.get(deployments, 'web'))['availableReplicas'], 3)
    assert.doesNotMatch(conditionsOf(cluster.get(deployments, 'web')).join(), /ReplicaFailure/)
  })

  void test('keeps as many old sets as it is told', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web', { replicas: 1, revisionHistoryLimit: 1 }))
    for (const name of ['app:2', 'app:3', 'app:4']) {
      await cluster.pass(20)
      cluster.edit(deployments, 'web', { template: image('web', name) })
    }
    await cluster.pass(20)
    assert.deepEqual(sizes(cluster), { 3: 0, 4: 1 })
  })

  void test('waits for minReadySeconds before a pod counts as available', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web', { minReadySeconds: 30 }))
    await cluster.pass(20)
    assert.equal(countsOf(cluster.get(deployments, 'web'))['readyReplicas'], 3)
    assert.equal(countsOf(cluster.get(deployments, 'web'))['availableReplicas'], undefined)
    await cluster.pass(30)
    assert.equal(countsOf(cluster.get(deployments, 'web'))['availableReplicas'], 3)
  })

  void test('takes over the sets and pods of one that was deleted without them', async () => {
    const cluster = await startTestCluster()
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    const before = cluster.pods('web').map(({ metadata }) => metadata.uid)
    cluster.api.remove(
      deployments,
      { namespace: 'default', name: 'web' },
      { propagation: 'Orphan' },
    )
    await cluster.pass(5)
    assert.equal(cluster.get(deployments, 'web'), undefined)
    cluster.add(deployments, deployment('web'))
    await cluster.pass(20)
    assert.deepEqual(
      cluster.pods('web').map(({ metadata }) => metadata.uid),
      before,
    )
    assert.deepEqual(sizes(cluster), { 1: 3 })
  })
})

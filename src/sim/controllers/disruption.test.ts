import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  conditionsOf,
  container,
  countsOf,
  deployment,
  startTestCluster,
} from '../../../test/sim/whole-cluster.ts'
import { deployments, disruptionBudgets, jobs, pods } from '../resources.ts'

const budget = (spec: Record<string, number | string>, app = 'web') => ({
  metadata: { name: 'b' },
  spec: { selector: { matchLabels: { app } }, ...spec },
})
const enough = 'DisruptionAllowed True SufficientPods: '
const tooFew = 'DisruptionAllowed False InsufficientPods: '

void describe('a PodDisruptionBudget', () => {
  each(
    [
      {
        name: 'a number that must stay',
        spec: { minAvailable: 2 },
        counts: [3, 2, 1],
        says: enough,
      },
      {
        name: 'a share that must stay is rounded up',
        spec: { minAvailable: '50%' },
        counts: [3, 2, 1],
        says: enough,
      },
      {
        name: 'a number that may go',
        spec: { maxUnavailable: 2 },
        counts: [3, 1, 2],
        says: enough,
      },
      {
        name: 'a share that may go is rounded up',
        spec: { maxUnavailable: '10%' },
        counts: [3, 2, 1],
        says: enough,
      },
      { name: 'more than there are', spec: { minAvailable: 5 }, counts: [3, 5, 0], says: tooFew },
      { name: 'none may go', spec: { maxUnavailable: 0 }, counts: [3, 3, 0], says: tooFew },
    ],
    async ({ spec, counts: [expectedPods, desiredHealthy, disruptionsAllowed], says }) => {
      const cluster = await startTestCluster(1)
      cluster.add(deployments, deployment('web'))
      cluster.add(disruptionBudgets, budget(spec))
      await cluster.pass(20)
      const seen = cluster.get(disruptionBudgets, 'b')
      assert.deepEqual(countsOf(seen), {
        observedGeneration: 1,
        currentHealthy: 3,
        disruptionsAllowed,
        desiredHealthy,
        expectedPods,
      })
      assert.deepEqual(conditionsOf(seen), [says])
    },
  )

  void test('says that no pod matches', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(disruptionBudgets, budget({ minAvailable: 1 }))
    await cluster.pass(2)
    assert.deepEqual(cluster.events('b'), ['NoPods: No matching pods found'])
    assert.deepEqual(conditionsOf(cluster.get(disruptionBudgets, 'b')), [tooFew])
  })

  void test('cannot tell a share of pods whose controller has no scale', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(jobs, {
      metadata: { name: 'work' },
      spec: {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { restartPolicy: 'Never', containers: [container()] },
        },
      },
    })
    cluster.add(disruptionBudgets, budget({ maxUnavailable: 1 }))
    await cluster.pass(10)
    assert.deepEqual(conditionsOf(cluster.get(disruptionBudgets, 'b')), [
      'DisruptionAllowed False SyncFailed: jobs.batch does not implement the scale subresource',
    ])
  })

  void test('an eviction counts at once, and no longer when its pod is gone', async () => {
    const cluster = await startTestCluster(1)
    cluster.add(deployments, deployment('web'))
    cluster.add(disruptionBudgets, budget({ minAvailable: 2 }))
    await cluster.pass(20)
    const [pod] = cluster.pods('web')
    assert.ok(pod && cluster.api.act)
    const place = { namespace: 'default', name: pod.metadata.name }
    cluster.api.act(pods, place, { subresource: 'eviction', body: { metadata: place } })
    assert.equal(countsOf(cluster.get(disruptionBudgets, 'b'))['disruptionsAllowed'], 0)
    await cluster.pass(30)
    assert.equal(cluster.status(disruptionBudgets, 'b')['disruptedPods'], undefined)
    assert.equal(countsOf(cluster.get(disruptionBudgets, 'b'))['disruptionsAllowed'], 1)
  })
})

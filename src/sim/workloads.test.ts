import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../apis/read-scenario.ts'
import { createCluster, type SimCluster } from './cluster.ts'
import type { SimPod } from './nodes/pod.ts'
import { deployments, pods } from './resources.ts'
import { playScenario, scenarioStart } from './scenario.ts'

type Run = { readonly seed?: number; readonly repeats?: boolean }

/** A cluster of two nodes that plays it; nothing has happened yet. */
function stage(given: object, { seed = 1, repeats = false }: Run = {}): SimCluster {
  const scenario = readScenario({ nodes: [{ count: 2 }], ...given })
  const { nodes = [] } = scenario
  const cluster = createCluster({ nodes, seed, speed: 'max', startsAt: scenarioStart })
  const onFault = (error: Error): never => assert.fail(error)
  playScenario(cluster, { ...scenario, seed }, { onFault, repeats })
  return cluster
}

const podsOf = ({ api }: SimCluster, app: string): SimPod[] =>
  (api.list(pods) as readonly SimPod[]).filter(
    ({ metadata }) => metadata.labels?.['app'] === app && !metadata.deletionTimestamp,
  )
const loadsOf = (cluster: SimCluster, app: string): string[] =>
  podsOf(cluster, app).map(({ metadata }) => metadata.annotations?.['sim.mbcas.io/load'] ?? '')

const web = { name: 'web', load: 'requests rate=10 cpu=5ms' }

void describe('a workload', () => {
  void test('becomes pods with what it was given', async () => {
    const cluster = stage({
      workloads: [
        {
          name: 'web',
          namespace: 'shop',
          replicas: 2,
          node: 'node-1',
          cpu: { request: '250m', limit: '1' },
          load: 'requests rate=10 cpu=5ms seed=3',
          slo: { p99: '0.2s' },
          weight: 2,
          minCpu: '100m',
          maxCpu: '2',
          labels: { tier: 'front' },
          annotations: { 'mbcas.io/burst': 'false' },
          evictAfter: '30s',
        },
      ],
    })
    await cluster.agenda.run({ until: 10_000 })
    const found = podsOf(cluster, 'web')
    assert.equal(found.length, 2)
    for (const { metadata, spec, status } of found) {
      assert.equal(metadata.namespace, 'shop')
      assert.equal(metadata.labels?.['tier'], 'front')
      assert.deepEqual(metadata.annotations, {
        'sim.mbcas.io/load': 'requests rate=10 cpu=5ms seed=3',
        'mbcas.io/target-latency-ms': '200',
        'mbcas.io/priority-multiplier': '2',
        'mbcas.io/min-cpu': '100m',
        'mbcas.io/max-cpu': '2',
        'mbcas.io/burst': 'false',
      })
      assert.equal(spec.nodeName, 'node-1')
      assert.deepEqual(spec.containers[0]?.resources, {
        requests: { cpu: '250m' },
        limits: { cpu: '1' },
      })
      assert.equal(status?.phase, 'Running')
    }
  })

  void test('comes and goes at its times', async () => {
    const cluster = stage({ workloads: [{ ...web, from: '20s', until: '40s' }] })
    const countAt = async (until: number) => {
      await cluster.agenda.run({ until })
      return podsOf(cluster, 'web').length
    }
    assert.deepEqual(
      [await countAt(19_000), await countAt(30_000), await countAt(60_000)],
      [0, 1, 0],
    )
  })

  void test('has requests that depend on its pod and the seed, not on who else is there', async () => {
    const loads = async (given: object, seed = 1) => {
      const cluster = stage(given, { seed })
      await cluster.agenda.run({ until: 10_000 })
      return loadsOf(cluster, 'web').toSorted()
    }
    const alone = await loads({ workloads: [{ ...web, replicas: 3 }] })
    assert.equal(new Set(alone).size, 3)
    for (const load of alone) assert.match(load, /^requests rate=10 cpu=5ms seed=\d+$/)
    const other = { name: 'other', replicas: 2, load: 'steady cpu=1' }
    assert.deepEqual(await loads({ workloads: [other, { ...web, replicas: 3 }] }), alone)
    assert.notDeepEqual(await loads({ workloads: [{ ...web, replicas: 3 }] }, 2), alone)
  })

  void test('has the same requests in a pod that takes the place of another', async () => {
    const cluster = stage({ workloads: [{ ...web, replicas: 2 }] })
    await cluster.agenda.run({ until: 10_000 })
    const before = loadsOf(cluster, 'web').toSorted()
    const [first] = podsOf(cluster, 'web')
    assert.ok(first !== undefined)
    cluster.api.remove(pods, { namespace: 'default', name: first.metadata.name })
    await cluster.agenda.run({ until: 60_000 })
    assert.ok(podsOf(cluster, 'web').every(({ metadata }) => metadata.uid !== first.metadata.uid))
    assert.deepEqual(loadsOf(cluster, 'web').toSorted(), before)
  })
})

void describe('a phase', () => {
  const scenario = {
    duration: '1m',
    workloads: [{ ...web, replicas: 2 }],
    phases: [
      { name: 'calm', at: '0s' },
      {
        name: 'rush',
        at: '30s',
        loads: { web: 'steady cpu=700m' },
        replicas: { web: 3 },
        loseNodes: ['node-1'],
      },
    ],
  }

  void test('changes loads in place, and new pods get the new one', async () => {
    const cluster = stage({ ...scenario, phases: [{ ...scenario.phases[1], loseNodes: [] }] })
    await cluster.agenda.run({ until: 29_000 })
    const before = podsOf(cluster, 'web').map(({ metadata }) => metadata.uid)
    await cluster.agenda.run({ until: 59_000 })
    const after = podsOf(cluster, 'web')
    assert.equal(after.length, 3)
    assert.ok(before.every((uid) => after.some(({ metadata }) => metadata.uid === uid)))
    assert.deepEqual(loadsOf(cluster, 'web'), Array(3).fill('steady cpu=700m'))
    assert.ok(after.every(({ status }) => status?.containerStatuses?.[0]?.restartCount === 0))
    const used = [...cluster.kernels.values()].reduce(
      (sum, { usedMicros }) => sum + usedMicros(),
      0,
    )
    assert.ok(used > 3 * 0.7 * 25e6, `${used} us used`)
  })

  void test('comes again when the scenario repeats, which begins as it began', async () => {
    const cluster = stage(scenario, { repeats: true })
    await cluster.agenda.run({ until: 80_000 })
    for (const load of loadsOf(cluster, 'web')) assert.match(load, /^requests rate=10/)
    const [deployment] = cluster.api.list(deployments) as unknown as {
      spec: { replicas: number }
    }[]
    assert.equal(deployment?.spec.replicas, 2)
    await cluster.agenda.run({ until: 100_000 })
    assert.ok(loadsOf(cluster, 'web').every((load) => load === 'steady cpu=700m'))
  })

  void test('stays when the scenario does not repeat', async () => {
    const cluster = stage(scenario)
    await cluster.agenda.run({ until: 100_000 })
    assert.ok(loadsOf(cluster, 'web').every((load) => load === 'steady cpu=700m'))
  })
})

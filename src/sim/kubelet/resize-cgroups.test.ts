/** What resizes write into the cgroups of a pod and its containers, and what the kernel refuses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  asking,
  conditionOf,
  container,
  startCluster,
  type TestCluster,
} from '../../../test/sim/kubelets.ts'
import { writeSimulatedCgroups } from '../kernel/cgroup-writer.ts'
import type { SimContainer, SimPodSpec } from '../nodes/pod.ts'
import { pods } from '../resources.ts'

const inProgress = 'PodResizeInProgress'

async function clusterWith(...containers: SimContainer[]): Promise<TestCluster> {
  const cluster = await startCluster()
  cluster.add({ spec: { containers } })
  await cluster.pass(3000)
  return cluster
}

const named = (name: string, cpu: string, limit?: string): SimContainer => ({
  ...asking(cpu, limit),
  name,
})

const podGroup = ({ kernel, pod }: TestCluster) => {
  const cpu = kernel.podGroups.get(pod()?.metadata.uid ?? '')
  return cpu && [cpu.shares, cpu.quotaMicros]
}
const quotas = ({ kernel }: TestCluster) =>
  [...kernel.containers.values()].map(({ cpu }) => cpu.quotaMicros)

each<{ name: string; spec: Partial<SimPodSpec>; gives: readonly [number, number | null] }>(
  [
    {
      name: 'a pod group has the sum of its containers',
      spec: { containers: [named('a', '250m', '500m'), named('b', '250m', '1')] },
      gives: [512, 150_000],
    },
    {
      name: 'one container without a limit leaves the pod without a quota',
      spec: { containers: [named('a', '250m', '500m'), named('b', '250m')] },
      gives: [512, null],
    },
    {
      name: 'a limit alone is a request of the sum too',
      spec: {
        containers: [
          container({ name: 'a', resources: { limits: { cpu: '500m' } } }),
          named('b', '250m'),
        ],
      },
      gives: [768, null],
    },
    {
      name: 'a pod limit counts where containers have none',
      spec: {
        containers: [container()],
        resources: { requests: { cpu: '1' }, limits: { cpu: '1500m' } },
      },
      gives: [1024, 150_000],
    },
    {
      name: 'a pod that asks for nothing has the least shares',
      spec: { containers: [container()] },
      gives: [2, null],
    },
  ],
  async ({ spec, gives }) => {
    const cluster = await startCluster()
    cluster.add({ spec })
    await cluster.pass(3000)
    assert.deepEqual(podGroup(cluster), gives)
  },
)

void describe('resizes and cgroups', () => {
  void test('a pod group follows its containers up and down, and goes with the pod', async () => {
    const cluster = await clusterWith(asking('100m', '200m'))
    assert.deepEqual(podGroup(cluster), [102, 20_000])
    cluster.resize({ requests: { cpu: '500m' }, limits: { cpu: '1' } })
    await cluster.pass(2000)
    assert.deepEqual([podGroup(cluster), quotas(cluster)], [[512, 100_000], [100_000]])
    cluster.resize({ requests: { cpu: '100m' }, limits: { cpu: '300m' } })
    await cluster.pass(2000)
    assert.deepEqual([podGroup(cluster), quotas(cluster)], [[102, 30_000], [30_000]])
    cluster.api.remove(pods, { namespace: 'default', name: 'p' })
    await cluster.pass(40_000)
    assert.equal(cluster.kernel.podGroups.size, 0)
  })

  void test('the pod group keeps the sum of its containers when one is resized', async () => {
    const cluster = await clusterWith(named('main', '250m', '500m'), named('side', '100m', '200m'))
    assert.deepEqual(podGroup(cluster), [358, 70_000])
    cluster.resize({ requests: { cpu: '500m' }, limits: { cpu: '500m' } })
    await cluster.pass(2000)
    assert.deepEqual(podGroup(cluster), [614, 70_000])
    cluster.resize({ requests: { cpu: '50m' }, limits: { cpu: '500m' } })
    await cluster.pass(2000)
    assert.deepEqual(podGroup(cluster), [153, 70_000])
  })

  void test('shares that somebody wrote go back to the request with any resize of CPU', async () => {
    const cluster = await clusterWith(asking('100m', '200m'))
    const writer = writeSimulatedCgroups(cluster.kernel)
    const written = placesOf(cluster).map((place) => ({ place, shares: 10_240 }))
    assert.deepEqual(writer.write(written).refused, [])
    await cluster.pass(60_000)
    const shares = () => placesOf(cluster).map((place) => writer.settings(place)?.shares)
    assert.deepEqual(shares(), [10_240, 10_240])
    cluster.resize({ requests: { cpu: '100m' }, limits: { cpu: '300m' } })
    await cluster.pass(2000)
    assert.deepEqual(shares(), [102, 102])
  })

  void test('what somebody raised in the kernel alone stays until the next resize', async () => {
    const cluster = await clusterWith(asking('100m', '200m'))
    const writer = writeSimulatedCgroups(cluster.kernel)
    const raised = placesOf(cluster).map((place) => ({ place, quotaMicros: 60_000 }))
    assert.deepEqual(writer.write(raised).refused, [])
    await cluster.pass(60_000)
    assert.deepEqual([podGroup(cluster), quotas(cluster)], [[102, 60_000], [60_000]])
    cluster.resize({ requests: { cpu: '100m' }, limits: { cpu: '400m' } })
    await cluster.pass(2000)
    assert.deepEqual([podGroup(cluster), quotas(cluster)], [[102, 40_000], [40_000]])
  })

  each(
    [
      {
        name: 'a shrink fails until the burst of its container is taken back',
        level: 'containers',
      },
      { name: 'a shrink fails until the burst of its pod is taken back', level: 'pods' },
    ] as const,
    async ({ level }) => {
      const cluster = await clusterWith(asking('100m', '1'))
      const writer = writeSimulatedCgroups(cluster.kernel)
      const [pod, main] = placesOf(cluster)
      const place = level === 'pods' ? pod : main
      assert.ok(place !== undefined)
      writer.write([{ place, burstMicros: 100_000 }])

      cluster.resize({ requests: { cpu: '100m' }, limits: { cpu: '500m' } })
      await cluster.pass(30_000)
      const condition = conditionOf(cluster.pod(), inProgress)
      assert.equal(condition?.reason, 'Error')
      assert.match(
        condition.message ?? '',
        /^failed to write "50000": write \/sys\/fs\/cgroup\/cpu\/kubepods\/burstable\/pod.*\/cpu.cfs_quota_us: invalid argument$/,
      )
      assert.equal(podGroup(cluster)?.[1], 100_000)
      const errors = () => cluster.events().filter(({ reason }) => reason === 'ResizeError').length
      assert.equal(errors(), 1)

      writer.write([{ place, burstMicros: 50_000 }])
      await cluster.pass(16_000)
      assert.equal(conditionOf(cluster.pod(), inProgress), undefined)
      assert.deepEqual([podGroup(cluster), quotas(cluster)], [[102, 50_000], [50_000]])
      assert.equal(errors(), 1)
    },
  )
})

/** Of the pod and of its containers. */
function placesOf({ kernel, pod }: TestCluster) {
  const { uid: podUid = '' } = pod()?.metadata ?? {}
  const qosClass = 'Burstable' as const
  const containers = [...kernel.containers.keys()]
  return [
    { podUid, qosClass },
    ...containers.map((containerId) => ({ podUid, qosClass, containerId })),
  ]
}

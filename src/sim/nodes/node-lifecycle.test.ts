import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../test/each.ts'
import { conditionOf, startCluster } from '../../../test/sim/kubelets.ts'
import { leases, nodes } from '../resources.ts'
import { startNodeLifecycle, taintsOf } from './node-lifecycle.ts'
import { leaseNamespace, readyOf, type SimNode, type Taint } from './node.ts'

async function watchedCluster() {
  const cluster = await startCluster()
  const stop = startNodeLifecycle(cluster)
  await cluster.pass(100)
  return { ...cluster, stop }
}
const taintsNow = (node: SimNode | undefined) =>
  (node?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)

void test('a node is registered with what it has, and its taint goes once it is ready', async () => {
  const cluster = await watchedCluster()
  const node = cluster.node()
  assert.equal(node && readyOf(node)?.status, 'True')
  assert.deepEqual(taintsNow(node), [])
  assert.equal(node?.status?.allocatable?.['cpu'], '2')
  assert.equal(node.status.allocatable['pods'], '110')
  assert.deepEqual(
    node.status.conditions?.map(({ type, status }) => `${type}=${status}`),
    ['MemoryPressure=False', 'DiskPressure=False', 'PIDPressure=False', 'Ready=True'],
  )
})

void test('the lease is renewed every 10 s, the status posted every 5 minutes', async () => {
  const cluster = await watchedCluster()
  const seen = { lease: 0, node: 0 }
  cluster.api.subscribe(leases, () => (seen.lease += 1))
  cluster.api.subscribe(nodes, () => (seen.node += 1))
  await cluster.pass(600_000)
  assert.deepEqual(seen, { lease: 60, node: 2 })
  const lease = cluster.api.find(leases, { namespace: leaseNamespace, name: 'node-0' })
  const { renewTime } = (lease?.spec ?? {}) as { renewTime?: string }
  assert.match(renewTime ?? '', /^2026-01-01T00:\d\d:\d\d\.\d{6}Z$/)
})

void test('a kubelet puts back what others wrote into its status', async () => {
  const cluster = await watchedCluster()
  const node = cluster.node()
  assert.ok(node)
  const status = { ...node.status, allocatable: { cpu: '1' } }
  cluster.api.update(nodes, { ...node, status }, { manager: 'test', subresource: 'status' })
  await cluster.pass(11_000)
  assert.equal(cluster.node()?.status?.allocatable?.['cpu'], '2')
})

void test('devices come and go', async () => {
  const cluster = await watchedCluster()
  const gpus = () => cluster.node()?.status?.allocatable?.['nvidia.com/gpu']
  cluster.kubelets[0]?.setDevices('nvidia.com/gpu', 4)
  assert.equal(gpus(), '4')
  cluster.kubelets[0]?.setDevices('nvidia.com/gpu', 0)
  assert.equal(gpus(), '0')
})

void test('a node that falls silent is Unknown after 50 s, and its pods are not ready', async () => {
  const cluster = await watchedCluster()
  cluster.add()
  await cluster.pass(3000)
  cluster.kubelets[0]?.stop()
  await cluster.pass(30_000)
  assert.equal(conditionOf(cluster.pod(), 'Ready')?.status, 'True')
  await cluster.pass(30_000)
  const node = cluster.node()
  assert.ok(node)
  const { status, reason, message } = readyOf(node) ?? {}
  assert.deepEqual(
    [status, reason, message],
    ['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.'],
  )
  assert.deepEqual(taintsNow(node), [
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ])
  assert.equal(conditionOf(cluster.pod(), 'Ready')?.status, 'False')
  assert.ok(cluster.events('node-0').some(({ reason }) => reason === 'NodeNotReady'))
})

const fiveMinutes = {
  key: 'node.kubernetes.io/unreachable',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
} as const

each(
  [
    {
      name: 'a pod that tolerates it for no time is evicted at once',
      tolerations: [{ ...fiveMinutes, tolerationSeconds: 0 }],
      after: 0,
    },
    {
      name: 'a pod is evicted after its tolerationSeconds',
      tolerations: [fiveMinutes],
      after: 300,
    },
    {
      name: 'a pod that tolerates everything stays',
      tolerations: [{ operator: 'Exists' }] as const,
      after: Infinity,
    },
  ],
  async ({ tolerations, after }) => {
    const cluster = await watchedCluster()
    cluster.add({ spec: { tolerations } })
    await cluster.pass(3000)
    cluster.kubelets[0]?.stop()
    await cluster.pass(60_000)
    const isLeaving = () => cluster.pod()?.metadata.deletionTimestamp !== undefined
    assert.equal(isLeaving(), after === 0)
    await cluster.pass(301_000)
    assert.equal(isLeaving(), after !== Infinity)
  },
)

void test('a node that comes back is ready, its pods run again and stay', async () => {
  const cluster = await watchedCluster()
  cluster.add({ spec: { tolerations: [fiveMinutes] } })
  await cluster.pass(3000)
  cluster.kubelets[0]?.stop()
  assert.equal(cluster.kernel.containers.size, 0)
  await cluster.pass(100_000)
  cluster.kubelets[0]?.start()
  await cluster.pass(10_000)
  assert.deepEqual(taintsNow(cluster.node()), [])
  const pod = cluster.pod()
  assert.equal(conditionOf(pod, 'Ready')?.status, 'True')
  const [main] = pod?.status?.containerStatuses ?? []
  assert.equal(main?.restartCount, 1)
  assert.equal(main.lastState.terminated?.exitCode, 255)
  await cluster.pass(400_000)
  assert.equal(cluster.pod()?.metadata.deletionTimestamp, undefined)
})

const nodeWith = (ready: string | undefined, spec: SimNode['spec']): SimNode =>
  ({
    metadata: { name: 'n' },
    spec,
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  }) as unknown as SimNode

const own: Taint = { key: 'a', effect: 'NoSchedule' }
each(
  [
    { name: 'a ready node keeps only what people set', ready: 'True', gives: ['a:NoSchedule'] },
    {
      name: 'a node that says it is not ready',
      ready: 'False',
      gives: [
        'a:NoSchedule',
        'node.kubernetes.io/not-ready:NoSchedule',
        'node.kubernetes.io/not-ready:NoExecute',
      ],
    },
    {
      name: 'a cordoned node',
      ready: 'True',
      unschedulable: true,
      gives: ['a:NoSchedule', 'node.kubernetes.io/unschedulable:NoSchedule'],
    },
  ],
  ({ ready, unschedulable, gives }) => {
    const stale: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }
    const spec = { taints: [own, stale], ...(unschedulable && { unschedulable }) }
    const taints = taintsOf(nodeWith(ready, spec), '')
    assert.deepEqual(
      taints.map(({ key, effect }) => `${key}:${effect}`),
      gives,
    )
  },
)

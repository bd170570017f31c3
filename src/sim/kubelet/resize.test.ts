import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  asking,
  classOf,
  conditionOf,
  container,
  named,
  nodeSettings,
  startCluster,
  type TestCluster,
} from '../../../test/sim/kubelets.ts'
import type { ResourceRequirements } from '../../apis/pod.ts'
import type { SimContainer, SimPodSpec } from '../nodes/pod.ts'
import { nodes, pods } from '../resources.ts'

const pending = 'PodResizePending'
const inProgress = 'PodResizeInProgress'

async function clusterWith(
  spec: Readonly<Record<string, Partial<SimPodSpec>>>,
  settings = nodeSettings(),
): Promise<TestCluster> {
  const cluster = await startCluster([settings])
  for (const [name, one] of Object.entries(spec)) cluster.add({ name, spec: one })
  await cluster.pass(3000)
  return cluster
}
const withOne = async (main: SimContainer, settings?: ReturnType<typeof nodeSettings>) =>
  clusterWith({ p: { containers: [main] } }, settings)

const mainOf = (cluster: TestCluster, name = 'p') =>
  cluster.pod(name)?.status?.containerStatuses?.[0]
const cpuOf = (cluster: TestCluster, name = 'p') =>
  mainOf(cluster, name)?.resources?.requests?.['cpu']
const resizeEvents = (cluster: TestCluster, name = 'p') =>
  cluster
    .events(name)
    .filter(({ reason }) => reason.startsWith('Resize'))
    .map(({ reason, message }) => `${reason} ${message}`)

each(
  named('a resize that fits is actuated:', [
    {
      name: 'up: shares follow the request, quota the limit',
      wanted: { requests: { cpu: '500m' }, limits: { cpu: '1' } },
      shares: 512,
      quotaMicros: 100_000,
    },
    {
      name: 'down to the least that the kernel takes',
      wanted: { requests: { cpu: '1m' }, limits: { cpu: '1m' } },
      shares: 2,
      quotaMicros: 1000,
    },
  ]),
  async ({ wanted, shares, quotaMicros }) => {
    const cluster = await withOne(asking('100m', '200m'))
    const before = mainOf(cluster)
    cluster.resize(wanted)
    await cluster.pass(1)
    const [condition] = cluster.pod()?.status?.conditions ?? []
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.observedGeneration, condition?.reason],
      [inProgress, 'True', 2, undefined],
    )
    assert.deepEqual(mainOf(cluster)?.allocatedResources, wanted.requests)
    assert.deepEqual(mainOf(cluster)?.resources, before?.resources)
    await cluster.pass(1000)
    const after = cluster.pod()
    assert.equal(conditionOf(after, inProgress), undefined)
    assert.equal(after?.status?.observedGeneration, 2)
    assert.deepEqual(mainOf(cluster)?.resources, wanted)
    assert.deepEqual(after?.status?.resources, wanted)
    assert.equal(mainOf(cluster)?.containerID, before?.containerID)
    assert.equal(mainOf(cluster)?.restartCount, 0)
    const [{ cpu } = {}] = cluster.kernel.containers.values()
    assert.deepEqual([cpu?.shares, cpu?.quotaMicros], [shares, quotaMicros])
  },
)

void test('the events of a resize are those of a real kubelet', async () => {
  const cluster = await withOne(asking('100m', '200m'))
  cluster.resize({ limits: { cpu: '300m' }, requests: { cpu: '100m' } })
  await cluster.pass(2000)
  const resized =
    '{"containers":[{"name":"main","resources":{"limits":{"cpu":"300m"},"requests":{"cpu":"100m"}}}],"generation":2}'
  assert.deepEqual(resizeEvents(cluster).toSorted(), [
    `ResizeCompleted Pod resize completed: ${resized}`,
    `ResizeStarted Pod resize started: ${resized}`,
  ])
})

void test('RestartContainer restarts the container with what is allocated', async () => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] as const
  const cluster = await withOne({ ...asking('100m'), resizePolicy })
  const before = mainOf(cluster)
  cluster.resize({ requests: { cpu: '200m' } })
  await cluster.pass(3000)
  const after = mainOf(cluster)
  assert.equal(after?.restartCount, 1)
  assert.notEqual(after?.containerID, before?.containerID)
  assert.equal(after?.resources?.requests?.['cpu'], '200m')
  assert.equal(after?.lastState.terminated?.containerID, before?.containerID)
  assert.equal(conditionOf(cluster.pod(), inProgress), undefined)
  assert.equal(cluster.kernel.containers.size, 1)
  assert.ok(
    cluster.events().some(({ message }) => message === 'Container main resize requires restart'),
  )
})

void test('a memory limit below what is in use is an error until it is taken back', async () => {
  const memory = (limit: string): ResourceRequirements => ({
    requests: { memory: '1Mi' },
    limits: { memory: limit },
  })
  const cluster = await withOne(container({ resources: memory('64Mi') }))
  cluster.resize(memory('10Mi'))
  await cluster.pass(2000)
  const condition = conditionOf(cluster.pod(), inProgress)
  assert.equal(condition?.reason, 'Error')
  assert.equal(
    condition.message,
    'cannot decrease memory limits: attempting to set container "main" memory limit (10485760) below current usage (12582912)',
  )
  assert.deepEqual(mainOf(cluster)?.resources, memory('64Mi'))
  cluster.resize(memory('32Mi'))
  await cluster.pass(2000)
  assert.equal(conditionOf(cluster.pod(), inProgress), undefined)
  assert.deepEqual(mainOf(cluster)?.resources, memory('32Mi'))
})

const full = { large: { containers: [asking('1')] }, p: { containers: [asking('500m')] } }

void test('a resize that does not fit is Deferred until a pod goes', async () => {
  const cluster = await clusterWith(full)
  cluster.resize({ requests: { cpu: '1500m' } })
  await cluster.pass(10)
  const message =
    "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000"
  const condition = conditionOf(cluster.pod(), pending)
  assert.deepEqual(
    [condition?.status, condition?.reason, condition?.observedGeneration, condition?.message],
    ['True', 'Deferred', 2, message],
  )
  assert.equal(mainOf(cluster)?.allocatedResources?.['cpu'], '500m')
  assert.deepEqual(resizeEvents(cluster), [
    `ResizeDeferred Pod resize OutOfcpu: {"containers":[{"name":"main","resources":{"requests":{"cpu":"1500m"}}}],"generation":2,"error":"${message}"}`,
  ])
  cluster.api.remove(pods, { namespace: 'default', name: 'large' })
  await cluster.pass(2000)
  assert.equal(conditionOf(cluster.pod(), pending), undefined)
  assert.equal(cpuOf(cluster), '1500m')
})

void test('a Deferred resize is given up by asking for less', async () => {
  const cluster = await clusterWith(full)
  cluster.resize({ requests: { cpu: '1500m' } })
  await cluster.pass(1000)
  cluster.resize({ requests: { cpu: '500m' } })
  await cluster.pass(1000)
  assert.equal(conditionOf(cluster.pod(), pending), undefined)
  assert.equal(cluster.pod()?.status?.observedGeneration, 3)
})

void test('a Deferred resize is looked at again every 3 minutes', async () => {
  const cluster = await clusterWith(full)
  cluster.resize({ requests: { cpu: '1500m' } })
  await cluster.pass(1000)
  const node = cluster.node()
  assert.ok(node)
  // The node has room at once, and nobody tells the kubelet.
  const status = { ...node.status, allocatable: { ...node.status?.allocatable, cpu: '2500m' } }
  const keepIt = () =>
    cluster.api.update(
      nodes,
      { ...node, ...cluster.node(), status },
      { manager: 'test', subresource: 'status' },
    )
  await cluster.pass(175_000)
  keepIt()
  await cluster.pass(6000)
  assert.equal(conditionOf(cluster.pod(), pending), undefined)
})

void test('the room that a resize leaves goes to one that waits', async () => {
  const cluster = await clusterWith(full)
  cluster.resize({ requests: { cpu: '1500m' } })
  await cluster.pass(1000)
  cluster.resize({ requests: { cpu: '100m' } }, 'large')
  await cluster.pass(3000)
  assert.equal(cpuOf(cluster), '1500m')
})

each(
  named('deferred resizes are tried in order:', [
    {
      name: 'higher priority before lower',
      a: { priorityClassName: classOf(1), containers: [asking('100m')] },
      b: { priorityClassName: classOf(5), containers: [asking('100m')] },
      first: 'b',
    },
    {
      name: 'Guaranteed before Burstable',
      a: { containers: [asking('100m')] },
      b: {
        containers: [
          container({
            resources: {
              requests: { cpu: '100m', memory: '1Mi' },
              limits: { cpu: '100m', memory: '1Mi' },
            },
          }),
        ],
      },
      first: 'b',
    },
    {
      name: 'who has waited longer',
      a: { containers: [asking('100m')] },
      b: { containers: [asking('100m')] },
      first: 'a',
    },
  ]),
  async ({ a, b, first }) => {
    const cluster = await clusterWith({ large: { containers: [asking('1700m')] }, a, b })
    for (const [name, { containers }] of Object.entries({ a, b })) {
      const [main] = containers
      const change = { cpu: '1500m' }
      const { requests, limits } = main?.resources ?? {}
      cluster.resize(
        {
          requests: { ...requests, ...change },
          ...(limits && { limits: { ...limits, ...change } }),
        },
        name,
      )
      await cluster.pass(2000)
    }
    cluster.api.remove(pods, { namespace: 'default', name: 'large' })
    await cluster.pass(3000)
    const done = ['a', 'b'].filter((name) => cpuOf(cluster, name) === '1500m')
    assert.deepEqual(done, [first])
  },
)

void test('one resize that is stuck does not keep others', async () => {
  const cluster = await clusterWith({
    a: { priorityClassName: classOf(9), containers: [asking('100m')] },
    p: { containers: [asking('100m')] },
  })
  cluster.resize({ requests: { cpu: '1950m' } }, 'a')
  cluster.resize({ requests: { cpu: '200m' } })
  await cluster.pass(2000)
  assert.equal(conditionOf(cluster.pod('a'), pending)?.reason, 'Deferred')
  assert.equal(cpuOf(cluster), '200m')
})

const whole = { cpu: '1', memory: '64Mi' }
each(
  [
    {
      name: 'a Guaranteed pod on a node with static CPUs is Infeasible',
      wanted: { requests: { ...whole, cpu: '2' }, limits: { ...whole, cpu: '2' } },
      reason: 'Infeasible',
    },
    {
      name: 'its memory may still be resized',
      wanted: { requests: { ...whole, memory: '128Mi' }, limits: { ...whole, memory: '128Mi' } },
      reason: undefined,
    },
  ],
  async ({ wanted, reason }) => {
    const resources = { requests: whole, limits: whole }
    const cluster = await withOne(
      container({ resources }),
      nodeSettings({ cpuManager: 'static', milliCpu: 4000 }),
    )
    cluster.resize(wanted)
    await cluster.pass(2000)
    const condition = conditionOf(cluster.pod(), pending)
    assert.equal(condition?.reason, reason)
    assert.deepEqual(mainOf(cluster)?.resources, reason ? resources : wanted)
    if (reason) {
      assert.equal(
        condition?.message,
        'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
      )
    }
  },
)

void test('a resize of a pod that has ended means nothing', async () => {
  const cluster = await clusterWith({
    p: { restartPolicy: 'Never', containers: [{ ...asking('100m'), command: ['true'] }] },
  })
  cluster.resize({ requests: { cpu: '200m' } })
  await cluster.pass(1000)
  assert.equal(cluster.pod()?.status?.phase, 'Succeeded')
  assert.deepEqual(resizeEvents(cluster), [])
})

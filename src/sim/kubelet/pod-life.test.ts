import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  asking,
  conditionOf,
  container,
  named,
  nodeSettings,
  startCluster,
  type TestCluster,
} from '../../../test/sim/kubelets.ts'
import type { SimPodSpec } from '../nodes/pod.ts'
import { events, pods } from '../resources.ts'

const running = async (cluster: TestCluster, spec?: Partial<SimPodSpec>) => {
  cluster.add({ ...(spec && { spec }) })
  await cluster.pass(3000)
}

void test('a pod is told step by step, as a real kubelet tells it', async () => {
  const cluster = await startCluster()
  const steps: string[] = []
  cluster.api.subscribe(pods, ({ object }) => {
    const { status } = object as unknown as { status: { phase: string } }
    const seen = cluster.pod()
    const of = (type: string) => `${type}=${conditionOf(seen, type)?.status}`
    steps.push([status.phase, of('PodReadyToStartContainers'), of('Ready')].join(' '))
  })
  await running(cluster, { containers: [asking('100m', '200m')] })
  assert.deepEqual(steps, [
    'Pending PodReadyToStartContainers=undefined Ready=undefined',
    'Pending PodReadyToStartContainers=False Ready=False',
    'Pending PodReadyToStartContainers=True Ready=False',
    'Running PodReadyToStartContainers=True Ready=True',
  ])
})

void test('a running pod has every field of a real one', async () => {
  const cluster = await startCluster()
  await running(cluster, { containers: [asking('100m', '200m')] })
  const { status } = cluster.pod() ?? {}
  const [main] = status?.containerStatuses ?? []
  const id = /^containerd:\/\/[0-9a-f]{64}$/
  assert.match(main?.containerID ?? '', id)
  assert.match(main?.imageID ?? '', /^sha256:[0-9a-f]{64}$/)
  const { conditions, startTime, containerStatuses: _, ...rest } = status ?? {}
  assert.deepEqual(rest, {
    allocatedResources: { cpu: '100m' },
    hostIP: '10.0.0.1',
    hostIPs: [{ ip: '10.0.0.1' }],
    observedGeneration: 1,
    phase: 'Running',
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    qosClass: 'Burstable',
    resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
  })
  assert.ok(startTime)
  assert.deepEqual(
    conditions?.map(({ type, status, observedGeneration }) => [type, status, observedGeneration]),
    ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => [type, 'True', 1],
    ),
  )
  const { containerID, imageID, state, ...told } = main ?? {}
  assert.ok(containerID && imageID && state && 'running' in state)
  assert.deepEqual(told, {
    allocatedResources: { cpu: '100m' },
    image: 'app:1',
    lastState: {},
    name: 'main',
    ready: true,
    resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
    restartCount: 0,
    started: true,
  })
  assert.deepEqual(
    cluster.events().map(({ reason }) => reason),
    ['Pulled', 'Created', 'Started'],
  )
})

void test('init containers run in order, a sidecar beside those after it', async () => {
  const cluster = await startCluster()
  const started: string[] = []
  cluster.api.subscribe(events, ({ object }) => {
    const { reason, involvedObject } = object as unknown as {
      reason: string
      involvedObject: { fieldPath?: string }
    }
    if (reason === 'Started') started.push(involvedObject.fieldPath ?? '')
  })
  await running(cluster, {
    initContainers: [
      container({ name: 'first', command: ['true'] }),
      container({ name: 'side', restartPolicy: 'Always' }),
      container({ name: 'last' }),
    ],
  })
  assert.deepEqual(started, [
    'spec.initContainers{first}',
    'spec.initContainers{side}',
    'spec.initContainers{last}',
    'spec.containers{main}',
  ])
  const [first, side] = cluster.pod()?.status?.initContainerStatuses ?? []
  assert.ok(first && 'terminated' in first.state && first.ready)
  assert.ok(side && 'running' in side.state && side.ready)
  assert.equal(conditionOf(cluster.pod(), 'Ready')?.status, 'True')
})

void test('a readiness probe holds Ready back for its delay', async () => {
  const cluster = await startCluster()
  const readinessProbe = { httpGet: { port: 80 }, initialDelaySeconds: 10 }
  await running(cluster, { containers: [container({ readinessProbe })] })
  assert.equal(
    conditionOf(cluster.pod(), 'Ready')?.message,
    'containers with unready status: [main]',
  )
  await cluster.pass(10_000)
  assert.equal(conditionOf(cluster.pod(), 'Ready')?.status, 'True')
})

each(
  [
    { name: 'true ends as Succeeded', command: ['true'], policy: 'Never', phase: 'Succeeded' },
    { name: 'false ends as Failed', command: ['false'], policy: 'Never', phase: 'Failed' },
    {
      name: 'what ends well is not restarted on failure only',
      command: ['sleep', '1'],
      policy: 'OnFailure',
      phase: 'Succeeded',
    },
    { name: 'what fails is restarted on failure', command: ['false'], policy: 'OnFailure' },
    { name: 'what ends well is restarted always', command: ['true'], policy: 'Always' },
  ],
  async ({ command, policy, phase = 'Running' }) => {
    const cluster = await startCluster()
    await running(cluster, { containers: [container({ command })], restartPolicy: policy })
    const pod = cluster.pod()
    assert.equal(pod?.status?.phase, phase)
    const restarts = pod?.status?.containerStatuses?.[0]?.restartCount ?? 0
    assert.equal(restarts > 0, phase === 'Running')
    assert.equal(cluster.kernel.containers.size, 0)
  },
)

void test('a batch load ends its container when the kernel has done the work', async () => {
  const cluster = await startCluster()
  cluster.add({
    annotations: { 'sim.mbcas.io/load': 'batch work=30s exit=3' },
    spec: { restartPolicy: 'Never' },
  })
  await cluster.pass(3000)
  const [batch] = cluster.kernel.containers.values()
  batch?.onDone?.()
  await cluster.pass(1000)
  const [main] = cluster.pod()?.status?.containerStatuses ?? []
  assert.ok(main && 'terminated' in main.state)
  assert.equal(main.state.terminated.exitCode, 3)
  assert.equal(main.state.terminated.reason, 'Error')
  assert.equal(cluster.pod()?.status?.phase, 'Failed')
})

void test('crashes back off: at once, then 10 s, doubled up to 5 minutes', async () => {
  const cluster = await startCluster()
  const waits: string[] = []
  cluster.api.subscribe(pods, ({ object }) => {
    const { containerStatuses } = (object.status ?? {}) as {
      containerStatuses?: { state: { waiting?: { message?: string } } }[]
    }
    const message = containerStatuses?.[0]?.state.waiting?.message ?? ''
    const [, wait] =
      /^back-off (\S+) restarting failed container=main pod=p_default\(/.exec(message) ?? []
    if (wait !== undefined && waits.at(-1) !== wait) waits.push(wait)
  })
  await running(cluster, { containers: [container({ command: ['false'] })] })
  await cluster.pass(1_500_000)
  assert.deepEqual(waits, ['10s', '20s', '40s', '1m20s', '2m40s', '5m0s'])
})

each(
  [
    { name: 'a pod that obeys TERM goes soon', annotations: {}, grace: 30, within: 500 },
    {
      name: 'a pod that ignores TERM takes its whole grace period',
      annotations: { 'sim.mbcas.io/ignores-term': 'true' },
      grace: 30,
      within: 30_500,
    },
  ],
  async ({ annotations, grace, within }) => {
    const cluster = await startCluster()
    cluster.add({ annotations, spec: { terminationGracePeriodSeconds: grace } })
    await cluster.pass(3000)
    cluster.api.remove(pods, { namespace: 'default', name: 'p' })
    if (within > 1000) {
      await cluster.pass(within - 1000)
      assert.ok(cluster.pod(), 'it is there until the grace period has ended')
    }
    await cluster.pass(within)
    assert.equal(cluster.pod(), undefined)
    assert.equal(cluster.kernel.containers.size, 0)
    assert.ok(cluster.events().some(({ message }) => message === 'Stopping container main'))
  },
)

void test('a batch that ends while it is stopped does not hold its pod', async () => {
  const cluster = await startCluster()
  cluster.add({
    annotations: { 'sim.mbcas.io/load': 'batch work=30s', 'sim.mbcas.io/ignores-term': 'true' },
  })
  await cluster.pass(3000)
  cluster.api.remove(pods, { namespace: 'default', name: 'p' })
  await cluster.pass(1000)
  const [batch] = cluster.kernel.containers.values()
  batch?.onDone?.()
  await cluster.pass(1000)
  assert.equal(cluster.pod(), undefined)
})

void test('a load that cannot be read keeps its container from starting, and says why', async () => {
  const cluster = await startCluster()
  cluster.add({ annotations: { 'sim.mbcas.io/load': 'stedy cpu=1' } })
  await cluster.pass(3000)
  const [main] = cluster.pod()?.status?.containerStatuses ?? []
  assert.ok(main && 'waiting' in main.state)
  assert.equal(main.state.waiting.reason, 'CreateContainerConfigError')
  assert.match(main.state.waiting.message ?? '', /stedy/)
})

void test('a pod that is deleted before it starts goes too', async () => {
  const cluster = await startCluster()
  cluster.add()
  await cluster.pass(10)
  cluster.api.remove(pods, { namespace: 'default', name: 'p' })
  await cluster.pass(1000)
  assert.equal(cluster.pod(), undefined)
})

void test('activeDeadlineSeconds ends a pod', async () => {
  const cluster = await startCluster()
  await running(cluster, { activeDeadlineSeconds: 20 })
  await cluster.pass(20_000)
  const { phase, reason, message } = cluster.pod()?.status ?? {}
  assert.deepEqual(
    [phase, reason, message],
    ['Failed', 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'],
  )
})

each(
  named('the node refuses', [
    {
      name: 'a pod that is too large',
      spec: { containers: [asking('3')] },
      reason: 'OutOfcpu',
      message: "Node didn't have enough resource: cpu, requested: 3000, used: 500, capacity: 1900",
    },
    {
      name: 'a pod for other nodes',
      spec: { nodeSelector: { a: 'b' } },
      reason: 'NodeAffinity',
      message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    },
    {
      name: 'a pod that wants more devices than there are',
      spec: { containers: [container({ resources: { limits: { 'nvidia.com/gpu': '3' } } })] },
      reason: 'OutOfnvidia.com/gpu',
      message:
        "Node didn't have enough resource: nvidia.com/gpu, requested: 3, used: 0, capacity: 2",
    },
    {
      name: 'one pod more than the node takes',
      spec: {},
      pods: 1,
      reason: 'OutOfpods',
      message: "Node didn't have enough resource: pods, requested: 1, used: 1, capacity: 1",
    },
  ]),
  async ({ spec, reason, message, pods = 110 }) => {
    const reserved = { milliCpu: 100 }
    const extended = { 'nvidia.com/gpu': 2 }
    const cluster = await startCluster([nodeSettings({ reserved, extended, pods })])
    cluster.add({ name: 'other', spec: { containers: [asking('500m')] } })
    cluster.add({ spec })
    await cluster.pass(1000)
    const { status } = cluster.pod() ?? {}
    assert.deepEqual([status?.phase, status?.reason], ['Failed', reason])
    assert.equal(status?.message, `Pod was rejected: ${message}`)
    assert.deepEqual(cluster.events(), [{ reason, message }])
  },
)

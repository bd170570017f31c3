/** What a kubelet does with a resize. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { events } from '../../src/apis/event.ts'
import { type Pod, pods, type ResourceRequirements } from '../../src/apis/pod.ts'
import type { Case, ContractServer } from './case.ts'
import { conditionOf, eventually, runPod } from './expect.ts'
import { burstable, container, pod, resources, sleeping, type TestContainer } from './objects.ts'

const at = (namespace: string) => ({ namespace, name: 'p' })

type Wanted = Readonly<Record<string, ResourceRequirements>>

async function resize(
  { kube }: ContractServer,
  namespace: string,
  wanted: { containers?: Wanted; initContainers?: Wanted },
): Promise<Pod> {
  const list = (some: Wanted = {}) =>
    Object.entries(some).map(([name, resources]) => ({ name, resources }))
  const body = {
    spec: { containers: list(wanted.containers), initContainers: list(wanted.initContainers) },
  }
  return kube.patch(pods, { ...at(namespace), subresource: 'resize' }, { type: 'strategic', body })
}

const statusesOf = ({ status }: Pod) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]

/** Until the kubelet has done it: it has seen the generation, and says nothing more about it. */
const actuated = async ({ kube }: ContractServer, { metadata, spec }: Pod): Promise<Pod> =>
  eventually(
    async () => kube.get(pods, at(metadata.namespace ?? '')),
    (pod) =>
      pod.status?.observedGeneration === metadata.generation &&
      conditionOf(pod, 'PodResizePending') === undefined &&
      conditionOf(pod, 'PodResizeInProgress') === undefined &&
      [...(spec.initContainers ?? []), ...spec.containers].every(({ name, resources }) => {
        const status = statusesOf(pod).find((one) => one.name === name)
        return isDeepStrictEqual(status?.resources, resources)
      }),
  )

type Row = {
  readonly name: string
  readonly containers?: readonly TestContainer[]
  readonly initContainers?: readonly TestContainer[]
  readonly wanted: Parameters<typeof resize>[2]
}
const equal = { cpu: '30m', memory: '32Mi' }
const more = { cpu: '60m', memory: '48Mi' }

const rows: readonly Row[] = [
  {
    name: 'grows',
    wanted: { containers: { main: { requests: { cpu: '40m' }, limits: { cpu: '200m' } } } },
  },
  {
    name: 'shrinks',
    wanted: { containers: { main: { requests: { cpu: '10m' }, limits: { cpu: '50m' } } } },
  },
  {
    name: 'has another request, the same limit',
    wanted: { containers: { main: { requests: { cpu: '35m' } } } },
  },
  {
    name: 'has another limit, the same request',
    wanted: { containers: { main: { limits: { cpu: '150m' } } } },
  },
  { name: 'has more memory', wanted: { containers: { main: { limits: { memory: '80Mi' } } } } },
  {
    name: 'has less memory, more than it uses',
    wanted: { containers: { main: { limits: { memory: '48Mi' } } } },
  },
  {
    name: 'has two containers resized at once',
    containers: ['main', 'other'].map((name) => container(name, { resources: burstable })),
    wanted: {
      containers: {
        main: { limits: { cpu: '150m' } },
        other: { requests: { cpu: '10m' }, limits: { cpu: '60m' } },
      },
    },
  },
  {
    name: 'has its sidecar resized',
    initContainers: [
      container('side', { resources: burstable, restartPolicy: 'Always', command: sleeping }),
    ],
    wanted: { initContainers: { side: { requests: { cpu: '30m' }, limits: { cpu: '150m' } } } },
  },
  {
    name: 'is Guaranteed and stays so',
    containers: [container('main', { resources: resources(equal, equal) })],
    wanted: { containers: { main: { requests: more, limits: more } } },
  },
  {
    name: 'gets its first limit',
    containers: [container('main', { resources: resources({ cpu: '20m' }) })],
    wanted: { containers: { main: { limits: { cpu: '100m' } } } },
  },
]

export const resizeRunningCases: readonly Case[] = [
  ...rows.map(({ name, containers, initContainers, wanted }): Case => ({
    name: `it ${name}: status follows, without a restart`,
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      const before = await runPod(
        server,
        pod(namespace, {
          ...(containers && { containers }),
          spec: { ...(initContainers && { initContainers }) },
        }),
      )
      assert.equal(before.metadata.generation, 1)
      assert.equal(before.status?.observedGeneration, 1)
      const asked = await resize(server, namespace, wanted)
      assert.equal(asked.metadata.generation, 2)
      const after = await actuated(server, asked)
      const specs = [...(after.spec.initContainers ?? []), ...after.spec.containers]
      for (const { name, allocatedResources, restartCount, containerID } of statusesOf(after)) {
        const requests = specs.find((one) => one.name === name)?.resources?.requests
        assert.deepEqual(allocatedResources, requests)
        assert.equal(restartCount, 0)
        const old = statusesOf(before).find((one) => one.name === name)
        assert.equal(containerID, old?.containerID)
      }
      assert.equal(after.status?.qosClass, before.status?.qosClass)
      assert.equal(conditionOf(after, 'Ready')?.status, 'True')
    },
  })),
  {
    name: 'its resources stand in the status from the start',
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      const { status } = await runPod(server, pod(namespace))
      const [main] = status?.containerStatuses ?? []
      assert.deepEqual(main?.resources, burstable)
      assert.deepEqual(main?.allocatedResources, burstable.requests)
    },
  },
  {
    name: 'RestartContainer restarts it: what the product must never cause',
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] as const
      const main = container('main', { resources: burstable, resizePolicy, command: sleeping })
      await runPod(server, pod(namespace, { containers: [main] }))
      const asked = await resize(server, namespace, {
        containers: { main: { limits: { cpu: '150m' } } },
      })
      const after = await actuated(server, asked)
      const restarted = await eventually(
        async () => server.kube.get(pods, at(namespace)),
        (one) => one.status?.containerStatuses?.[0]?.restartCount === 1,
      )
      assert.equal(after.metadata.uid, restarted.metadata.uid)
    },
  },
  {
    name: 'less memory than it uses waits as PodResizeInProgress with Error, and can be taken back',
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      // 24 MiB in a shell variable.
      const fill =
        "x=$(head -c 25165824 /dev/zero | tr '\\0' x); touch /tmp/full; while :; do sleep 1; done"
      const main = container('main', {
        resources: resources({ cpu: '20m', memory: '8Mi' }, { cpu: '500m', memory: '160Mi' }),
        command: ['/bin/sh', '-c', fill],
        readinessProbe: { exec: { command: ['/bin/test', '-e', '/tmp/full'] }, periodSeconds: 1 },
      })
      await runPod(server, pod(namespace, { containers: [main] }))
      await resize(server, namespace, { containers: { main: { limits: { memory: '10Mi' } } } })
      const stuck = await eventually(
        async () => server.kube.get(pods, at(namespace)),
        (one) => conditionOf(one, 'PodResizeInProgress')?.reason === 'Error',
      )
      const condition = conditionOf(stuck, 'PodResizeInProgress')
      assert.equal(condition?.status, 'True')
      assert.equal(condition?.observedGeneration, 2)
      assert.match(
        condition?.message ?? '',
        /^cannot decrease memory limits: attempting to set container "main" memory limit \(10485760\) below current usage \(\d+\)$/,
      )
      const asked = await resize(server, namespace, {
        containers: { main: { limits: { memory: '160Mi' } } },
      })
      const after = await actuated(server, asked)
      assert.equal(after.status?.containerStatuses?.[0]?.restartCount, 0)
    },
  },
  {
    name: 'of a pod that has ended is accepted, and means nothing',
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      const { kube } = server
      const main = container('main', { resources: burstable, command: ['/bin/true'] })
      await kube.create(
        pods,
        pod(namespace, { containers: [main], spec: { restartPolicy: 'Never' } }),
      )
      await eventually(
        async () => kube.get(pods, at(namespace)),
        (one) => one.status?.phase === 'Succeeded',
      )
      const asked = await resize(server, namespace, {
        containers: { main: { limits: { cpu: '150m' } } },
      })
      assert.equal(asked.metadata.generation, 2)
      assert.equal(asked.status?.phase, 'Succeeded')
    },
  },
  {
    name: 'its events tell of it',
    needs: ['kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      await runPod(server, pod(namespace))
      const wanted = { containers: { main: { limits: { cpu: '150m' } } } }
      await actuated(server, await resize(server, namespace, wanted))
      const fieldSelector = 'involvedObject.name=p,source=kubelet'
      const told = await eventually(
        async () => (await server.kube.list(events, { namespace, fieldSelector })).items,
        (items) => items.some(({ reason }) => reason === 'ResizeCompleted'),
      )
      const messages = told
        .filter(({ reason }) => reason.startsWith('Resize'))
        .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
        // On a busy machine the kubelet tells of the old limit when it is done; seen with 1.36.3.
        .map((text) => text.replace('"100m"', '"150m"'))
      const resized =
        '{"containers":[{"name":"main","resources":{"limits":{"cpu":"150m","memory":"64Mi"},"requests":{"cpu":"20m","memory":"32Mi"}}}],"generation":2}'
      // The kubelet may tell of the end twice.
      assert.deepEqual([...new Set(messages)].toSorted(), [
        `Normal ResizeCompleted: Pod resize completed: ${resized}`,
        `Normal ResizeStarted: Pod resize started: ${resized}`,
      ])
    },
  },
]

/** Resizes that the node has no room for. Alone: they take most of a node. */
import assert from 'node:assert/strict'

import { nodes } from '../../src/apis/node.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { parseMillicores } from '../../src/core/quantity.ts'
import type { Case, ContractServer } from './case.ts'
import { conditionOf, eventually, runPod, untilGone } from './expect.ts'
import { container, pod, resources } from './objects.ts'

const pending = 'PodResizePending'

const asking = (cpu: number) => ({
  containers: [container('main', { resources: resources({ cpu: `${cpu}m` }) })],
})

const resize = async (
  { kube }: ContractServer,
  at: { namespace: string; name: string },
  cpu: number,
) =>
  kube.patch(
    pods,
    { ...at, subresource: 'resize' },
    {
      type: 'strategic',
      body: {
        spec: { containers: [{ name: 'main', resources: { requests: { cpu: `${cpu}m` } } }] },
      },
    },
  )

const cpuOfMain = ({ status }: Pod): number =>
  parseMillicores(status?.containerStatuses?.[0]?.resources?.requests?.['cpu'] ?? '0')

/** In millicores. */
async function cpuOf({ kube, nodeName }: ContractServer): Promise<number> {
  const { status } = await kube.get(nodes, { name: nodeName })
  return parseMillicores(status?.allocatable?.['cpu'] ?? '0')
}

export const resizeNodeCases: readonly Case[] = [
  {
    name: 'is Deferred until there is room',
    needs: ['kubelet', 'scheduler'],
    alone: true,
    run: async (server, { namespace }) => {
      const { kube } = server
      const all = await cpuOf(server)
      const at = { namespace, name: 'p' }
      const waiting = await deferred(server, namespace)
      const condition = conditionOf(waiting, pending)
      assert.equal(condition?.status, 'True')
      assert.equal(condition?.reason, 'Deferred')
      assert.equal(condition?.observedGeneration, 2)
      assert.equal(
        condition?.message,
        `Node didn't have enough resource: cpu, requested: ${all * 0.75}, used: ${all / 2}, capacity: ${all}`,
      )
      const [main] = waiting.status?.containerStatuses ?? []
      assert.equal(parseMillicores(main?.allocatedResources?.['cpu'] ?? '0'), all / 4)
      await kube.remove(pods, { namespace, name: 'large' })
      await untilGone(async () => kube.get(pods, { namespace, name: 'large' }))
      const done = await eventually(
        async () => kube.get(pods, at),
        (one) => conditionOf(one, pending) === undefined && cpuOfMain(one) === all * 0.75,
      )
      assert.equal(done.status?.containerStatuses?.[0]?.restartCount, 0)
    },
  },
  {
    name: 'is Deferred, and given up by asking for less',
    needs: ['kubelet', 'scheduler'],
    alone: true,
    run: async (server, { namespace }) => {
      const { kube } = server
      const all = await cpuOf(server)
      const at = { namespace, name: 'p' }
      await deferred(server, namespace)
      const asked = await resize(server, at, all / 8)
      const done = await eventually(
        async () => kube.get(pods, at),
        (one) =>
          conditionOf(one, pending) === undefined &&
          one.status?.observedGeneration === asked.metadata.generation,
      )
      assert.equal(done.metadata.generation, 3)
    },
  },
  {
    name: 'stays Deferred, not Infeasible, where the node has become too small for it',
    needs: ['kubelet', 'scheduler'],
    alone: true,
    run: async (server, { namespace }) => {
      const { kube, nodeName } = server
      const all = await cpuOf(server)
      const say = async (cpu: number) =>
        kube.patch(
          nodes,
          { name: nodeName, subresource: 'status' },
          { type: 'merge', body: { status: { allocatable: { cpu: `${cpu}m` } } } },
        )
      await deferred(server, namespace)
      await say(all * 0.6)
      try {
        await kube.remove(pods, { namespace, name: 'large' }) // so that the kubelet looks again
        const stuck = await eventually(
          async () => kube.get(pods, { namespace, name: 'p' }),
          (one) => conditionOf(one, pending)?.message?.includes('used: 0') === true,
        )
        const condition = conditionOf(stuck, pending)
        assert.equal(condition?.reason, 'Deferred')
        assert.equal(
          condition?.message,
          `Node didn't have enough resource: cpu, requested: ${all * 0.75}, used: 0, capacity: ${all * 0.6}`,
        )
      } finally {
        await say(all)
      }
    },
  },
]

/** `p` wants three quarters of the node, `large` has half of it. */
async function deferred(server: ContractServer, namespace: string): Promise<Pod> {
  const all = await cpuOf(server)
  const at = { namespace, name: 'p' }
  await Promise.all([
    runPod(server, pod(namespace, { name: 'large', ...asking(all / 2) })),
    runPod(server, pod(namespace, asking(all / 4))),
  ])
  await resize(server, at, all * 0.75)
  return eventually(
    async () => server.kube.get(pods, at),
    (one) => conditionOf(one, pending) !== undefined,
  )
}

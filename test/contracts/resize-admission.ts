/** What admission refuses of a resize: limit ranges, quotas, the node's capacity. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { nodes } from '../../src/apis/node.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Patch } from '../../src/ports/kube.ts'
import type { Case, ContractServer } from './case.ts'
import { eventually, refused } from './expect.ts'
import { limitRanges, newObject, pod, resourceQuotas, waitingPod } from './objects.ts'
import { main as changeMain } from './resize-rows.ts'

const main = (requests: object, limits: object = {}): Patch =>
  changeMain({ resources: { requests, limits } })

const resize = async ({ kube }: ContractServer, namespace: string, patch: Patch) =>
  kube.patch(pods, { namespace, name: 'p', subresource: 'resize' }, patch)

const container = { type: 'Container' }
const limited: readonly { name: string; limit: object; patch: Patch; said: string }[] = [
  {
    name: 'above the maximum of a container',
    limit: { ...container, max: { cpu: '150m' } },
    patch: main({}, { cpu: '200m' }),
    said: 'pods "p" is forbidden: maximum cpu usage per Container is 150m, but limit is 200m',
  },
  {
    name: 'below the minimum of a container',
    limit: { ...container, min: { cpu: '15m' } },
    patch: main({ cpu: '10m' }),
    said: 'pods "p" is forbidden: minimum cpu usage per Container is 15m, but request is 10m',
  },
  {
    name: 'above the ratio of limit to request',
    limit: { ...container, maxLimitRequestRatio: { cpu: '6' } },
    patch: main({}, { cpu: '200m' }),
    said: 'pods "p" is forbidden: cpu max limit to request ratio per Container is 6, but provided ratio is 10.000000',
  },
  {
    name: 'above the maximum of a pod',
    limit: { type: 'Pod', max: { cpu: '150m' } },
    patch: main({}, { cpu: '200m' }),
    said: 'pods "p" is forbidden: maximum cpu usage per Pod is 150m, but limit is 200m',
  },
  {
    name: 'above the maximum of memory',
    limit: { ...container, max: { memory: '64Mi' } },
    patch: main({}, { memory: '65Mi' }),
    said: 'pods "p" is forbidden: maximum memory usage per Container is 64Mi, but limit is 65Mi',
  },
]

const quotas: readonly {
  name: string
  hard: Record<string, string>
  patch: Patch
  said: string
}[] = [
  {
    name: 'requests.cpu',
    hard: { 'requests.cpu': '50m' },
    patch: main({ cpu: '60m' }),
    said: 'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=40m, used: requests.cpu=20m, limited: requests.cpu=50m',
  },
  {
    name: 'limits.cpu',
    hard: { 'limits.cpu': '150m' },
    patch: main({}, { cpu: '200m' }),
    said: 'pods "p" is forbidden: exceeded quota: q, requested: limits.cpu=100m, used: limits.cpu=100m, limited: limits.cpu=150m',
  },
  {
    name: 'requests.memory',
    hard: { 'requests.memory': '40Mi' },
    patch: main({ memory: '48Mi' }),
    said: 'pods "p" is forbidden: exceeded quota: q, requested: requests.memory=16Mi, used: requests.memory=32Mi, limited: requests.memory=40Mi',
  },
  {
    name: 'two at once',
    hard: { cpu: '50m', 'limits.cpu': '150m' },
    patch: main({ cpu: '60m' }, { cpu: '200m' }),
    said: 'pods "p" is forbidden: exceeded quota: q, requested: cpu=40m,limits.cpu=100m, used: cpu=20m,limits.cpu=100m, limited: cpu=50m,limits.cpu=150m',
  },
]

async function createQuota(
  { kube }: ContractServer,
  namespace: string,
  hard: Record<string, string>,
): Promise<void> {
  await kube.create(
    resourceQuotas,
    newObject({ metadata: { namespace, name: 'q' }, spec: { hard } }),
  )
  // Until its status is there, everything is refused.
  await eventually(
    async () => kube.get(resourceQuotas, { namespace, name: 'q' }),
    ({ status }) => status?.hard !== undefined,
  )
}

const forbidden = { code: 403, reason: 'Forbidden' }

export const resizeAdmissionCases: readonly Case[] = [
  ...limited.map(({ name, limit, patch, said }): Case => ({
    name: `LimitRange: ${name}`,
    run: async (server, { namespace }) => {
      await server.kube.create(pods, waitingPod(namespace))
      await server.kube.create(
        limitRanges,
        newObject({ metadata: { namespace, name: 'l' }, spec: { limits: [limit] } }),
      )
      await refusedSoon(server, namespace, { patch, said })
    },
  })),
  ...quotas.map(({ name, hard, patch, said }): Case => ({
    name: `ResourceQuota: above ${name}`,
    run: async (server, { namespace }) => {
      await createQuota(server, namespace, hard)
      await server.kube.create(pods, waitingPod(namespace))
      await refusedSoon(server, namespace, { patch, said })
    },
  })),
  {
    name: 'ResourceQuota: what fits is accepted, and counted',
    run: async (server, { namespace }) => {
      await createQuota(server, namespace, { 'requests.cpu': '50m' })
      await server.kube.create(pods, waitingPod(namespace))
      await resize(server, namespace, main({ cpu: '50m' }))
      const { status } = await eventually(
        async () => server.kube.get(resourceQuotas, { namespace, name: 'q' }),
        ({ status }) => isDeepStrictEqual(status?.used, { 'requests.cpu': '50m' }),
      )
      assert.deepEqual(status?.hard, { 'requests.cpu': '50m' })
    },
  },
  {
    name: 'more CPU than the node has',
    run: async (server, { namespace }) => {
      const { kube, nodeName } = server
      const { status } = await kube.get(nodes, { name: nodeName })
      const cpus = Number(status?.allocatable?.['cpu'])
      await kube.create(pods, pod(namespace, { spec: { nodeName } }))
      await refused(resize(server, namespace, main({ cpu: '1000' }, { cpu: '1000' })), {
        ...forbidden,
        said: `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 1000000, allocatable: ${cpus * 1000}`,
        causes: [{ reason: 'NodeCapacity', message: '' }],
      })
    },
  },
  {
    name: 'more memory than the node has',
    run: async (server, { namespace }) => {
      const { kube, nodeName } = server
      await kube.create(pods, pod(namespace, { spec: { nodeName } }))
      await refused(resize(server, namespace, main({ memory: '9Ti' }, { memory: '9Ti' })), {
        ...forbidden,
        said: /^pods "p" is forbidden: node didn't have enough allocatable resources: memory, requested: 9895604649984, allocatable: \d+$/,
        causes: [{ reason: 'NodeCapacity', message: '' }],
      })
    },
  },
  {
    name: 'a limit above the node is accepted: only requests count',
    run: async (server, { namespace }) => {
      const { kube, nodeName } = server
      await kube.create(pods, pod(namespace, { spec: { nodeName } }))
      const resized = await resize(server, namespace, main({}, { cpu: '1000' }))
      assert.equal(resized.spec.containers[0]?.resources?.limits?.['cpu'], '1k')
    },
  },
  {
    name: 'a node that is not there',
    run: async (server, { namespace }) => {
      const nodeName = `no-node-of-${namespace}`
      await server.kube.create(pods, pod(namespace, { spec: { nodeName } }))
      await refused(resize(server, namespace, main({ cpu: '30m' })), {
        ...forbidden,
        said: `pods "p" is forbidden: node "${nodeName}" not found`,
      })
    },
  },
]

/** Admission sees limit ranges and quotas through a cache: a dry run shows when it has seen them. */
async function refusedSoon(
  server: ContractServer,
  namespace: string,
  { patch, said }: { patch: Patch; said: string },
): Promise<void> {
  const at = { namespace, name: 'p', subresource: 'resize' } as const
  await eventually(
    async () =>
      server.kube.patch(pods, at, patch, { dryRun: true }).then(
        () => 'accepted',
        () => 'refused',
      ),
    (answer) => answer === 'refused',
    15_000,
  )
  await refused(resize(server, namespace, patch), { ...forbidden, said })
}

/** Watches: where they begin, what they tell in which order, and how they end. */
import assert from 'node:assert/strict'

import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Kube, WatchEvent, WatchQuery } from '../../src/ports/kube.ts'
import { patienceMillis } from '../until.ts'
import type { Case, ContractServer } from './case.ts'
import { namesOf, refused } from './expect.ts'
import { allocation, configMap, configMaps, pod } from './objects.ts'

/** Events until there are as many as wanted. */
async function firstEvents<T extends KubeObject>(
  kube: Kube,
  watched: { resource: Resource<T>; query: WatchQuery },
  count: number,
): Promise<WatchEvent<T>[]> {
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(patienceMillis)])
  const seen: WatchEvent<T>[] = []
  for await (const event of kube.watch(watched.resource, watched.query, { signal })) {
    seen.push(event)
    if (seen.length === count) end.abort()
  }
  return seen
}

const told = (events: readonly WatchEvent<KubeObject>[]): string[] =>
  events.map((event) =>
    event.type === 'BOOKMARK' ? event.type : `${event.type} ${event.object.metadata.name ?? ''}`,
  )

const versionOf = async ({ kube }: ContractServer, namespace: string) =>
  (await kube.list(podAllocations, { namespace })).resourceVersion

const change = (price: number) =>
  ({ type: 'merge', body: { spec: { decision: { price } } } }) as const

/** Create a, change a, create b, delete a. */
async function live({ kube }: ContractServer, namespace: string): Promise<void> {
  await kube.create(podAllocations, allocation(namespace, 'a'))
  await kube.patch(podAllocations, { namespace, name: 'a' }, change(2))
  await kube.create(podAllocations, allocation(namespace, 'b'))
  await kube.remove(podAllocations, { namespace, name: 'a' })
}
const lived = ['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']

export const watchCases: readonly Case[] = [
  {
    name: 'a watch from a list tells all that came after it, in order',
    run: async (server, { namespace }) => {
      const query = { namespace, resourceVersion: await versionOf(server, namespace) }
      await live(server, namespace)
      const events = await firstEvents(server.kube, { resource: podAllocations, query }, 4)
      assert.deepEqual(told(events), lived)
      const versions = events.map((event) =>
        Number(event.type === 'BOOKMARK' ? 0 : event.object.metadata.resourceVersion),
      )
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      )
      assert.equal(new Set(versions).size, 4)
    },
  },
  {
    name: 'a watch tells while it happens',
    run: async (server, { namespace }) => {
      const query = { namespace, resourceVersion: await versionOf(server, namespace) }
      const watching = firstEvents(server.kube, { resource: podAllocations, query }, 4)
      await live(server, namespace)
      assert.deepEqual(told(await watching), lived)
    },
  },
  {
    name: 'what is deleted is told with its last state and a newer version',
    run: async (server, { namespace }) => {
      const { kube } = server
      const created = await kube.create(podAllocations, allocation(namespace, 'a'))
      await kube.remove(podAllocations, { namespace, name: 'a' })
      const query = { namespace, resourceVersion: created.metadata.resourceVersion ?? '' }
      const [event] = await firstEvents(kube, { resource: podAllocations, query }, 1)
      assert.ok(event?.type === 'DELETED')
      assert.deepEqual(event.object.spec, created.spec)
      assert.ok(
        Number(event.object.metadata.resourceVersion) > Number(created.metadata.resourceVersion),
      )
    },
  },
  {
    name: 'a watch without a version begins with what is there',
    run: async ({ kube }, { namespace }) => {
      for (const name of ['b', 'a']) await kube.create(podAllocations, allocation(namespace, name))
      const events = await firstEvents(kube, { resource: podAllocations, query: { namespace } }, 2)
      assert.deepEqual(told(events).toSorted(), ['ADDED a', 'ADDED b'])
    },
  },
  {
    name: 'a watch from version 0 begins with what is there',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const query = { namespace, resourceVersion: '0' }
      const events = await firstEvents(kube, { resource: podAllocations, query }, 1)
      assert.deepEqual(told(events), ['ADDED a'])
    },
  },
  {
    name: 'timeoutSeconds ends a watch',
    run: async (server, { namespace }) => {
      const resourceVersion = await versionOf(server, namespace)
      const start = performance.now()
      const query = { namespace, resourceVersion, timeoutSeconds: 1 }
      const events = await firstEvents(server.kube, { resource: podAllocations, query }, 1)
      const took = performance.now() - start
      assert.deepEqual(events, [])
      assert.ok(took > 900, `${took} ms`)
    },
  },
  {
    name: 'bookmarks come where asked for, at the latest before the end',
    run: async (server, { namespace }) => {
      const resourceVersion = await versionOf(server, namespace)
      await server.kube.create(configMaps, configMap(namespace, 'a'))
      const query = { namespace, resourceVersion, timeoutSeconds: 4, allowBookmarks: true }
      const [event] = await firstEvents(server.kube, { resource: podAllocations, query }, 1)
      assert.ok(event?.type === 'BOOKMARK')
      assert.ok(Number(event.resourceVersion) >= Number(resourceVersion))
    },
  },
  {
    name: 'no bookmarks come where none are asked for',
    run: async (server, { namespace }) => {
      const resourceVersion = await versionOf(server, namespace)
      const query = { namespace, resourceVersion, timeoutSeconds: 4 }
      const events = await firstEvents(server.kube, { resource: podAllocations, query }, 1)
      assert.deepEqual(events, [])
    },
  },
  {
    name: 'a version that is too old is an ERROR event of code 410',
    run: async ({ kube }, { namespace }) => {
      const query = { namespace, resourceVersion: '1' }
      await refused(firstEvents(kube, { resource: podAllocations, query }, 1), {
        code: 410,
        reason: 'Expired',
        said: /^too old resource version: 1 \(\d+\)$/,
      })
    },
  },
  {
    name: 'a version that is no number is refused',
    run: async ({ kube }, { namespace }) => {
      const query = { namespace, resourceVersion: 'x' }
      await refused(firstEvents(kube, { resource: podAllocations, query }, 1), {
        code: 500,
        reason: 'InternalError',
        said: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      })
    },
  },
  {
    name: 'a label selector turns changes into ADDED and DELETED',
    run: async (server, { namespace }) => {
      const { kube } = server
      const at = { namespace, name: 'a' }
      const label = async (mark: string | null) =>
        kube.patch(podAllocations, at, { type: 'merge', body: { metadata: { labels: { mark } } } })
      const resourceVersion = await versionOf(server, namespace)
      await kube.create(podAllocations, allocation(namespace, 'a'))
      await label('yes')
      await kube.patch(podAllocations, at, change(2))
      await label('no')
      const query = { namespace, resourceVersion, labelSelector: 'mark=yes' }
      const events = await firstEvents(kube, { resource: podAllocations, query }, 3)
      assert.deepEqual(told(events), ['ADDED a', 'MODIFIED a', 'DELETED a'])
    },
  },
  {
    name: 'a field selector keeps others out',
    run: async (server, { namespace }) => {
      const resourceVersion = await versionOf(server, namespace)
      const query = { namespace, resourceVersion, fieldSelector: 'metadata.name=b' }
      await live(server, namespace)
      const watching = firstEvents(server.kube, { resource: podAllocations, query }, 2)
      await server.kube.remove(podAllocations, { namespace, name: 'b' })
      assert.deepEqual(told(await watching), ['ADDED b', 'DELETED b'])
    },
  },
  {
    name: 'a pod that finishes leaves a list and a watch of those that have not',
    run: async ({ kube }, { namespace }) => {
      const nodeName = `node-of-${namespace}`
      await kube.create(pods, pod(namespace, { name: 'a', spec: { nodeName } }))
      await kube.create(pods, pod(namespace, { name: 'b', spec: { nodeName } }))
      const fieldSelector = `spec.nodeName=${nodeName},status.phase!=Succeeded,status.phase!=Failed`
      const { items, resourceVersion } = await kube.list(pods, { fieldSelector })
      assert.deepEqual(namesOf(items), ['a', 'b'])
      const finish = async (name: string, phase: string) =>
        kube.patch(
          pods,
          { namespace, name },
          { type: 'merge', body: { status: { phase } } },
          {
            subresource: 'status',
          },
        )
      await finish('a', 'Succeeded')
      await finish('b', 'Failed')
      const query = { fieldSelector, resourceVersion }
      const events = await firstEvents(kube, { resource: pods, query }, 2)
      assert.deepEqual(told(events), ['DELETED a', 'DELETED b'])
      assert.deepEqual(namesOf((await kube.list(pods, { fieldSelector })).items), [])
    },
  },
  {
    name: 'a watch of a type that is not there is refused',
    run: async ({ kube }, { namespace }) => {
      const resource = { ...podAllocations, plural: 'nothings', kind: 'Nothing' }
      await refused(firstEvents(kube, { resource, query: { namespace } }, 1), {
        code: 404,
        reason: 'NotFound',
        said: 'the server could not find the requested resource',
      })
    },
  },
]

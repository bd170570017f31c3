/** Lists: pages, selectors, versions. */
import assert from 'node:assert/strict'

import { nodes } from '../../src/apis/node.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { ListQuery } from '../../src/ports/kube.ts'
import { ask } from './ask.ts'
import type { Case, ContractServer } from './case.ts'
import { namesOf, refused } from './expect.ts'
import { allocation, configMap, configMaps, pod, waitingPod } from './objects.ts'

const five = ['a', 'b', 'c', 'd', 'e']

async function createFive({ kube }: ContractServer, namespace: string): Promise<void> {
  await Promise.all(
    five.map(async (name, index) =>
      kube.create(
        configMaps,
        configMap(namespace, name, {
          labels: { team: index % 2 === 0 ? 'even' : 'odd', ...(name === 'e' && { last: '' }) },
        }),
      ),
    ),
  )
}

/** Without what the controllers put into every namespace. */
const ours = { fieldSelector: 'metadata.name!=kube-root-ca.crt' }

const listed =
  (query: ListQuery, wanted: readonly string[]): Case['run'] =>
  async (server, { namespace }) => {
    await createFive(server, namespace)
    const { items } = await server.kube.list(configMaps, { namespace, ...ours, ...query })
    assert.deepEqual(namesOf(items), wanted)
  }

const labelSelectors: readonly [selector: string, names: string[]][] = [
  ['team=even', ['a', 'c', 'e']],
  ['team==odd', ['b', 'd']],
  ['team!=even', ['b', 'd']],
  ['team in (odd,none)', ['b', 'd']],
  ['team notin (odd)', ['a', 'c', 'e']],
  ['last', ['e']],
  ['!last', ['a', 'b', 'c', 'd']],
  ['team=even,!last', ['a', 'c']],
]

export const listCases: readonly Case[] = [
  {
    name: 'a list is sorted by name, with a version and items without kind',
    run: async (server, { namespace }) => {
      await createFive(server, namespace)
      const page = await server.kube.list(configMaps, { namespace, ...ours })
      assert.deepEqual(namesOf(page.items), five)
      assert.match(page.resourceVersion, /^[1-9]\d*$/)
      assert.equal(page.next, undefined)
      assert.equal(page.items[0]?.kind, undefined)
    },
  },
  {
    name: 'pages are of one version, and later changes are not in them',
    run: async (server, { namespace }) => {
      const { kube } = server
      for (const name of five) await kube.create(podAllocations, allocation(namespace, name))
      const first = await kube.list(podAllocations, { namespace, limit: 2 })
      assert.deepEqual(namesOf(first.items), ['a', 'b'])
      await kube.remove(podAllocations, { namespace, name: 'd' })
      await kube.create(podAllocations, allocation(namespace, 'cc'))
      const second = await kube.list(podAllocations, {
        namespace,
        limit: 2,
        continue: first.next ?? '',
      })
      const third = await kube.list(podAllocations, {
        namespace,
        limit: 2,
        continue: second.next ?? '',
      })
      assert.deepEqual(namesOf([...second.items, ...third.items]), ['c', 'd', 'e'])
      assert.equal(third.next, undefined)
      assert.equal(second.resourceVersion, first.resourceVersion)
      assert.equal(third.resourceVersion, first.resourceVersion)
    },
  },
  {
    name: 'a page says how many items remain, but not of a selection',
    run: async (server, { namespace }) => {
      for (const name of five) await server.kube.create(podAllocations, allocation(namespace, name))
      const path = `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations?limit=2`
      type Listed = { metadata: { remainingItemCount?: number; continue?: string } }
      const all = (await server.kube.raw(path)) as Listed
      assert.equal(all.metadata.remainingItemCount, 3)
      const some = (await server.kube.raw(`${path}&labelSelector=!x`)) as Listed
      assert.equal(some.metadata.remainingItemCount, undefined)
      assert.ok(some.metadata.continue)
    },
  },
  {
    name: 'an expired continue token is refused with one to go on',
    needs: ['expiry'],
    alone: true,
    run: async (server, { namespace }) => {
      const { kube, expireToken } = server
      for (const name of five) await kube.create(podAllocations, allocation(namespace, name))
      const first = await kube.list(podAllocations, { namespace, limit: 2 })
      const old = await expireToken?.(first.next ?? '')
      assert.ok(old)
      await refused(kube.list(podAllocations, { namespace, limit: 2, continue: old }), {
        code: 410,
        reason: 'Expired',
        said: 'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      })
    },
  },
  {
    name: 'a continue token that is none is refused',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.list(configMaps, { namespace, limit: 1, continue: 'garbage' }), {
        code: 400,
        reason: 'BadRequest',
        said: /^invalid continue token: continue key is not valid: /,
      })
    },
  },
  ...labelSelectors.map(([labelSelector, names]): Case => ({
    name: `label selector ${labelSelector}`,
    run: listed({ labelSelector }, names),
  })),
  {
    name: 'a label selector that cannot be read is refused',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.list(pods, { namespace, labelSelector: 'a===' }), {
        code: 400,
        reason: 'BadRequest',
        said: "unable to parse requirement: found '=', expected: identifier",
      })
    },
  },
  {
    name: 'field selector metadata.name',
    run: listed({ fieldSelector: 'metadata.name=c' }, ['c']),
  },
  {
    name: 'field selector spec.nodeName of a PodAllocation, in a list and in a watch',
    run: async ({ kube }, { namespace }) => {
      const on = (name: string, nodeName?: string) => {
        const made = allocation(namespace, name)
        return { ...made, spec: { ...made.spec, ...(nodeName !== undefined && { nodeName }) } }
      }
      await kube.create(podAllocations, on('a', 'n1'))
      await kube.create(podAllocations, on('b', 'n2'))
      await kube.create(podAllocations, on('c'))
      const query = { namespace, fieldSelector: 'spec.nodeName=n1' }
      const { items, resourceVersion } = await kube.list(podAllocations, query)
      assert.deepEqual(namesOf(items), ['a'])
      const ended = new AbortController()
      const seen: string[] = []
      await kube.create(podAllocations, on('d', 'n2'))
      await kube.remove(podAllocations, { namespace, name: 'a' })
      await kube.create(podAllocations, on('e', 'n1'))
      const options = { signal: ended.signal }
      for await (const event of kube.watch(
        podAllocations,
        { ...query, resourceVersion },
        options,
      )) {
        if (event.type === 'BOOKMARK') continue
        seen.push(`${event.type} ${event.object.metadata.name}`)
        if (seen.length === 2) ended.abort()
      }
      assert.deepEqual(seen, ['DELETED a', 'ADDED e'])
    },
  },
  {
    name: 'field selector metadata.name of a PodAllocation, and no other of its spec',
    run: async ({ kube }, { namespace }) => {
      for (const name of ['a', 'b']) await kube.create(podAllocations, allocation(namespace, name))
      const query = { namespace, fieldSelector: 'metadata.name=b' }
      assert.deepEqual(namesOf((await kube.list(podAllocations, query)).items), ['b'])
      await refused(kube.list(podAllocations, { namespace, fieldSelector: 'spec.podName=a' }), {
        code: 400,
        reason: 'BadRequest',
        said: 'field label not supported: spec.podName',
      })
    },
  },
  {
    name: 'field selector spec.nodeName gives the pods of a node, of all namespaces',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace, { name: 'waiting' }))
      await kube.create(
        pods,
        pod(namespace, { name: 'elsewhere', spec: { nodeName: `node-of-${namespace}` } }),
      )
      const { items } = await kube.list(pods, {
        fieldSelector: `spec.nodeName=node-of-${namespace}`,
      })
      assert.deepEqual(namesOf(items), ['elsewhere'])
      const none = await kube.list(pods, { namespace, fieldSelector: 'spec.nodeName=' })
      assert.deepEqual(namesOf(none.items), ['waiting'])
    },
  },
  {
    name: 'field selector status.phase',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace))
      const list = async (fieldSelector: string) =>
        namesOf((await kube.list(pods, { namespace, fieldSelector })).items)
      assert.deepEqual(await list('status.phase=Pending'), ['p'])
      assert.deepEqual(await list('status.phase!=Pending,status.phase!=Running'), [])
    },
  },
  {
    name: 'a field that cannot be selected is refused',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.list(pods, { namespace, fieldSelector: 'spec.priority=1' }), {
        code: 400,
        reason: 'BadRequest',
        said: 'field label not supported: spec.priority',
      })
    },
  },
  {
    name: 'a node is listed by its name',
    run: async ({ kube, nodeName }) => {
      const { items } = await kube.list(nodes, { fieldSelector: `metadata.name=${nodeName}` })
      assert.deepEqual(namesOf(items), [nodeName])
      assert.match(items[0]?.status?.allocatable?.['cpu'] ?? '', /^\d+m?$/)
    },
  },
  {
    name: 'an empty list has no items, not null',
    run: async ({ kube }, { namespace }) => {
      const path = `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations`
      const list = (await kube.raw(path)) as { kind: string; items: unknown }
      assert.equal(list.kind, 'PodAllocationList')
      assert.deepEqual(list.items, [])
    },
  },
  {
    name: 'resourceVersion=0 answers whatever the server has at hand',
    run: async (server, { namespace }) => {
      await createFive(server, namespace)
      const page = await server.kube.list(configMaps, { namespace, resourceVersion: '0', limit: 2 })
      assert.match(page.resourceVersion, /^[1-9]\d*$/)
    },
  },
  {
    name: 'a list not older than a version has what was written then',
    run: async ({ kube }, { namespace }) => {
      const { metadata } = await kube.create(configMaps, configMap(namespace, 'a'))
      const page = await kube.list(configMaps, {
        namespace,
        ...ours,
        resourceVersion: metadata.resourceVersion ?? '',
        resourceVersionMatch: 'NotOlderThan',
      })
      assert.deepEqual(namesOf(page.items), ['a'])
    },
  },
  {
    name: 'a version that is no number is refused',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.list(configMaps, { namespace, resourceVersion: 'x' }), {
        code: 400,
        reason: 'BadRequest',
        said: 'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      })
    },
  },
  {
    name: 'a version of the future is waited for, then refused',
    run: async (server, { namespace }) => {
      // Not through the client, which would ask again.
      const path = `/api/v1/namespaces/${namespace}/configmaps?resourceVersion=999999999`
      const { code, text } = await ask(server, path)
      assert.equal(code, 504)
      const { reason, message, details } = JSON.parse(text) as {
        reason: string
        message: string
        details: unknown
      }
      assert.equal(reason, 'Timeout')
      assert.match(message, /^Timeout: Too large resource version: 999999999, current: \d+$/)
      assert.deepEqual(details, {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      })
    },
  },
]

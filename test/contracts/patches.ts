/** JSON, merge and strategic merge patches. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Patch } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { managersOf, refused } from './expect.ts'
import { allocation, configMap, configMaps, waitingPod } from './objects.ts'

const json = (...operations: Extract<Patch, { type: 'json' }>['operations']): Patch => ({
  type: 'json',
  operations,
})
const merge = (body: unknown): Patch => ({ type: 'merge', body })

/** On a ConfigMap whose data is { a: '1', b: '2' }. */
const results: readonly { name: string; patch: Patch; data: Record<string, string> | undefined }[] =
  [
    {
      name: 'JSON: test, replace and add',
      patch: json(
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '3' },
        { op: 'add', path: '/data/c', value: '4' },
      ),
      data: { a: '3', b: '2', c: '4' },
    },
    { name: 'JSON: remove', patch: json({ op: 'remove', path: '/data/a' }), data: { b: '2' } },
    {
      name: 'merge: adds and replaces',
      patch: merge({ data: { a: '3', c: '4' } }),
      data: { a: '3', b: '2', c: '4' },
    },
    { name: 'merge: null removes', patch: merge({ data: { a: null } }), data: { b: '2' } },
    { name: 'merge: null removes a whole map', patch: merge({ data: null }), data: undefined },
    {
      name: 'strategic: null removes',
      patch: { type: 'strategic', body: { data: { b: null } } },
      data: { a: '1' },
    },
    {
      name: 'strategic: a map can be replaced',
      patch: { type: 'strategic', body: { data: { $patch: 'replace', z: '9' } } },
      data: { z: '9' },
    },
  ]

export const patchCases: readonly Case[] = [
  ...results.map(({ name, patch, data }): Case => ({
    name,
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: '1', b: '2' } }))
      const patched = await kube.patch(configMaps, { namespace, name: 'a' }, patch)
      assert.deepEqual(patched.data, data)
      const now = await kube.get(configMaps, { namespace, name: 'a' })
      assert.deepEqual(now.data, data)
    },
  })),
  {
    name: 'JSON: a test that fails is refused, and nothing is done',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: '1' } }))
      const patch = json(
        { op: 'replace', path: '/data/a', value: '2' },
        { op: 'test', path: '/data/a', value: '7' },
      )
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: 'the server rejected our request due to an error in our request',
      })
      const { data } = await kube.get(configMaps, { namespace, name: 'a' })
      assert.deepEqual(data, { a: '1' })
    },
  },
  {
    name: 'JSON: to remove what is not there is refused',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: '1' } }))
      const patch = json({ op: 'remove', path: '/data/b' })
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: 'the server rejected our request due to an error in our request',
      })
    },
  },
  {
    name: 'strategic: a value of another type is refused',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a'))
      const patch = { type: 'strategic', body: { data: { y: 5 } } } as const
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: ' "" is invalid: patch: Invalid value: "map[data:map[y:5]]": cannot convert int64 to string',
      })
    },
  },
  {
    name: 'a patch with an old resourceVersion is refused',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      const at = { namespace, name: 'a' }
      const { resourceVersion } = old.metadata
      const patch = merge({ metadata: { resourceVersion }, data: { a: '1' } })
      const now = await kube.patch(configMaps, at, patch)
      assert.notEqual(now.metadata.resourceVersion, resourceVersion)
      await refused(
        kube.patch(configMaps, at, merge({ metadata: { resourceVersion }, data: { a: '2' } })),
        {
          code: 409,
          reason: 'Conflict',
          said: 'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        },
      )
    },
  },
  {
    name: 'a patch that changes nothing leaves the version',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(podAllocations, allocation(namespace, 'a'))
      const patch = merge({ spec: { desiredCPURequest: '100m' } })
      const now = await kube.patch(podAllocations, { namespace, name: 'a' }, patch)
      assert.equal(now.metadata.resourceVersion, old.metadata.resourceVersion)
    },
  },
  {
    name: 'a patch is written down under the name that the client gave',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      await kube.create(podAllocations, allocation(namespace, 'a'), { fieldManager: 'maker' })
      await kube.patch(podAllocations, at, merge({ spec: { desiredCPURequest: '120m' } }), {
        fieldManager: 'changer',
      })
      const told = await kube.patch(
        podAllocations,
        { ...at, subresource: 'status' },
        merge({ status: { phase: 'Applied' } }),
        { fieldManager: 'teller' },
      )
      const brief = managersOf(told).map(({ manager, operation, subresource }) =>
        [manager, operation, subresource ?? ''].join(' ').trim(),
      )
      assert.deepEqual(brief.toSorted(), ['changer Update', 'maker Update', 'teller Update status'])
    },
  },
  {
    name: 'strategic: containers are merged by name, labels by key',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace, { labels: { keep: 'me' } }))
      const body = {
        metadata: { labels: { add: 'it' } },
        spec: { containers: [{ name: 'main', image: 'mbcas.local/other:1' }] },
      }
      const patched = await kube.patch(pods, { namespace, name: 'p' }, { type: 'strategic', body })
      assert.deepEqual(patched.metadata.labels, { keep: 'me', add: 'it' })
      const [main] = patched.spec.containers
      assert.equal(patched.spec.containers.length, 1)
      assert.equal(main?.resources?.requests?.['cpu'], '20m')
      assert.equal((main as { image?: string }).image, 'mbcas.local/other:1')
    },
  },
  {
    name: 'strategic: is not for our own kind',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const patch = { type: 'strategic', body: { metadata: { labels: { a: 'b' } } } } as const
      await refused(kube.patch(podAllocations, { namespace, name: 'a' }, patch), {
        code: 415,
        reason: 'UnsupportedMediaType',
        said: 'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      })
    },
  },
  {
    name: 'a name cannot be changed',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a'))
      const patch = merge({ metadata: { name: 'b' } })
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 400,
        reason: 'BadRequest',
        said: 'the name of the object (b) does not match the name on the URL (a)',
      })
    },
  },
]

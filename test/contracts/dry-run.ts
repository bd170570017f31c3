/** Dry run: everything is checked and answered, nothing is kept. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { ask } from './ask.ts'
import type { Case } from './case.ts'
import { refused, untilGone } from './expect.ts'
import { allocation, configMap, configMaps, waitingPod } from './objects.ts'

const dryRun = { dryRun: true }

export const dryRunCases: readonly Case[] = [
  {
    name: 'create answers the object with its uid and keeps nothing',
    run: async ({ kube }, { namespace }) => {
      const made = await kube.create(podAllocations, allocation(namespace, 'a'), dryRun)
      assert.ok(made.metadata.uid)
      assert.equal(made.spec.urgency, 'normal')
      assert.equal(made.metadata.resourceVersion, undefined)
      await refused(kube.get(podAllocations, { namespace, name: 'a' }), {
        code: 404,
        reason: 'NotFound',
        said: 'podallocations.allocation.mbcas.io "a" not found',
      })
    },
  },
  {
    name: 'update and patch answer the result and keep the object',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      const updated = await kube.update(configMaps, { ...old, data: { a: '1' } }, dryRun)
      assert.deepEqual(updated.data, { a: '1' })
      assert.equal(updated.metadata.resourceVersion, old.metadata.resourceVersion)
      const patch = { type: 'merge', body: { data: { b: '2' } } } as const
      assert.deepEqual((await kube.patch(configMaps, at, patch, dryRun)).data, { b: '2' })
      assert.deepEqual(await kube.get(configMaps, at), old)
    },
  },
  {
    name: 'delete keeps the object',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      await kube.remove(configMaps, { namespace, name: 'a' }, dryRun)
      assert.deepEqual(await kube.get(configMaps, { namespace, name: 'a' }), old)
    },
  },
  {
    name: 'delete looks for it in the body, where there is one',
    run: async (server, { namespace }) => {
      const { kube } = server
      const path = `/api/v1/namespaces/${namespace}/configmaps/a`
      const remove = async (query: string, body: object) =>
        ask(server, path + query, {
          method: 'DELETE',
          contentType: 'application/json',
          body: JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', ...body }),
        })
      await kube.create(configMaps, configMap(namespace, 'a'))
      assert.equal((await remove('', { dryRun: ['All'] })).code, 200)
      await kube.get(configMaps, { namespace, name: 'a' })
      // The query counts only without a body: this one deletes.
      assert.equal((await remove('?dryRun=All', {})).code, 200)
      await untilGone(async () => kube.get(configMaps, { namespace, name: 'a' }))
    },
  },
  {
    name: 'what is invalid is refused all the same',
    run: async ({ kube }, { namespace }) => {
      const wrong = allocation(namespace, 'a', { podName: 'b' })
      await refused(kube.create(podAllocations, wrong, dryRun), {
        code: 422,
        reason: 'Invalid',
        said: 'PodAllocation.allocation.mbcas.io "a" is invalid: <nil>: Invalid value: metadata.name must be spec.podName: a pod has one PodAllocation, named as the pod',
      })
    },
  },
  {
    name: 'a resize is checked, and the pod stays',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(pods, waitingPod(namespace))
      const at = { namespace, name: 'p', subresource: 'resize' } as const
      const body = {
        spec: { containers: [{ name: 'main', resources: { requests: { cpu: '40m' } } }] },
      }
      const resized = await kube.patch(pods, at, { type: 'strategic', body }, dryRun)
      assert.equal(resized.spec.containers[0]?.resources?.requests?.['cpu'], '40m')
      assert.equal(resized.metadata.generation, 2)
      assert.deepEqual(await kube.get(pods, { namespace, name: 'p' }), old)
    },
  },
]

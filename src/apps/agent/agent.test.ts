import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { memoryKube } from '../../../test/memory-kube.ts'
import { createPods, loadedPod, onPlatform } from '../../../test/platform.ts'
import { readAgentConfig } from '../../apis/agent-config.ts'
import { settings } from '../../apis/names.ts'
import { type Node, nodes } from '../../apis/node.ts'
import { seededRandom } from '../../core/random.ts'
import { ApiError, type Kube, missingTypeWords } from '../../ports/kube.ts'
import { registry } from '../../runtime/metrics.ts'
import { startAgent } from './run.ts'

void describe('pods that are enforced by their requests alone', () => {
  const recommend = { [settings.mode]: 'recommend' }
  each(
    [
      { name: 'are counted where the kernel cannot be written', writesKernel: false, counts: 1 },
      { name: 'are none where it can', writesKernel: true, counts: 0 },
      {
        name: 'nor where nothing is to be set',
        writesKernel: false,
        annotations: recommend,
        counts: 0,
      },
    ],
    async ({ writesKernel, annotations, counts }) => {
      await onPlatform({ cpus: 2, writesKernel }, async ({ kube, pass, metrics }) => {
        await createPods(kube, [loadedPod('web', { ...(annotations && { annotations }) })])
        await pass(30)
        const text = metrics.render()
        assert.match(text, new RegExp(`^mbcas_pods_by_requests ${counts}$`, 'm'))
        assert.match(text, /^mbcas_suffering\{namespace="default",pod="web"\} 0$/m)
      })
    },
  )
})

void describe('the agent', () => {
  void test('lifts the quota of a pod, puts its weight into the kernel, and promises what is used', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see, useOver, agent, metrics, lines }) => {
      await createPods(kube, [
        loadedPod('busy', { load: 'steady cpu=1500m threads=2', request: '500m', limit: '800m' }),
        loadedPod('idle', { request: '800m', limit: '2' }),
      ])
      await pass(30)
      assert.deepEqual([agent.live(), agent.ready()], [{ ok: true }, { ok: true }])
      const { quota, allocation, pod } = see('busy')
      assert.equal(quota, 2000)
      assert.deepEqual(await useOver(10, 'busy'), [1500])
      assert.deepEqual(allocation?.metadata.ownerReferences, [
        { apiVersion: 'v1', kind: 'Pod', name: 'busy', uid: pod.metadata.uid, controller: true },
      ])
      assert.deepEqual(
        [allocation?.spec.podUID, allocation?.spec.nodeName],
        [pod.metadata.uid, 'node-0'],
      )
      await pass(120)
      // It is promised the least, and keeps what it requested: its weight says so.
      assert.deepEqual(see('idle').desired, { request: 100, limit: 2000 })
      assert.ok(see('idle').shares > 20 * see('busy').shares)
      assert.deepEqual(see('busy').desired, { request: 500, limit: 800 })
      assert.match(metrics.render(), /mbcas_allocation_mode\{node="node-0"\} 0/)
      assert.ok(lines.some((line) => line.startsWith('info market cleared {"node":"node-0"')))
    })
  })
})

void describe('the agent refuses to start', () => {
  const node = (allocatable: Record<string, string> = { cpu: '2' }): Node => ({
    metadata: { name: 'n1' },
    status: { allocatable, capacity: { cpu: '2' } },
  })
  const start = async (kube: Kube) => {
    const clock = manualClock()
    const cgroups = { where: '', read: () => undefined, forget() {}, close() {} }
    const ports = { kube, cgroups, clock, random: seededRandom(1), log: () => undefined }
    const options = { nodeName: 'n1', config: readAgentConfig({}, 'a test') }
    const stop = new AbortController()
    return startAgent({ ...ports, registry: registry() }, options, stop.signal)
  }

  void test('on a node that is not there', async () => {
    await assert.rejects(start(memoryKube()), {
      name: 'InvalidInput',
      message: /^finding node n1: there is none; give --node/,
    })
  })

  void test('on a node that does not say what it has', async () => {
    const kube = memoryKube()
    await kube.create(nodes, node())
    await assert.rejects(start(kube), {
      message: /^reading node n1: expected status.allocatable.cpu, got nothing/,
    })
  })

  void test('without the resource type', async () => {
    const kube = memoryKube()
    await kube.create(nodes, node())
    await kube.update(nodes, node(), { subresource: 'status' })
    const missing = { code: 404, reason: 'NotFound', said: missingTypeWords }
    const list = async () => Promise.reject(new ApiError('list podallocations', missing))
    await assert.rejects(start({ ...kube, list }), /could not find the requested resource/)
  })
})

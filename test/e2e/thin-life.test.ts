/**
 * One thin life on a real node: what an agent senses in the kernel becomes a PodAllocation, which the
 * controller makes a resize, which the kubelet puts into the kernel, and no container is restarted.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { PodAllocation } from '../../src/apis/pod-allocation.ts'
import type { Pod } from '../../src/apis/pod.ts'
import { type Background, startMbcas } from '../background.ts'
import { type Cluster, startCluster } from '../kubernetes/cluster.ts'
import { until } from '../kubernetes/processes.ts'
import { realCluster, skipUnless } from '../real.ts'
import { run } from '../run.ts'
import { allowedIn, burn, groupsOf, idle, podOf } from './real-pods.ts'

const allocationOf = (name: string, request: string, limit: string) => ({
  apiVersion: 'allocation.mbcas.io/v1alpha1',
  kind: 'PodAllocation',
  metadata: { name },
  spec: { podName: name, desiredCPURequest: request, desiredCPULimit: limit },
})

void describe('one thin life on a real node', { skip: skipUnless(...realCluster) }, () => {
  let cluster: Cluster
  let controller: Background
  let agent: Background | undefined

  const apply = async (object: unknown) =>
    cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object))
  const get = async <T>(kind: string, name: string) =>
    JSON.parse(await cluster.kubectl(['get', kind, name, '-o', 'json'])) as T

  /** Millicores that the kernel allows its container. */
  const allowed = async (name: string): Promise<number> => {
    const { container } = groupsOf(cluster, await get<Pod>('pod', name))
    return allowedIn(container).quota
  }

  /** Milliseconds until the kernel's limit is as wished. */
  const timeUntil = async (name: string, wished: (limit: number) => boolean): Promise<number> => {
    const start = performance.now()
    await until(`the limit of ${name}`, async () => wished(await allowed(name)), 60_000)
    return Math.round(performance.now() - start)
  }

  const assertUntouched = async (name: string) => {
    const { status } = await get<Pod>('pod', name)
    assert.equal(status?.containerStatuses?.[0]?.restartCount, 0)
    assert.equal(status?.qosClass, 'Burstable')
  }

  before(async () => {
    cluster = await startCluster()
    await cluster.kubectl(['apply', '-f', 'deploy/crds'])
    await cluster.kubectl(['create', 'namespace', 'mbcas-system'])
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
    await apply(podOf({ name: 'by-hand', work: idle, request: '100m', limit: '200m' }))
    for (const name of ['hot-1', 'hot-2', 'hot-3']) {
      await apply(podOf({ name, work: burn, request: '50m', limit: '100m' }))
    }
    await apply(podOf({ name: 'idle', work: idle, request: '300m', limit: '1' }))
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=60s'])
    controller = startMbcas(
      'controller',
      '--kubeconfig',
      cluster.kubeconfig,
      '--listen',
      '127.0.0.1:0',
    )
    await until('the controller', () =>
      controller.lines.some(({ msg }) => msg === 'controller ready'),
    )
  })

  after(async () => {
    await agent?.stop()
    await controller.stop()
    await cluster.stop()
  })

  void test('a PodAllocation written by hand resizes its pod', async (t) => {
    const times: number[] = []
    for (const limit of [400, 250, 500, 300, 450]) {
      await apply(allocationOf('by-hand', '150m', `${limit}m`))
      times.push(await timeUntil('by-hand', (allowed) => allowed === limit))
    }
    t.diagnostic(`from the answer to kubectl to the quota in the cgroup: ${times.join(', ')} ms`)
    await until('its status', async () => {
      const { status } = await get<PodAllocation>('pa', 'by-hand')
      return status?.phase === 'Applied' && status.appliedCPULimit === '450m'
    })
    await assertUntouched('by-hand')
    assert.match(await cluster.kubectl(['describe', 'pod', 'by-hand']), /CPUApplied/)
    assert.match(await cluster.kubectl(['get', 'pa', 'by-hand']), /by-hand +150m +450m +Applied/)
  })

  void test('what cannot be is said, in the words of the server', async () => {
    await apply(allocationOf('by-hand', '64', '64'))
    await until('its status', async () => {
      const { status } = await get<PodAllocation>('pa', 'by-hand')
      return status?.phase === 'Failed' && /allocatable/.test(status.message ?? '')
    })
    await cluster.kubectl(['delete', 'pa', 'by-hand'])
    await assertUntouched('by-hand')
  })

  void test('an agent raises what is throttled', async (t) => {
    const place = ['--node', cluster.nodeName, '--cgroup-root', cluster.cgroupRoot]
    const rhythm = ['--sampling-interval', '500ms', '--interval', '2s', '--listen', '127.0.0.1:0']
    agent = startMbcas('agent', '--kubeconfig', cluster.kubeconfig, ...place, ...rhythm)
    const rise = await timeUntil('hot-1', (limit) => limit >= 300)
    t.diagnostic(`a throttled pod from 100m to 300m or more in the kernel: ${rise} ms`)
    for (const name of ['hot-1', 'hot-2', 'hot-3', 'idle', 'by-hand']) await assertUntouched(name)
    const { metadata } = await get<Pod>('pod', 'hot-1')
    const { metadata: allocation } = await get<PodAllocation>('pa', 'hot-1')
    assert.equal(allocation.ownerReferences?.[0]?.uid, metadata.uid)
  })

  void test('mbcas explain pod says what it has, wants, got and why', async (t) => {
    const args = [
      'dist/src/main.js',
      'explain',
      'pod',
      'default/hot-1',
      '--kubeconfig',
      cluster.kubeconfig,
    ]
    const { code, stdout, stderr } = await run(process.execPath, args)
    assert.equal(code, 0, stderr)
    t.diagnostic(`\n${stdout}`)
    for (const word of ['has', 'wants', 'got', 'state', 'why'])
      assert.match(stdout, new RegExp(`^  ${word} `, 'm'))
  })

  void test('both processes end in order on SIGTERM', async () => {
    assert.deepEqual([await agent?.stop(), await controller.stop()], [0, 0])
    assert.equal(`${agent?.said()}${controller.said()}`, '')
  })
})

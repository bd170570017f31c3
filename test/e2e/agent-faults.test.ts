import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Fault } from '../../src/apis/fault-file.ts'
import { loadAnnotation } from '../../src/apis/load.ts'
import { pods } from '../../src/apis/pod.ts'
import { followPublications } from '../node-view.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

/** Of everything that the agent asks. */
const away: Fault = {
  kind: 'reset-before',
  share: 1,
  userAgent: 'agent',
  delayMillis: 0,
  retryAfterSeconds: 1,
  events: 0,
}
const silent: Fault = { ...away, kind: 'drop-watch' }

void describe('the API server away', () => {
  void test('the kernel is shared all the same, nothing is lowered, and raises are told later', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, cluster, pass, see, useOver, agent, metrics } = platform
      await createPods(kube, [
        loadedPod('api', {
          load: 'steady cpu=10m threads=1',
          request: '1',
          limit: '2',
        }),
        loadedPod('hog', { load: 'steady cpu=4 threads=8' }),
      ])
      await pass(100)
      const wakes = { metadata: { annotations: { [loadAnnotation]: 'steady cpu=1' } } }
      await kube.patch(pods, { namespace: 'default', name: 'api' }, { type: 'merge', body: wakes })
      cluster.plant([away, silent])
      const published = followPublications(cluster)
      const before = [see('api').desired, see('hog').desired]
      assert.equal(before[0]?.request, 100)
      await pass(25)
      const [used = 0] = await useOver(30, 'api')
      assert.ok(used >= 980, `${used}m`)
      assert.equal(published.length, 0)
      assert.deepEqual(agent.live(), { ok: true })
      assert.deepEqual([see('api').desired, see('hog').desired], before)
      assert.match(metrics.render(), /mbcas_/)
      cluster.plant([])
      await pass(20)
      const raise = published.find(({ pod }) => pod === 'api')
      assert.ok((raise?.request ?? 0) > 100, JSON.stringify(published))
    })
  })

  void test('that comes back is told of decreases too', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, cluster, pass, see }) => {
      cluster.plant([{ ...away, verbs: ['patch'] }])
      await createPods(kube, [loadedPod('idle', { request: '800m', limit: '1' })])
      await pass(150)
      assert.equal(see('idle').request, 800)
      cluster.plant([])
      await pass(60)
      assert.equal(see('idle').request, 100)
    })
  })

  void test('that hangs is not told later what was decided long before', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, cluster, pass, see, lines }) => {
      const published = followPublications(cluster)
      cluster.plant([{ ...away, kind: 'slow', verbs: ['get'], delayMillis: 60_000 }])
      await createPods(kube, [loadedPod('api', { load: 'steady cpu=900m' })])
      await pass(45)
      assert.deepEqual(published, [])
      assert.ok(lines.some((line) => line.startsWith('warn plan outdated')))
      cluster.plant([])
      await pass(20)
      assert.deepEqual([see('api').desired?.limit, see('api').quota], [500, 2000])
    })
  })

  void test('for a moment, a write is tried again', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, cluster, pass, see }) => {
      cluster.plant([{ ...away, verbs: ['patch'], kind: 'error', times: 3 }])
      await createPods(kube, [loadedPod('api', { load: 'steady cpu=900m' })])
      await pass(30)
      assert.deepEqual([see('api').desired?.limit, see('api').quota], [500, 2000])
    })
  })
})

void describe('an agent that takes over', () => {
  void test('keeps what is applied, and goes on at once with what the kernel has', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, cluster, pass, see, useOver, replaceAgent }) => {
      await createPods(kube, [
        loadedPod('steady', { load: 'steady cpu=700m' }),
        loadedPod('resting', {
          load: 'bursty low=20m high=900m every=150s for=60s',
          request: '1',
          limit: '2',
        }),
        loadedPod('hog', { load: 'steady cpu=4 threads=8' }),
      ])
      await pass(110)
      const names = ['steady', 'resting', 'hog']
      const applied = () => names.map((name) => [see(name).request, see(name).limit])
      const before = applied()
      const published = followPublications(cluster)
      await replaceAgent()
      await pass(0.5)
      assert.deepEqual(applied(), before)
      await pass(10)
      assert.ok(see('resting').shares > 50 * see('hog').shares, 'it is entitled to what it was')
      await pass(40)
      const [used = 0] = await useOver(5, 'resting')
      assert.ok(used >= 880, `${used}m of the 900m that it wants`)
      const falls = published.filter(({ pod, request }) => {
        const [was = 0] = before[names.indexOf(pod)] ?? []
        return request < was
      })
      assert.deepEqual(falls, [], 'it knows too little to lower anything')
    })
  })

  void test('knows what was told, and does not tell it again', async () => {
    await onPlatform({ cpus: 8 }, async ({ kube, cluster, pass, see, replaceAgent }) => {
      const load = 'requests rate=50 cpu=8ms threads=4'
      await createPods(kube, [
        loadedPod('a', { load, limit: '1' }),
        loadedPod('b', { load, limit: '1' }),
      ])
      await pass(150)
      const before = [see('a').desired, see('b').desired]
      assert.ok(before.every((desired) => desired !== undefined))
      const published = followPublications(cluster)
      await replaceAgent()
      await pass(50)
      assert.deepEqual(published, [])
    })
  })
})

void describe('a kubelet that defers a resize', () => {
  const place = { namespace: 'default', name: 'api' }

  /** As the controller would. */
  const carryOut = async ({ kube, see }: Platform): Promise<void> => {
    const [container] = see('api').allocation?.spec.containers ?? []
    const { desiredCPURequest = '', desiredCPULimit = '' } = container ?? {}
    const resources = {
      requests: { cpu: String(desiredCPURequest) },
      limits: { cpu: String(desiredCPULimit) },
    }
    const body = { spec: { containers: [{ name: 'app', resources }] } }
    await kube.patch(pods, { ...place, subresource: 'resize' }, { type: 'strategic', body })
  }
  const said = ({ see }: Platform) =>
    see('api').pod.status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason

  void test('is bid less to after half a minute, and all when it no longer does', async () => {
    const config = { enforcement: 'strict' }
    await onPlatform({ cpus: 2, hasController: false, config }, async (platform) => {
      const { kube, pass, see } = platform
      // The kubelet counts what an init container asked for as long as the pod is there.
      const heavy = loadedPod('heavy')
      const resources = { requests: { cpu: '1500m' }, limits: { cpu: '1500m' } }
      const initContainers = [{ name: 'setup', image: 'setup', resources }]
      await createPods(kube, [
        { ...heavy, spec: { ...heavy.spec, initContainers } },
        loadedPod('api', { load: 'steady cpu=1200m threads=2' }),
      ])
      await pass(30)
      const whole = see('api').desired?.limit ?? 0
      assert.ok(whole >= 1200, `${whole}m`)
      await carryOut(platform)
      await pass(25)
      assert.deepEqual([said(platform), see('api').desired?.limit], ['Deferred', whole])
      await pass(25)
      const { desired, allocation } = see('api')
      assert.deepEqual(desired, { request: 105, limit: 525 })
      assert.match(allocation?.spec.decision?.reason ?? '', /the kubelet has deferred its resize/)
      await carryOut(platform)
      await pass(80)
      assert.equal(said(platform), undefined)
      assert.ok((see('api').desired?.limit ?? 0) >= 1200)
    })
  })
})

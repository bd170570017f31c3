import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Fault } from '../../src/apis/fault-file.ts'
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
  void test('the kernel is moved all the same, nothing is lowered, and raises are told later', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, cluster, pass, see, agent, metrics }) => {
      await createPods(kube, [
        loadedPod('rising', { load: 'ramp from=100m to=2 over=200s threads=2' }),
        loadedPod('falling', { load: 'ramp from=800m to=10m over=100s', limit: '900m' }),
        ...Array.from({ length: 6 }, (_, i) =>
          loadedPod(`other-${i}`, { load: 'steady cpu=100m' }),
        ),
      ])
      await pass(80)
      cluster.plant([away, silent])
      const [rising, falling] = [see('rising'), see('falling')]
      const published = followPublications(cluster)
      await pass(85)
      assert.equal(published.length, 0)
      assert.deepEqual(agent.live(), { ok: true })
      assert.ok((see('rising').quota ?? 0) > (rising.quota ?? 0), 'from unsold CPU')
      assert.equal(see('rising').limit, rising.limit)
      assert.deepEqual([see('falling').quota, see('falling').limit], [falling.quota, falling.limit])
      assert.match(metrics.render(), /mbcas_/)
      cluster.plant([])
      await pass(40)
      const raise = published.find(({ pod }) => pod === 'rising')
      assert.ok((raise?.limit ?? 0) > (rising.limit ?? Infinity), JSON.stringify(published))
    })
  })

  void test('that comes back is told of decreases too', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, cluster, pass, see }) => {
      await createPods(kube, [
        loadedPod('idle', { limit: '1' }),
        loadedPod('busy', { load: 'steady cpu=1700m threads=2', limit: '1800m' }),
      ])
      await pass(80)
      cluster.plant([{ ...away, verbs: ['patch'] }])
      await pass(40)
      assert.equal(see('idle').limit, 1000)
      cluster.plant([])
      await pass(60)
      assert.equal(see('idle').limit, 100)
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
      assert.ok((see('api').limit ?? 0) >= 900)
    })
  })

  void test('for a moment, a write is tried again', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, cluster, pass, see }) => {
      cluster.plant([{ ...away, verbs: ['patch'], kind: 'error', times: 3 }])
      await createPods(kube, [loadedPod('api', { load: 'steady cpu=900m' })])
      await pass(30)
      assert.ok((see('api').limit ?? 0) >= 900)
    })
  })
})

void describe('an agent that takes over', () => {
  void test('keeps what is applied', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, cluster, pass, see, replaceAgent }) => {
      await createPods(kube, [
        loadedPod('steady', { load: 'steady cpu=700m' }),
        loadedPod('resting', { load: 'bursty low=20m high=900m every=150s for=60s' }),
        ...Array.from({ length: 4 }, (_, i) =>
          loadedPod(`other-${i}`, { load: 'steady cpu=200m' }),
        ),
      ])
      await pass(75)
      const names = ['steady', 'resting', 'other-0']
      const limits = () => names.map((name) => see(name).limit)
      const before = limits()
      const published = followPublications(cluster)
      await replaceAgent()
      await pass(0.5)
      assert.deepEqual(limits(), before)
      await pass(50)
      const falls = published.filter(({ pod, limit = 0 }) => {
        const i = names.indexOf(pod)
        return i >= 0 && limit < (before[i] ?? 0)
      })
      assert.deepEqual(falls, [], 'it knows too little to lower anything')
      assert.equal(see('steady').burst, see('steady').quota)
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
    await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
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
      await pass(20)
      assert.equal(said(platform), undefined)
      assert.ok((see('api').desired?.limit ?? 0) >= 1200)
    })
  })
})

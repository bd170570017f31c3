import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Fault } from '../../src/apis/fault-file.ts'
import { followPublications } from '../node-view.ts'
import { createPods, loadedPod, onPlatform } from '../platform.ts'

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
        loadedPod('rising', { load: 'bursty low=100m high=1500m every=140s for=40s threads=2' }),
        loadedPod('falling', { load: 'ramp from=800m to=10m over=100s', limit: '900m' }),
        ...Array.from({ length: 6 }, (_, i) =>
          loadedPod(`other-${i}`, { load: 'steady cpu=100m' }),
        ),
      ])
      await pass(80)
      cluster.plant([away, silent])
      const [rising, falling] = [see('rising'), see('falling')]
      const published = followPublications(cluster)
      await pass(85) // the step comes after 140 s
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
})

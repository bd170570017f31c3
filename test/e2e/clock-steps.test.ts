/** The wall clock is set back or forth by an hour: what is meant by a duration goes on as if nothing was. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Millis } from '../../src/core/units.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { each } from '../each.ts'
import { lookAt } from '../node-view.ts'
import { createPods, loadedPod } from '../platform.ts'
import { onSite, type Site, startAgentOn, startController } from '../site.ts'

const HOUR = 3_600_000

/** As the cluster's, until it is set. */
function settable({ cluster }: Site) {
  const { clock } = cluster.agenda
  let step = 0
  const own: Clock = { ...clock, wall: () => (clock.wall() + step) as Millis }
  return { clock: own, set: (by: number) => void (step = by) }
}

const steps = [
  { name: 'back by an hour', by: -HOUR },
  { name: 'on by an hour', by: HOUR },
]

void describe('the wall clock of an agent is set', () => {
  each(steps, async ({ by }) => {
    await onSite({ cpus: 4 }, async (site) => {
      const { kube, cluster, pass } = site
      const { clock, set } = settable(site)
      const agent = await startAgentOn(site, { clock })
      const see = (name: string) => lookAt(cluster).get(name)
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=200m', limit: '300m' })])
      await pass(20)
      set(by)
      await createPods(kube, [loadedPod('guest', { load: 'steady cpu=900m', limit: '300m' })])
      await pass(20)
      const { quota, desired, shares = 0 } = see('guest') ?? {}
      assert.deepEqual([quota, desired?.limit], [4000, 300])
      assert.ok((see('web')?.shares ?? 0) > 0 && shares > 0)
      const used = see('guest')?.usedSeconds ?? 0
      await pass(10)
      assert.ok((see('guest')?.usedSeconds ?? 0) - used >= 8.9)
      await agent.stop()
    })
  })
})

void describe('the wall clock of an agent is set while a pod was just told of in a hurry', () => {
  each(steps, async ({ by }) => {
    await onSite({ cpus: 4 }, async (site) => {
      const { kube, cluster, pass } = site
      const { clock, set } = settable(site)
      // Otherwise limits are open, or idle CPU is lent beforehand, and nothing is left to raise.
      const strict = { enforcement: 'strict', costEfficiencyMode: true }
      const config = { ...strict, startupGracePeriod: '0s' }
      const agent = await startAgentOn(site, { clock, config })
      const load = 'ramp from=100m to=3500m over=60s'
      await createPods(kube, [loadedPod('climber', { load, limit: '300m' })])
      await pass(15)
      set(by)
      await pass(14)
      const told = lookAt(cluster).get('climber')?.desired?.limit ?? 0
      assert.ok(told >= 700, `it was told ${told}m`)
      await agent.stop()
    })
  })
})

void describe('the wall clock of a controller is set', () => {
  each(steps, async ({ by }) => {
    await onSite({ cpus: 4 }, async (site) => {
      const { kube, pass } = site
      const { clock, set } = settable(site)
      const controller = startController(site, { clock })
      await createPods(kube, [loadedPod('web', { limit: '400m' })])
      await pass(4)
      const place = { namespace: 'default', name: 'web' }
      const spec = { podName: 'web', urgency: 'normal', desiredCPULimit: '800m' } as const
      await kube.create(podAllocations, { metadata: place, spec })
      await pass(8)
      set(by)
      const body = { spec: { desiredCPULimit: '1500m' } }
      await kube.patch(podAllocations, place, { type: 'merge', body })
      await pass(15)
      const pod = await kube.get(pods, place)
      assert.equal(pod.spec.containers[0]?.resources?.limits?.['cpu'], '1500m')
      await controller.stop()
    })
  })
})

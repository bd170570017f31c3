import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createPods, loadedPod, onPlatform } from '../../../test/platform.ts'
import { settings } from '../../apis/names.ts'
import type { NodeView, PodView } from '../../apis/node-view.ts'

const podIn = (view: NodeView, name: string): PodView => {
  const found = view.pods.find((pod) => pod.name === name)
  assert.ok(found, `${name} among ${view.pods.map((pod) => pod.name).join()}`)
  return found
}

void describe('what the agent tells of its node', () => {
  void test('is its market, and every pod with its bid, its kernel and why', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see, agent }) => {
      await createPods(kube, [
        loadedPod('busy', {
          load: 'steady cpu=1500m threads=2',
          annotations: { 'mbcas.io/target-latency-ms': '50' },
        }),
        loadedPod('away', { annotations: { 'mbcas.io/managed': 'false' } }),
      ])
      await pass(30)
      agent.view()
      await pass(5)
      const view = agent.view()
      assert.equal(view.node, 'node-0')
      const { market } = view
      assert.ok(market)
      assert.deepEqual([market.mode, market.allocatable, market.reserve], ['uncongested', 2000, 0])
      assert.ok(market.capacity <= 2000 && market.sold <= market.capacity)
      assert.ok(view.at - market.at <= 15_000)

      const busy = podIn(view, 'busy')
      assert.ok(Math.abs(busy.used - 1500) < 50, `used ${busy.used}`)
      assert.equal(busy.quota, see('busy').quota)
      assert.deepEqual([busy.request, busy.limit], [see('busy').request, see('busy').limit])
      assert.deepEqual([busy.targetMillis, busy.state, busy.isSuffering], [50, 'well', false])
      assert.deepEqual(
        [busy.shares, busy.isInLane, busy.heldTo],
        [see('busy').shares, false, undefined],
      )
      assert.ok(busy.bid && busy.bid.need >= 1400 && busy.bid.gets >= busy.bid.need)
      assert.equal(busy.bid.entitled, 100)
      assert.notEqual(busy.reason, '')

      const away = podIn(view, 'away')
      assert.equal(away.bid, undefined)
      assert.match(away.reason, /managed/)
    })
  })

  void test('usage and throttling are of the time between two looks, for all who look', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async ({ kube, pass, agent }) => {
      const annotations = { [settings.maxCpu]: '400m' }
      await createPods(kube, [loadedPod('tight', { load: 'steady cpu=800m', annotations })])
      await pass(20)
      agent.view()
      await pass(3)
      const first = podIn(agent.view(), 'tight')
      const second = podIn(agent.view(), 'tight')
      assert.ok(Math.abs(first.used - 400) < 30, `used ${first.used}`)
      assert.ok(first.throttledRatio > 0.8, `throttled ${first.throttledRatio}`)
      assert.equal(first.isSuffering, false, 'a ceiling that its owner set')
      assert.equal(first.targetMillis, undefined, 'none that nobody set')
      assert.deepEqual([second.used, second.throttledRatio], [first.used, first.throttledRatio])
    })
  })
})

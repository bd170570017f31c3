/** A watch of an agent that fell asleep, as behind a proxy that forgot the connection, is opened anew. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'

import type { KubeClient } from '../../src/adapters/kube/client.ts'
import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { pods } from '../../src/apis/pod.ts'
import { IDLE_MILLIS, WATCH_SECONDS } from '../../src/runtime/informer.ts'
import { lookAt } from '../node-view.ts'
import { createPods, loadedPod } from '../platform.ts'
import { onSite, startAgentOn } from '../site.ts'

const idleSeconds = IDLE_MILLIS / 1000

/** The first watch of a resource says nothing, and does not end by itself. */
function asleep(plural: string) {
  let slept = 0
  const through = (kube: KubeClient): KubeClient => ({
    ...kube,
    watch: (resource, query, options) => {
      if (resource.plural !== plural || slept > 0) return kube.watch(resource, query, options)
      slept += 1
      return silence(options?.signal)
    },
  })
  return { through, slept: () => slept }
}

const silence = (signal: AbortSignal | undefined): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => {
      if (signal !== undefined && !signal.aborted) await once(signal, 'abort')
      return { done: true, value: undefined }
    },
  }),
})

void describe('a watch of an agent that says nothing', () => {
  void test('of pods: one that came meanwhile takes part once it is opened anew', async () => {
    await onSite({ cpus: 4 }, async (site) => {
      const { kube, cluster, pass } = site
      const { through, slept } = asleep(pods.plural)
      const lines: string[] = []
      const agent = await startAgentOn(site, { through, lines })
      await pass(10)
      await createPods(kube, [loadedPod('late', { load: 'steady cpu=900m' })])
      await pass(WATCH_SECONDS - 20)
      const told = () => lookAt(cluster).get('late')?.desired
      assert.deepEqual([slept(), told()], [1, undefined])
      await pass(idleSeconds)
      assert.deepEqual(told(), { request: 100, limit: 500 }, lines.join('\n'))
      assert.ok(lines.some((line) => /watching pods: stalled, nothing came for \d+ s/.test(line)))
      await agent.stop()
    })
  })

  void test('of settings: the mode that was set meanwhile holds once it is opened anew', async () => {
    await onSite({ cpus: 4 }, async (site) => {
      const { kube, cluster, pass } = site
      const { through } = asleep(marketSettings.plural)
      const agent = await startAgentOn(site, { through })
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=900m', limit: '400m' })])
      await pass(20)
      const quota = (): number => lookAt(cluster).get('web')?.quota ?? 0
      assert.ok(quota() >= 900)
      const settings = { metadata: { name: settingsName }, spec: { mode: 'recommend' as const } }
      await kube.create<MarketSettings>(marketSettings, settings)
      await pass(WATCH_SECONDS - 40)
      assert.ok(quota() >= 900, 'it cannot know')
      await pass(idleSeconds)
      assert.equal(quota(), 400)
      await agent.stop()
    })
  })
})

/** What tenants write into their own objects: nobody of ours ends of it, and other pods are served. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import type { NodeView, PodView } from '../../src/apis/node-view.ts'
import type { KubeObject } from '../../src/apis/object.ts'
import { pods } from '../../src/apis/pod.ts'
import { isReason } from '../../src/ports/kube.ts'
import { configMaps } from '../chaos/watching.ts'
import { recordedWriters } from '../controller-scenes/recorded-writers.ts'
import { type Scene, setScene, type Victim } from '../under-attack.ts'
import { until } from '../until.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const kilobytes = (count: number): string => 'x'.repeat(count * 1024)

const podOf = (name: string, { annotations = {}, env = '', containers = 1 } = {}) => ({
  metadata: { name, namespace: 'default', annotations },
  spec: {
    nodeName: 'node-0',
    containers: numbers(containers).map((i) => ({
      name: `app-${i}`.padEnd(containers === 1 ? 0 : 60, 'x'),
      image: 'app',
      env: [{ name: 'VALUE', value: env }],
      resources: { requests: { cpu: '10m' }, limits: { cpu: '20m' } },
    })),
  },
})

void describe('processes among hostile objects', () => {
  let scene: Scene
  const victims: (Victim & { readonly mostMegabytes: number })[] = []

  const start = async (): Promise<void> => {
    victims.push(
      { ...(await scene.start('agent', '--node', 'node-0')), mostMegabytes: 130 },
      { ...(await scene.start('controller', '--lease-namespace', 'default')), mostMegabytes: 250 },
      { ...(await scene.start('dashboard')), mostMegabytes: 250 },
    )
  }
  const assertWell = async (): Promise<void> => {
    for (const victim of victims) {
      await victim.assertWell()
      const peak = victim.peakMegabytes()
      assert.ok(peak < victim.mostMegabytes, `${victim.name} came to ${peak} MB`)
    }
  }
  const said = (name: string): readonly string[] =>
    victims.find((victim) => victim.name === name)?.said ?? []
  const create = async (object: KubeObject & { readonly spec: object }): Promise<unknown> =>
    scene.kube.create<KubeObject>(pods, object)
  const isUnread = (line: string): boolean => line.includes('object not read')
  /** As its agent has it in its market; the kernel has no groups of simulated pods to measure. */
  const inMarket = async (name: string): Promise<PodView | undefined> => {
    const port = victims.find((victim) => victim.name === 'agent')?.port
    const state = (await (await fetch(`http://127.0.0.1:${port}/state`)).json()) as NodeView
    return state.pods.find((pod) => pod.name === name)
  }

  before(async () => {
    scene = await setScene('--nodes', '1', '--cpus', '8')
  })
  after(async () => scene.strike())

  void test('they start where 60 pods have 250 KB of annotations and 60 namespaces as much', async () => {
    for (const i of numbers(60)) {
      const own = { [settings.minCpu]: kilobytes(20), [`mbcas.io/x${i}`]: kilobytes(20) }
      const annotations = { ...own, [`example.com/junk`]: kilobytes(200) }
      await scene.kube.create<KubeObject>(namespaces, { metadata: { name: `n${i}`, annotations } })
      await create(podOf(`annotated-${i}`, { annotations }))
    }
    await start()
    await assertWell()
  })

  void test('two pods with a value of 1.3 MB come, and go through the watch', async () => {
    for (const i of numbers(2)) await create(podOf(`valued-${i}`, { env: kilobytes(1300) }))
    for (const i of numbers(5)) {
      const body = { metadata: { labels: { turn: `t${i}` } } }
      const place = { namespace: 'default', name: 'valued-0' }
      await scene.kube.patch(pods, place, { type: 'merge', body }, { keep: {} })
    }
    await assertWell()
  })

  void test('one with 2,000 names of ours', async () => {
    const names = numbers(2000).map((i): [string, string] => [`mbcas.io/a${i}`, 'x'.repeat(80)])
    await create(podOf('many-names', { annotations: Object.fromEntries(names) }))
    await assertWell()
  })

  void test('one with 300 recorded writers and 300 owners is in the market like any other', async () => {
    // An owner that does not exist would have the pod deleted.
    const owner = await scene.kube.create<KubeObject>(configMaps, {
      metadata: { name: 'owner'.padEnd(250, 'x'), namespace: 'default' },
    })
    await create(podOf('crowded'))
    await until('the crowded pod in the market', async () => inMarket('crowded'))
    const managedFields = recordedWriters(300)
    const { name, uid } = owner.metadata
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name, uid }
    const ownerReferences = numbers(300).map(() => reference)
    const body = { metadata: { managedFields, ownerReferences } }
    const place = { namespace: 'default', name: 'crowded' }
    await scene.kube.patch(pods, place, { type: 'merge', body }, { keep: {} })
    // Comes after it in every watch.
    await create(podOf('after-it'))
    await until('the pod after it in the market', async () => inMarket('after-it'))
    assert.doesNotMatch((await inMarket('crowded'))?.reason ?? 'too large', /too large/)
    assert.ok(!victims.some((victim) => said(victim.name).some(isUnread)))
  })

  void test('a usual pod among them comes into the market', async () => {
    await create(podOf('usual'))
    await until('the usual pod in the market', async () => inMarket('usual'))
    await assertWell()
  })

  void test('one that has finished is not in the market any more', async () => {
    const place = { namespace: 'default', name: 'usual' }
    const body = { status: { phase: 'Succeeded' } }
    await until('the usual pod gone', async () => {
      // Again, since a kubelet that is just starting it says that it runs.
      const options = { subresource: 'status', keep: {} } as const
      await scene.kube.patch(pods, place, { type: 'merge', body }, options)
      return (await inMarket('usual')) === undefined
    })
  })

  void test('an agent that only its own machine reaches publishes no port', async () => {
    const { status } = await until('the market of the node', async () => {
      try {
        return await scene.kube.get(nodeMarkets, { name: 'node-0' })
      } catch (error) {
        if (isReason(error, 'NotFound')) return undefined
        throw error
      }
    })
    assert.equal(status.node?.agentPort, undefined)
  })

  void test('the owner of a value that is too long is told of it', () => {
    assert.ok(said('agent').some((line) => line.includes('(more than 256 bytes)')))
  })

  void test('one with 700 containers is left alone, and says why', async () => {
    const pod = podOf('huge', { containers: 700 })
    // They never start: what the embedded cluster does for each is not what is tried here.
    const initContainers = [{ name: 'first', image: 'app', command: ['sleep', '1d'] }]
    await create({ ...pod, spec: { ...pod.spec, initContainers } })
    await until('the reason why it is left alone', async () =>
      (await inMarket('huge'))?.reason.startsWith('is too large to be read: more than '),
    )
    await assertWell()
  })
})

/** Who may be resized, who else has a say, and how a pod gets its own values back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { originalAnnotation, settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import type { Mode } from '../../src/apis/owner-words.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import type { ResizeReason } from '../../src/core/resize/types.ts'
import { alsoServing } from '../controller-scenes/answers.ts'
import {
  define,
  deploymentOf,
  deployments,
  scaledByCpu,
  sizedByVpa,
  verticalAutoscalers,
} from '../controller-scenes/objects.ts'
import { assertUnharmed, onStage, type Stage } from '../controller-scenes/stage.ts'
import { waitFor } from '../controller-scenes/wait.ts'
import { each } from '../each.ts'
import { loadedPod } from '../platform.ts'

const place = { namespace: 'default', name: 'web' }
const more = { request: '150m', limit: '800m' }
const applied = { 'app request': 150, 'app limit': 800 }
const original = { 'app request': 100, 'app limit': 500 }

type Marks = { readonly labels?: object; readonly annotations?: object }
const mark = async ({ kube }: Stage, marks: Marks) =>
  kube.patch(pods, place, { type: 'merge', body: { metadata: marks } })
const markNamespace = async ({ kube }: Stage, marks: Marks) =>
  kube.patch(namespaces, { name: 'default' }, { type: 'merge', body: { metadata: marks } })

/** In the one object that agents and controller read. */
const set = async ({ kube }: Stage, spec: MarketSettings['spec'] & object) =>
  kube.create<MarketSettings>(marketSettings, { metadata: { name: settingsName }, spec })

const mode = (value: string) => ({ [settings.mode]: value })
const optOut = { [settings.managed]: 'false' }

type ModeRow = {
  readonly name: string
  readonly cluster?: Mode
  readonly excluded?: readonly string[]
  readonly namespace?: Marks
  readonly pod?: Marks
  readonly reason: ResizeReason
}

void describe('a mode', () => {
  each<ModeRow>(
    [
      { name: 'of nobody is auto', reason: 'Applied' },
      { name: 'of the cluster counts', cluster: 'recommend', reason: 'Recommended' },
      { name: 'off of the cluster excludes', cluster: 'off', reason: 'Excluded' },
      {
        name: 'of the namespace does not widen that of the cluster',
        cluster: 'off',
        namespace: { labels: mode('auto') },
        reason: 'Excluded',
      },
      {
        name: 'nor does that of the pod',
        cluster: 'recommend',
        pod: { annotations: mode('auto') },
        reason: 'Recommended',
      },
      {
        name: 'auto does not help in a namespace that the cluster excludes',
        excluded: ['default'],
        pod: { annotations: mode('auto') },
        reason: 'Excluded',
      },
      {
        name: 'of the pod wins over the namespace',
        namespace: { annotations: mode('off') },
        pod: { labels: mode('recommend') },
        reason: 'Recommended',
      },
      {
        name: 'in an annotation wins over a label',
        pod: { labels: mode('off'), annotations: mode('auto') },
        reason: 'Applied',
      },
      {
        name: 'does not undo opting out',
        namespace: { labels: optOut },
        pod: { annotations: mode('auto') },
        reason: 'Excluded',
      },
    ],
    async ({ cluster = 'auto', excluded = [], namespace, pod, reason }) => {
      await onStage({}, async (stage) => {
        await set(stage, { mode: cluster, excludedNamespaces: [...excluded] })
        if (namespace) await markNamespace(stage, namespace)
        await stage.run(loadedPod('web'))
        if (pod) await mark(stage, pod)
        await stage.wish('web', more)
        await stage.until('web', reason)
        assert.deepEqual(await stage.cpu('web'), reason === 'Applied' ? applied : original)
        const { phase } = await stage.status('web')
        assert.equal(phase, phases[reason])
        assertUnharmed(await stage.pod('web'))
      })
    },
  )
})
const phases: Partial<Record<ResizeReason, string>> = {
  Applied: 'Applied',
  Recommended: 'Pending',
  Excluded: 'Failed',
}

/** As it was before us, and nothing is left of us on it. */
async function assertRestored(stage: Stage): Promise<void> {
  assert.deepEqual(await stage.cpu('web'), original)
  const pod = await stage.pod('web')
  assert.equal(pod.metadata.annotations?.[originalAnnotation], undefined)
  assertUnharmed(pod)
}

const hasOriginals = async (stage: Stage): Promise<boolean> => {
  const { metadata, status } = await stage.pod('web')
  const limit = status?.containerStatuses?.[0]?.resources?.limits?.['cpu']
  return limit === '500m' && metadata.annotations?.[originalAnnotation] === undefined
}

const untilRestored = async (stage: Stage, seconds: number) =>
  waitFor(stage, 'the original values', { seconds, holds: async () => hasOriginals(stage) })

void describe('a pod gets its own values back', () => {
  const resized = async (stage: Stage): Promise<void> => {
    await stage.run(loadedPod('web'))
    await stage.wish('web', more)
    await stage.until('web', 'Applied')
    await stage.wish('web', { request: '200m', limit: '1' }) // the second change is not original
    await stage.until('web', 'Applied')
    const { annotations } = (await stage.pod('web')).metadata
    assert.deepEqual(JSON.parse(annotations?.[originalAnnotation] ?? ''), {
      app: { request: '100m', limit: '500m' },
    })
  }

  each(
    [
      {
        name: 'as soon as it opts out',
        out: async (stage: Stage) => mark(stage, { annotations: optOut }),
      },
      {
        name: 'as soon as it is turned off',
        out: async (stage: Stage) => mark(stage, { labels: mode('off') }),
      },
      {
        name: 'as soon as its namespace opts out',
        out: async (stage: Stage) => markNamespace(stage, { labels: optOut }),
      },
      {
        name: 'when the cluster is turned off',
        out: async (stage: Stage) => set(stage, { mode: 'off' }),
      },
      {
        name: 'when the cluster excludes its namespace',
        out: async (stage: Stage) => set(stage, { excludedNamespaces: ['default'] }),
      },
    ],
    async ({ out }) => {
      await onStage({}, async (stage) => {
        await resized(stage)
        await out(stage)
        await untilRestored(stage, 3)
        await stage.until('web', 'Restored')
        await assertRestored(stage)
        const told = await stage.events('web')
        assert.ok(told.some(({ reason }) => reason === 'CPURestored'))
        assert.match(stage.metrics(), /^mbcas_restores_total 1$/m)
        await stage.pass(30)
        await assertRestored(stage)
      })
    },
  )

  void test('when its allocation is deleted', async () => {
    await onStage({}, async (stage) => {
      await resized(stage)
      await stage.kube.remove(podAllocations, place)
      await stage.pass(9)
      assert.deepEqual(await stage.cpu('web'), { 'app request': 200, 'app limit': 1000 })
      await untilRestored(stage, 4)
      await assertRestored(stage)
    })
  })

  void test('and an allocation that goes while its pod is resized is not counted for ever', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web'))
      const slow = { userAgent: 'controller', verbs: ['patch'], share: 1, delayMillis: 3000 }
      stage.cluster.plant([{ ...slow, kind: 'slow', retryAfterSeconds: 1, events: 0 }])
      await stage.wish('web', more)
      await stage.pass(1)
      await stage.kube.remove(podAllocations, place)
      await stage.pass(8)
      assert.doesNotMatch(stage.metrics(), /^mbcas_allocations\{.*\} [1-9]/m)
    })
  })

  void test('also when nobody was there to see its allocation go', async () => {
    await onStage({}, async (stage) => {
      await resized(stage)
      await stage.stopController()
      await stage.kube.remove(podAllocations, place)
      await stage.pass(30)
      await stage.replaceController()
      await untilRestored(stage, 15)
      await assertRestored(stage)
    })
  })

  void test('once there is room for them', async () => {
    await onStage({ cpus: 4 }, async (stage) => {
      await stage.run(loadedPod('web', { request: '2', limit: '3' }))
      await stage.wish('web', { request: '1', limit: '2' })
      await stage.until('web', 'Applied')
      await stage.run(loadedPod('guest', { request: '3', limit: '4' }))
      await mark(stage, { annotations: optOut })
      await stage.pass(20)
      assert.equal((await stage.cpu('web'))['app request'], 1000, 'the node has no room')
      await stage.kube.remove(pods, { namespace: 'default', name: 'guest' })
      await stage.until('web', 'Restored', 60)
      assert.deepEqual(await stage.cpu('web'), { 'app request': 2000, 'app limit': 3000 })
    })
  })
})

/** The pod that the Deployment `web` has made, with an allocation. */
async function deployed(stage: Stage): Promise<string> {
  await stage.kube.create(deployments, deploymentOf('web'))
  await stage.pass(6)
  const { items } = await stage.kube.list<Pod>(pods, { namespace: 'default' })
  const name = items[0]?.metadata.name ?? ''
  await stage.wish(name, more)
  return name
}

void describe('who else has a say', () => {
  void test('a HorizontalPodAutoscaler on CPU: the request stays, the limit moves', async () => {
    const path = '/apis/autoscaling/v2/horizontalpodautoscalers'
    const way = alsoServing(path, [scaledByCpu('web')])
    await onStage({ way }, async (stage) => {
      const name = await deployed(stage)
      const { message } = await stage.until(name, 'Applied')
      assert.deepEqual(await stage.cpu(name), { 'app request': 100, 'app limit': 800 })
      assert.match(message ?? '', /HorizontalPodAutoscaler/)
      assertUnharmed(await stage.pod(name))
    })
  })

  void test('a VerticalPodAutoscaler that acts: hands off, until it no longer does', async () => {
    await onStage({}, async (stage) => {
      await stage.stopController()
      await define(stage.kube, verticalAutoscalers)
      await stage.pass(2)
      await stage.kube.create(verticalAutoscalers, sizedByVpa('web', 'InPlaceOrRecreate'))
      await stage.replaceController()
      const name = await deployed(stage)
      const { message, phase } = await stage.until(name, 'VerticalPodAutoscaler')
      assert.match(message ?? '', /web/)
      assert.equal(phase, 'Failed')
      assert.deepEqual(stage.resizes, [])
      await stage.kube.patch(verticalAutoscalers, place, {
        type: 'merge',
        body: sizedByVpa('web', 'Off'),
      })
      await stage.until(name, 'Applied')
      assert.deepEqual(await stage.cpu(name), applied)
    })
  })

  void test('one whose definition comes later is found', async () => {
    await onStage({}, async (stage) => {
      await define(stage.kube, verticalAutoscalers)
      await stage.pass(2)
      await stage.kube.create(verticalAutoscalers, sizedByVpa('web', 'Auto'))
      await stage.pass(600)
      const name = await deployed(stage)
      await stage.until(name, 'VerticalPodAutoscaler')
    })
  })
})

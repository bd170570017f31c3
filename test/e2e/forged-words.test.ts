/** What others write in the name of our processes changes nothing, with no admission policy at all. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { events } from '../../src/apis/event.ts'
import { originalAnnotation, settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { isForeignNote } from '../../src/apis/original-note.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { each } from '../each.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const text = '{"app":{"request":"1500m","limit":"100"}}'
const forged = { [originalAnnotation]: text }

const cpuOf = async ({ kube }: Platform, place: { namespace: string; name: string }) => {
  const { spec } = await kube.get(pods, place)
  const { requests, limits } = spec.containers[0]?.resources ?? {}
  return [requests?.['cpu'], limits?.['cpu']]
}

/** From then on only who applies is recorded. */
const clearRecord = async ({ kube }: Platform, place: { namespace: string; name: string }) => {
  const body = { metadata: { managedFields: [{}] } }
  await kube.patch(pods, place, { type: 'merge', body })
}

void describe('forged original values', () => {
  each(
    [
      { name: 'do not resize a pod that came with them', namespace: 'default' },
      { name: 'nor one that got them later', namespace: 'default', isLater: true },
      { name: 'nor one that has no record of writers', namespace: 'default', clears: true },
      { name: 'nor one of the system', namespace: 'kube-system', isLater: true },
    ],
    async ({ namespace, isLater = false, clears = false }) => {
      await onPlatform({}, async (platform) => {
        const { kube, pass } = platform
        const out = { [settings.managed]: 'false' }
        const annotations = isLater ? out : { ...out, ...forged }
        const pod = loadedPod('web', { annotations })
        const place = { namespace, name: 'web' }
        await createPods(kube, [{ ...pod, metadata: { ...pod.metadata, namespace } }])
        await pass(5)
        if (isLater) {
          const body = { metadata: { annotations: forged } }
          await kube.patch(pods, place, { type: 'merge', body }, { fieldManager: 'kubectl' })
        }
        if (clears) await clearRecord(platform, place)
        await pass(40)
        assert.deepEqual(await cpuOf(platform, place), ['100m', '500m'])
      })
    },
  )

  void test('are written anew before the first resize, and the true ones are restored', async () => {
    await onPlatform({ config: { enforcement: 'strict' } }, async (platform) => {
      const { kube, pass } = platform
      const load = 'steady cpu=1500m threads=2'
      await createPods(kube, [loadedPod('web', { load, annotations: forged })])
      await pass(60)
      const place = { namespace: 'default', name: 'web' }
      const { metadata } = await kube.get(pods, place)
      assert.deepEqual(JSON.parse(metadata.annotations?.[originalAnnotation] ?? ''), {
        app: { request: '100m', limit: '500m' },
      })
      const body = { metadata: { annotations: { [settings.managed]: 'false' } } }
      await kube.patch(pods, place, { type: 'merge', body })
      await pass(30)
      assert.deepEqual(await cpuOf(platform, place), ['100m', '500m'])
    })
  })
})

void describe('a note of original values that goes lost while a pod is resized', () => {
  const place = { namespace: 'default', name: 'web' }
  const note = async ({ kube }: Platform, value: string | null, fieldManager: string) => {
    const body = { metadata: { annotations: { [originalAnnotation]: value } } }
    await kube.patch(pods, place, { type: 'merge', body }, { fieldManager })
  }
  const noteOf = async ({ kube }: Platform) => {
    const { metadata } = await kube.get(pods, place)
    return [metadata.annotations?.[originalAnnotation], isForeignNote(metadata)]
  }
  const original = '{"app":{"request":"100m","limit":"500m"}}'

  each(
    [
      { name: 'is written again when somebody took it away', forgery: undefined },
      { name: 'and when another put one in its place', forgery: text },
      { name: 'and is ours on a pod with no record of writers', forgery: text, clears: true },
    ],
    async ({ forgery, clears = false }) => {
      await onPlatform({ config: { enforcement: 'strict' } }, async (platform) => {
        const { kube, pass } = platform
        await createPods(kube, [loadedPod('web', { load: 'steady cpu=1500m threads=2' })])
        if (clears) await clearRecord(platform, place)
        await pass(60)
        assert.deepEqual(await noteOf(platform), [original, false])
        assert.notDeepEqual(await cpuOf(platform, place), ['100m', '500m'])
        await note(platform, null, 'kubectl')
        if (forgery !== undefined) await note(platform, forgery, 'kubectl')
        if (clears) await clearRecord(platform, place)
        await pass(10)
        assert.deepEqual(await noteOf(platform), [original, false])
        const out = { metadata: { annotations: { [settings.managed]: 'false' } } }
        await kube.patch(pods, place, { type: 'merge', body: out })
        await pass(30)
        assert.deepEqual(await cpuOf(platform, place), ['100m', '500m'])
        assert.deepEqual(await noteOf(platform), [undefined, false])
      })
    },
  )

  void test('is not missed by a pod that opts out at that moment', async () => {
    await onPlatform({ config: { enforcement: 'strict' } }, async (platform) => {
      const { kube, pass } = platform
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=1500m threads=2' })])
      await pass(60)
      const annotations = { [originalAnnotation]: null, [settings.managed]: 'false' }
      await kube.patch(pods, place, { type: 'merge', body: { metadata: { annotations } } })
      await pass(30)
      assert.deepEqual(await cpuOf(platform, place), ['100m', '500m'])
      const { status } = await kube.get(podAllocations, place)
      assert.deepEqual([status?.reason, status?.originalCPULimit], ['Restored', undefined])
    })
  })
})

void describe('a PodAllocation that an agent of another node made', () => {
  void test('is replaced, and the agent of the pod has the word within a clearing', async () => {
    await onPlatform({}, async ({ kube, pass, see }) => {
      const place = { namespace: 'default', name: 'web' }
      await kube.create(podAllocations, {
        metadata: place,
        spec: {
          podName: 'web',
          nodeName: 'elsewhere',
          desiredCPULimit: '10m',
          urgency: 'guardrail',
        },
      })
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=1500m threads=2' })])
      await pass(25)
      const { spec } = await kube.get(podAllocations, place)
      assert.equal(spec.nodeName, 'node-0')
      assert.equal(spec.desiredCPULimit ?? spec.containers?.[0]?.desiredCPULimit, '500m')
      assert.ok((see('web').quota ?? 0) >= 1500, JSON.stringify(see('web').quota))
    })
  })

  void test('is left where a person owns it', async () => {
    await onPlatform({}, async ({ kube, pass }) => {
      const place = { namespace: 'default', name: 'web' }
      const annotations = { 'mbcas.io/override': 'true' }
      await kube.create(podAllocations, {
        metadata: { ...place, annotations },
        spec: { podName: 'web', nodeName: 'elsewhere', desiredCPULimit: '100m', urgency: 'normal' },
      })
      await createPods(kube, [loadedPod('web')])
      await pass(25)
      const { spec, status } = await kube.get(podAllocations, place)
      assert.deepEqual([spec.nodeName, status?.reason], ['elsewhere', 'OtherPod'])
    })
  })
})

void describe('words of an owner that do not count as written', () => {
  type Words = Readonly<Record<string, string | null>>
  const annotate = async ({ kube }: Platform, annotations: Words) => {
    const patch = { type: 'merge', body: { metadata: { annotations } } } as const
    await kube.patch(pods, place, patch)
  }
  const place = { namespace: 'default', name: 'web' }
  const told = async ({ kube }: Platform) => {
    const { desiredCPULimit, decision } = (await kube.get(podAllocations, place)).spec
    return { limit: desiredCPULimit, notes: decision?.notes }
  }

  const eventsOf = async ({ kube }: Platform) => {
    const { items } = await kube.list(events, { namespace: 'default' })
    const said = items.filter(({ reason }) => reason === 'AnnotationIgnored')
    assert.ok(said.every(({ involvedObject }) => involvedObject.name === 'web'))
    return said.map(({ message }) => message)
  }

  void test('are told: those beyond what a pod requested or its namespace allows', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass } = platform
      const annotations = {
        [settings.priorityMultiplier]: '1000',
        [settings.minCpu]: '700m',
        [settings.targetLatencyMs]: '1',
      }
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=300m', annotations })])
      await pass(25)
      const multiplier = 'priority-multiplier 1000 is above 10: counted as 10'
      const floor = 'min-cpu 700m is above the 100m that it requested: counted as 100m'
      assert.deepEqual((await told(platform)).notes, [multiplier, floor])
      const bounds = { 'mbcas.io/max-min-cpu': '1', 'mbcas.io/min-target-latency-ms': '50' }
      const body = { metadata: { annotations: bounds } }
      await kube.patch(namespaces, { name: 'default' }, { type: 'merge', body })
      await pass(16)
      const target = 'target-latency-ms 1 is below 50: counted as 50'
      assert.deepEqual((await told(platform)).notes, [multiplier, target])
    })
  })

  void test('are told soon and no longer than they stand, though no amount changes', async () => {
    await onPlatform({}, async (platform) => {
      const { kube, pass } = platform
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=300m' })])
      await pass(120)
      const { limit, notes } = await told(platform)
      assert.equal(notes, undefined)
      await annotate(platform, { [settings.priorityMultiplier]: '1000', [settings.burst]: 'maybe' })
      await pass(16)
      assert.deepEqual(await told(platform), {
        limit,
        notes: [
          'priority-multiplier 1000 is above 10: counted as 10',
          'ignoring mbcas.io/burst: expected "true" or "false", got "maybe"',
        ],
      })
      assert.deepEqual(await eventsOf(platform), [
        'priority-multiplier 1000 is above 10: counted as 10; ignoring mbcas.io/burst: expected "true" or "false", got "maybe"',
      ])
      await annotate(platform, { [settings.burst]: null })
      await pass(16)
      assert.equal((await told(platform)).notes?.length, 1)
      await annotate(platform, { [settings.priorityMultiplier]: null })
      await platform.replaceAgent()
      await pass(16)
      assert.deepEqual(await told(platform), { limit, notes: undefined })
    })
  })

  void test('are told by an event of a pod that takes no part', async () => {
    await onPlatform({}, async (platform) => {
      const annotations = { [settings.managed]: 'false', [settings.maxCpu]: 'lots' }
      await createPods(platform.kube, [loadedPod('web', { annotations })])
      await platform.pass(60)
      assert.deepEqual(await eventsOf(platform), [
        'ignoring mbcas.io/max-cpu: parsing quantity "lots": expected a number such as 1 or 0.5, got "lots" at character 1',
      ])
    })
  })

  void test('are cut short where they are long, so that the pod is told all the same', async () => {
    await onPlatform({}, async (platform) => {
      const { kube, pass } = platform
      const long = 'x'.repeat(1000)
      const annotations = {
        [settings.minCpu]: long,
        [settings.maxCpu]: long,
        [settings.mode]: long,
      }
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=300m', annotations })])
      await pass(25)
      const { notes = [] } = await told(platform)
      assert.equal(notes.length, 3)
      for (const note of notes) assert.match(note, /^ignoring mbcas\.io\/.*expected.{10,200}$/)
    })
  })
})

/** How a pod comes to what is desired: in steps, in one request, and in an order that fits the node. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { overrideAnnotation } from '../../src/apis/names.ts'
import { pods } from '../../src/apis/pod.ts'
import { overcommitted } from '../controller-scenes/node-charge.ts'
import { changed, containerOf } from '../controller-scenes/objects.ts'
import { assertUnharmed, onStage, type Stage } from '../controller-scenes/stage.ts'
import { waitFor } from '../controller-scenes/wait.ts'
import { loadedPod } from '../platform.ts'

const limitsOf = ({ resizes }: Stage, pod = 'web') =>
  resizes.filter((one) => one.pod === pod).map(({ after }) => after.get('app limit'))

/** Seconds from one resize to the next. */
const gapsIn = ({ resizes }: Stage): number[] =>
  resizes.slice(1).map(({ atSeconds }, i) => atSeconds - (resizes[i]?.atSeconds ?? 0))

const COOLDOWN_SECONDS = 5

void describe('a pod comes to what is desired', () => {
  void test('in the spec, the kernel and the status, and it is told', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web'))
      await stage.wish('web', { request: '150m', limit: '800m' })
      const status = await stage.until('web', 'Applied')
      assert.equal(status.phase, 'Applied')
      assert.deepEqual([status.appliedCPURequest, status.appliedCPULimit], ['150m', '800m'])
      assert.deepEqual(await stage.cpu('web'), { 'app request': 150, 'app limit': 800 })
      const pod = await stage.pod('web')
      const id = pod.status?.containerStatuses?.[0]?.containerID?.replace(/^.*:\/\//, '') ?? ''
      const kernel = stage.cluster.kernels.get('node-0')
      assert.equal(kernel?.settings(id)?.quotaMicros, 80_000)
      const told = await stage.events('web')
      assert.ok(told.some(({ reason, type }) => reason === 'CPUApplied' && type === 'Normal'))
      assert.match(stage.metrics(), /^mbcas_resize_total\{result="accepted"\} 1$/m)
      assert.match(stage.metrics(), /^mbcas_resize_duration_seconds_count 1$/m)
      assert.match(stage.metrics(), /^mbcas_allocations\{phase="Applied",reason="Applied"\} 1$/m)
      assertUnharmed(pod)
    })
  })

  void test('with its sidecar and all containers in one request', async () => {
    await onStage({}, async (stage) => {
      const side = { ...containerOf('side', '50m', '100m'), restartPolicy: 'Always' }
      const containers = [containerOf('app', '100m', '500m'), containerOf('log', '50m', '200m')]
      await stage.run(changed(loadedPod('web'), { spec: { containers, initContainers: [side] } }))
      await stage.wish('web', {
        containers: [
          { name: 'app', desiredCPURequest: '200m', desiredCPULimit: '900m' },
          { name: 'log', desiredCPULimit: '100m' },
          { name: 'side', desiredCPURequest: '60m', desiredCPULimit: '150m' },
        ],
      })
      await stage.until('web', 'Applied')
      assert.equal(stage.resizes.length, 1)
      assert.deepEqual(await stage.cpu('web'), {
        'app request': 200,
        'app limit': 900,
        'log request': 50,
        'log limit': 100,
        'side request': 60,
        'side limit': 150,
      })
      assertUnharmed(await stage.pod('web'))
    })
  })

  void test('by no more than twice a cooldown', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web', { request: '50m', limit: '100m' }))
      await stage.wish('web', { request: '50m', limit: '1' })
      await stage.until('web', 'Applied', 60)
      assert.deepEqual(limitsOf(stage), [200, 400, 800, 1000])
      for (const gap of gapsIn(stage)) assert.ok(gap >= COOLDOWN_SECONDS, `after ${gap} s`)
      assert.ok(stage.words.some(({ reason }) => reason === 'StepClamped'))
      assert.match(stage.metrics(), /^mbcas_step_size_violations_total [1-9]/m)
      await stage.wish('web', { request: '50m', limit: '100m' })
      await stage.until('web', 'Applied', 60)
      assert.deepEqual(limitsOf(stage).slice(4), [500, 250, 130, 100]) // steps of 10m
    })
  })

  void test('after the cooldown, whatever comes before', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web'))
      await stage.wish('web', { limit: '600m' })
      await waitFor(stage, 'the first', { holds: () => stage.resizes.length === 1 })
      await stage.wish('web', { limit: '650m' })
      await stage.until('web', 'Cooldown', 3)
      await stage.wish('web', { limit: '700m' })
      await stage.until('web', 'Applied')
      assert.deepEqual(limitsOf(stage), [600, 700])
      const [gap = 0] = gapsIn(stage)
      assert.ok(gap >= COOLDOWN_SECONDS && gap < COOLDOWN_SECONDS + 1.5, `after ${gap} s`)
      assert.match(stage.metrics(), /^mbcas_cooldown_violations_total [1-9]/m)
    })
  })

  void test('at once and wholly, where it suffers', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web', { request: '50m', limit: '100m' }))
      await stage.wish('web', { limit: '150m' })
      await stage.until('web', 'Applied', 3)
      await stage.wish('web', { limit: '1', urgency: 'guardrail' })
      await stage.until('web', 'Applied', 3)
      assert.deepEqual(limitsOf(stage), [150, 1000])
    })
  })

  void test('also where a person owns the allocation', async () => {
    await onStage({}, async (stage) => {
      await stage.run(loadedPod('web'))
      const annotations = { [overrideAnnotation]: 'true' }
      await stage.wish('web', { request: '200m', limit: '900m', annotations })
      await stage.until('web', 'Applied')
      assert.deepEqual(limitsOf(stage), [900])
    })
  })
})

void describe('on a full node', () => {
  void test('two pods swap their capacity, the one that gives first', async () => {
    await onStage({ cpus: 4 }, async (stage) => {
      const { cluster, pass } = stage
      await stage.run(
        loadedPod('rich', { request: '3100m', limit: '3500m' }),
        loadedPod('poor', { request: '900m', limit: '2' }),
      )
      await stage.wish('poor', { request: '1800m', limit: '2' })
      await stage.until('poor', 'NodeHeadroom')
      await pass(10)
      assert.deepEqual(stage.resizes, [])
      await stage.wish('rich', { request: '1600m', limit: '3500m' })
      let waited = 0
      while (stage.resizes.length < 2 && (waited += 0.05) < 20) {
        await pass(0.05)
        assert.deepEqual(overcommitted(cluster), [])
      }
      await stage.until('poor', 'Applied')
      await stage.until('rich', 'Applied')
      assert.deepEqual(
        stage.resizes.map(({ pod }) => pod),
        ['rich', 'poor'],
      )
      assert.ok(waited < 5, `${waited} s until the second was asked for`)
    })
  })

  void test('of many that want more, no more are asked for than fit', async () => {
    await onStage({ cpus: 4 }, async (stage) => {
      const names = Array.from({ length: 8 }, (_, i) => `pod-${i}`)
      await stage.run(...names.map((name) => loadedPod(name, { request: '400m', limit: '1' })))
      // 3200m are promised: of 300m more for each two fit, and a part of a third.
      for (const name of names) await stage.wish(name, { request: '700m', limit: '1' })
      for (let tick = 0; tick < 100; tick += 1) {
        await stage.pass(0.1)
        assert.deepEqual(overcommitted(stage.cluster), [])
      }
      const statuses = await Promise.all(names.map(stage.status))
      const reasons = statuses.map(({ reason = '' }) => reason).toSorted()
      assert.deepEqual(reasons, [
        'Applied',
        'Applied',
        ...Array.from({ length: 6 }, () => 'NodeHeadroom'),
      ])
    })
  })

  void test('what the kubelet defers is applied once there is room', async () => {
    await onStage({ cpus: 4 }, async (stage) => {
      const { kube } = stage
      const place = { namespace: 'default', name: 'web' }
      await stage.run(
        loadedPod('large', { request: '2500m', limit: '3' }),
        loadedPod('web', { request: '1', limit: '2' }),
      )
      // By a person, past us: the same that is desired then.
      const resources = { requests: { cpu: '2' }, limits: { cpu: '3' } }
      await kube.patch(
        pods,
        { ...place, subresource: 'resize' },
        { type: 'strategic', body: { spec: { containers: [{ name: 'app', resources }] } } },
      )
      await stage.wish('web', { request: '2', limit: '3' })
      const { message } = await stage.until('web', 'Deferred')
      assert.match(message ?? '', /Node didn't have enough resource: cpu/)
      await kube.remove(pods, { ...place, name: 'large' })
      await stage.until('web', 'Applied', 60)
      assert.equal(stage.resizes.length, 1)
      assertUnharmed(await stage.pod('web'))
    })
  })
})

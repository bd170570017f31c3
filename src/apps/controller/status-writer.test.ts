import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'

import { allocationObject, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { manualClock, type ManualClock, settled } from '../../../test/manual-clock.ts'
import { type KubeRequest, type MemoryKube, memoryKube } from '../../../test/memory-kube.ts'
import { type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
import type { Outcome } from './outcome.ts'
import { seePod } from './seen-pod.ts'
import { createStatusWriter, type StatusWriter } from './status-writer.ts'

const place = { namespace: 'shop', name: 'web' }
const pod = seePod(podObject())
const outcome = (changes: Partial<Outcome>): Outcome => ({
  phase: 'Pending',
  reason: 'Resizing',
  message: 'gets it',
  pod,
  attempted: false,
  ...changes,
})
const resizing = outcome({ attempted: true })
const applied = outcome({ phase: 'Applied', reason: 'Applied', message: 'has it' })

void describe('apps/controller: writing statuses', () => {
  let clock: ManualClock
  let kube: MemoryKube
  let writer: StatusWriter
  let allocation: PodAllocation
  let cached: PodAllocation | undefined
  let patches: number
  let answer: () => void | Promise<void>
  const told: string[] = []
  let ended: AbortController

  beforeEach(async () => {
    ended = new AbortController()
    clock = manualClock()
    patches = 0
    told.length = 0
    answer = () => undefined
    kube = memoryKube({
      before: async ({ verb }: KubeRequest) => {
        if (verb !== 'patch') return
        patches += 1
        await answer()
      },
    })
    const { metadata: _, ...rest } = allocationObject()
    allocation = await kube.create(podAllocations, { ...rest, metadata: place })
    // A cache that never shows what we wrote ourselves.
    cached = allocation
    writer = createStatusWriter({
      kube,
      clock,
      log: () => undefined,
      signal: ended.signal,
      allocationOf: () => cached,
      tell: (_of, { reason }) => told.push(reason),
    })
    void writer.run()
  })
  afterEach(() => writer.forget('shop/web'))

  const status = async () => (await kube.get(podAllocations, place)).status

  void test('what comes while one is written becomes one more', async () => {
    let go = (): void => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    answer = async () => gate
    writer.say(allocation, resizing)
    await settled()
    writer.say(allocation, resizing)
    writer.say(allocation, outcome({ reason: 'InProgress' }))
    writer.say(allocation, applied)
    go()
    await clock.advance(1000)
    assert.equal(patches, 2)
    const { phase, attempts, lastAttemptTime } = (await status()) ?? {}
    assert.deepEqual([phase, attempts, lastAttemptTime], ['Applied', 2, '2026-01-01T00:00:00Z'])
    assert.deepEqual(told, ['Resizing', 'Applied'])
  })

  void test('what says nothing new is not written, nor other words before half a minute', async () => {
    writer.say(allocation, applied)
    await clock.advance(1000)
    writer.say(allocation, applied)
    writer.say(allocation, { ...applied, message: 'still has it' })
    await clock.advance(1000)
    assert.equal(patches, 1)
    await clock.advance(30_000)
    writer.say(allocation, { ...applied, message: 'still has it' })
    await clock.advance(1000)
    assert.equal((await status())?.message, 'still has it')
    assert.deepEqual(told, ['Applied'])
  })

  void test('what the server did not take is tried again, with what was counted', async () => {
    let failures = 2
    answer = () => {
      failures -= 1
      if (failures >= 0) throw new Error('no connection')
    }
    writer.say(allocation, resizing)
    await settled()
    writer.say(allocation, outcome({ reason: 'StepClamped', attempted: true }))
    await clock.advance(5000)
    const { reason, attempts } = (await status()) ?? {}
    assert.deepEqual([reason, attempts], ['StepClamped', 2])
  })

  each(
    [
      { name: 'of one that is deleted while it is written nothing more is told', fails: false },
      { name: 'nor is it written again when that failed', fails: true },
    ],
    async ({ fails }) => {
      answer = () => {
        cached = undefined
        writer.forget('shop/web')
        if (fails) throw new Error('no connection')
      }
      writer.say(allocation, applied)
      await clock.advance(5000)
      cached = allocation // a list that is older than the deletion
      await clock.advance(60_000)
      assert.deepEqual([patches, told], [1, []])
    },
  )

  void test('another allocation of the same name gets none of it', async () => {
    writer.say({ ...allocation, metadata: { ...allocation.metadata, uid: 'other' } }, applied)
    await clock.advance(1000)
    assert.equal(patches, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { isOwed, noWaiting, stepWaiting, type Waiting, type WaitingSample } from './waiting.ts'

/** A second on two CPUs, entitled to one of them. */
const second = (of: Partial<WaitingSample> = {}): WaitingSample => ({
  seconds: 1,
  cpus: 2,
  entitledCores: 1,
  usedCores: 0,
  waitedCores: 0,
  ...of,
})

const after = (...samples: readonly Partial<WaitingSample>[]): Waiting =>
  samples.reduce<Waiting>((waiting, of) => stepWaiting(waiting, second(of)), noWaiting)

const forLong = (...cycle: readonly Partial<WaitingSample>[]): Waiting =>
  after(...Array.from({ length: 20 }, () => cycle).flat())

void describe('waiting because of others', () => {
  each(
    [
      {
        name: 'has who gets half of its entitlement beside a hog',
        cycle: [{ usedCores: 0.5, waitedCores: 8 }],
        waited: 0.75,
        owed: true,
      },
      {
        name: 'has no burst whose threads wait for each other on nearly all CPUs',
        cycle: [{ usedCores: 1.7, waitedCores: 8 }],
        waited: 0.15,
        owed: false,
      },
      {
        name: 'is not owed to who has its entitlement and wants more',
        cycle: [{ usedCores: 1, waitedCores: 8 }],
        waited: 0.5,
        owed: false,
      },
      {
        name: 'a third of its time is what slices of others take: weights do what they can',
        cycle: [{ usedCores: 0.4, waitedCores: 0.2 }],
        waited: 1 / 3,
        owed: false,
      },
      {
        name: 'is owed to who hardly runs at all',
        cycle: [{ usedCores: 0.01, waitedCores: 0.1 }],
        waited: 0.91,
        owed: true,
      },
      {
        name: 'has nobody who sleeps',
        cycle: [{}],
        waited: 0,
        owed: false,
      },
    ],
    ({ cycle, waited, owed }) => {
      const waiting = forLong(...cycle)
      assert.ok(Math.abs(waiting.waitedRatio - waited) < 0.01, `${waiting.waitedRatio}`)
      assert.equal(isOwed(waiting), owed)
    },
  )

  void test('of a burst is not charged to the pause after it', () => {
    const seconds = 0.25
    const burst = { seconds, usedCores: 1.9, waitedCores: 8 }
    const pause = { seconds, usedCores: 0.1, waitedCores: 0 }
    let waiting = noWaiting
    for (let at = 0; at < 40; at += 1) {
      waiting = stepWaiting(waiting, second(at % 8 < 4 ? burst : pause))
      assert.ok(!isOwed(waiting) && waiting.waitedRatio < 0.25)
    }
  })
})

void test('nobody is owed more than it is short of its entitlement, nor than others could use', () => {
  const amount = fc.double({ min: 0, max: 16, noNaN: true })
  fc.assert(
    fc.property(amount, amount, amount, amount, (usedCores, waitedCores, entitledCores, cpus) => {
      const sample = { usedCores, waitedCores, entitledCores, cpus }
      const { owedCores, waitedRatio } = after(sample)
      assert.ok(owedCores >= 0 && owedCores <= waitedCores)
      assert.ok(owedCores <= Math.max(0, cpus - usedCores))
      assert.ok(owedCores <= Math.max(0, entitledCores - usedCores))
      assert.ok(waitedRatio >= 0 && waitedRatio <= 1)
    }),
  )
})

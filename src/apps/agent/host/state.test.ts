import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { keepPlanned, restoring, takeOthers } from './state.ts'

const found = { shares: 1024, quotaMicros: 100_000, periodMicros: 100_000, burstMicros: 0 }
const between = { ...found, periodMicros: 1_000_000 }
const ours = { shares: 2048, quotaMicros: 30_000, periodMicros: 1_000_000, burstMicros: 30_000 }
const group = { path: 'a', id: '7' }

void describe('what is restored', () => {
  const kept = keepPlanned(undefined, { ...group, states: [found, between, ours] })
  each(
    [
      { name: 'is all that was found, where ours stands', now: ours, left: 0, end: {} },
      { name: 'also where it ended between two writes', now: between, left: 0, end: {} },
      { name: 'also where nothing was written yet', now: found, left: 0, end: {} },
      {
        name: 'is what somebody set: a quota, with the period that it was set in',
        now: { ...ours, quotaMicros: 60_000 },
        left: 1,
        end: { quotaMicros: 60_000, periodMicros: 1_000_000 },
      },
      {
        name: 'is what somebody set: a period, with the quota that stood there',
        now: { ...ours, periodMicros: 100_000 },
        left: 1,
        end: { quotaMicros: 30_000 },
      },
      {
        name: 'is what somebody set: our quota, in another period',
        now: { ...ours, periodMicros: 50_000 },
        left: 1,
        end: { quotaMicros: 30_000, periodMicros: 50_000 },
      },
      {
        name: 'is what somebody set: shares, and all else as found',
        now: { ...ours, shares: 512 },
        left: 1,
        end: { shares: 512 },
      },
      {
        name: 'is what somebody set: a burst, and all else as found',
        now: { ...ours, burstMicros: 5 },
        left: 1,
        end: { burstMicros: 5 },
      },
    ],
    ({ now, left, end }) => {
      const { kept: taken, others } = takeOthers(kept, now)
      assert.deepEqual(restoring(taken), { ...found, ...end })
      assert.equal(others.length, left, others.join())
    },
  )

  void test('is what somebody set while we ran, once we went on from there', () => {
    const theirs = { ...ours, quotaMicros: 60_000, periodMicros: 100_000 }
    const next = { ...ours, quotaMicros: 80_000 }
    const later = keepPlanned({ ...kept, ours: [ours] }, { ...group, states: [theirs, next] })
    const { quotaMicros, periodMicros } = theirs
    assert.deepEqual(restoring(takeOthers(later, next).kept), {
      ...found,
      quotaMicros,
      periodMicros,
    })
  })

  void test('has no burst on a kernel without it', () => {
    const { burstMicros: _, ...old } = found
    const kept = keepPlanned(undefined, { ...group, states: [old, { ...old, quotaMicros: 5000 }] })
    assert.deepEqual(restoring(kept), old)
  })

  void test('is told in words where somebody set something', () => {
    const { others } = takeOthers(kept, { ...ours, quotaMicros: null })
    assert.deepEqual(others, [
      'quota none, period 1000000: found quota 100000, period 100000, last set to quota 30000, period 1000000',
    ])
  })
})

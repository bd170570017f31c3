import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { lawSettings } from './settings.ts'

const fine = { varianceWeight: 2, headroomRatio: 0.15, peakRatio: 0.5, fallRatio: 1 }
const middle = { varianceWeight: 3, headroomRatio: 0.2, peakRatio: 0.8, fallRatio: 0.2 }
const coarse = { varianceWeight: 3, headroomRatio: 0.3, peakRatio: 1.2, fallRatio: 0.1 }

void describe('settings by sampling interval', () => {
  each(
    [
      { name: 'as measured at 100 ms', seconds: 0.1, gives: { ...fine, holdSeconds: 0.5 } },
      { name: 'as measured at 250 ms', seconds: 0.25, gives: { ...middle, holdSeconds: 1.25 } },
      { name: 'as measured at 1 s', seconds: 1, gives: { ...coarse, holdSeconds: 5 } },
      { name: 'the finest below', seconds: 0.02, gives: { ...fine, holdSeconds: 0.1 } },
      { name: 'the coarsest above', seconds: 3, gives: { ...coarse, holdSeconds: 5 } },
    ],
    ({ seconds, gives }) => assert.deepEqual(lawSettings(seconds), gives),
  )

  void test('a deeper bucket needs less of each, by a longer period', () => {
    const { varianceWeight, headroomRatio, peakRatio, ...others } = lawSettings(0.25, 1)
    assert.ok(Math.abs(varianceWeight - 0.3) < 1e-12)
    assert.ok(Math.abs(headroomRatio - 0.12) < 1e-12)
    assert.ok(Math.abs(peakRatio - 0.24) < 1e-12)
    assert.deepEqual(others, { fallRatio: 0.2, holdSeconds: 1.25 })
    assert.deepEqual(lawSettings(0.25, 0.01), lawSettings(0.25))
    assert.ok(lawSettings(0.25, 0.5).peakRatio < lawSettings(0.25, 0.2).peakRatio)
  })

  void test('half way by ratio is half way between', () => {
    assert.ok(Math.abs(lawSettings(0.5).peakRatio - 1) < 1e-12)
  })

  void test('a little longer changes a little, and never the other way', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 2, noNaN: true }), (seconds) => {
        const [now, later] = [lawSettings(seconds), lawSettings(seconds * 1.01)]
        assert.ok(later.peakRatio >= now.peakRatio && later.peakRatio - now.peakRatio < 0.01)
        assert.ok(later.fallRatio <= now.fallRatio && now.fallRatio - later.fallRatio < 0.01)
      }),
    )
  })
})

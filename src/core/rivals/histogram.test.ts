import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millis } from '../units.ts'
import { addUsage, bucketCount, emptyHistogram, type Histogram, percentile } from './histogram.ts'

const DAY = 24 * 3600 * 1000

type Batch = { readonly day: number; readonly count: number; readonly cores: number }

function fill(batches: readonly Batch[]): Histogram {
  let histogram = emptyHistogram
  for (const { day, count, cores } of batches) {
    for (let i = 0; i < count; i++) {
      histogram = addUsage(histogram, { at: millis(day * DAY), cores })
    }
  }
  return histogram
}

void describe('histogram', () => {
  void test('there are 176 buckets', () => assert.equal(bucketCount, 176))

  each(
    [
      { name: 'no samples are 0', batches: [], gives: [0, 0, 0] },
      {
        name: 'a percentile is the end of its bucket',
        batches: [{ day: 0, count: 100, cores: 0.3 }],
        gives: [0.3055, 0.3055, 0.3055],
      },
      {
        name: 'one in twenty is beyond p95',
        batches: [
          { day: 0, count: 95, cores: 0.3 },
          { day: 0, count: 5, cores: 0.9 },
        ],
        gives: [0.3055, 0.3055, 0.3055],
      },
      {
        name: 'a day later the same samples count twice as much',
        batches: [
          { day: 0, count: 50, cores: 0.3 },
          { day: 1, count: 50, cores: 0.9 },
        ],
        gives: [0.9037, 0.9037, 0.9037],
      },
      {
        name: 'half a year later the first sample is forgotten and nothing overflows',
        batches: [
          { day: 0, count: 1, cores: 64 },
          { day: 180, count: 1, cores: 0.3 },
        ],
        gives: [0.3055, 0.3055, 0.3055],
      },
      {
        name: 'use above the largest bucket is in it',
        batches: [{ day: 0, count: 1, cores: 1e6 }],
        gives: [1021, 1021, 1021],
      },
    ],
    ({ batches, gives }) => {
      const histogram = fill(batches)
      const got = [0.5, 0.9, 0.95].map((ratio) => percentile(histogram, ratio))
      for (const [i, value] of got.entries()) {
        assert.ok(Math.abs(value - (gives[i] ?? NaN)) < 0.001 * (1 + value), got.join())
      }
    },
  )

  void test('a percentile is between the value and 5 % and a first bucket more', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 900, noNaN: true }), (cores) => {
        const got = percentile(fill([{ day: 0, count: 1, cores }]), 0.9)
        assert.ok(got > cores * (1 - 1e-12) && got <= cores * 1.05 + 0.01 + 1e-9, `${got}`)
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type Claim, shareCpus } from './share.ts'

type Row = readonly [weight: number, peak: number, mean?: number]
const claims = (rows: readonly Row[]): Claim[] =>
  rows.map(([weight, peakMilli, meanMilli = peakMilli]) => ({ weight, peakMilli, meanMilli }))

void describe('sharing 2 CPUs', () => {
  each<{ name: string; rows: readonly Row[]; gives: readonly number[] }>(
    [
      {
        name: 'all run at their peak while there is room',
        rows: [
          [1, 500],
          [9, 1500],
        ],
        gives: [500, 1500],
      },
      {
        name: 'weights share a full node',
        rows: [
          [1, 2000],
          [3, 2000],
        ],
        gives: [500, 1500],
      },
      {
        name: 'what one leaves goes to the others',
        rows: [
          [1, 100],
          [1, 3000],
          [2, 3000],
        ],
        gives: [100, 633, 1267],
      },
      {
        name: 'who has a quota takes turns at the speed of its weight',
        rows: [
          [1, 2000, 500],
          [1, 2000],
        ],
        gives: [1000, 1500],
      },
      {
        name: 'the turns of two with quotas fit into what the other leaves',
        rows: [
          [1, 2000, 400],
          [1, 2000, 600],
        ],
        gives: [1400, 1600],
      },
      {
        name: 'a quota that its share does not reach changes nothing',
        rows: [
          [1, 2000, 1900],
          [1, 2000],
        ],
        gives: [1000, 1000],
      },
      {
        name: 'nothing is lost to rounding',
        rows: [
          [1, 2000],
          [1, 2000],
          [1, 2000],
        ],
        gives: [667, 666, 667],
      },
      {
        name: 'who asks for nothing gets nothing',
        rows: [
          [5, 0],
          [1, 3000],
        ],
        gives: [0, 2000],
      },
    ],
    ({ rows, gives }) => assert.deepEqual(shareCpus(claims(rows), 2000), gives),
  )
})

void test('everything that can be used is given, to the millicore, and never more', () => {
  const someone = fc
    .record({
      weight: fc.integer({ min: 2, max: 10_000 }),
      peakMilli: fc.integer({ min: 0, max: 4000 }),
      quotaMilli: fc.option(fc.integer({ min: 10, max: 4000 })),
    })
    .map(({ weight, peakMilli, quotaMilli }) => ({
      weight,
      peakMilli,
      meanMilli: Math.min(peakMilli, quotaMilli ?? Infinity),
    }))
  fc.assert(
    fc.property(fc.array(someone, { minLength: 1, maxLength: 20 }), (all) => {
      const speeds = shareCpus(all, 4000)
      const used = all.map(({ meanMilli }, i) => Math.min(meanMilli, speeds[i] ?? NaN))
      const wanted = all.reduce((sum, { meanMilli }) => sum + meanMilli, 0)
      const total = used.reduce((sum, one) => sum + one, 0)
      assert.ok(Math.abs(total - Math.min(4000, wanted)) <= 1, `${total} of ${wanted}`)
      for (const [i, { peakMilli }] of all.entries()) {
        assert.ok((speeds[i] ?? NaN) >= 0 && (speeds[i] ?? NaN) <= peakMilli)
      }
    }),
    { numRuns: 500 },
  )
})

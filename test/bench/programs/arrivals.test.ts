import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { arrivalsOf, burstStarts, type Shape } from './arrivals.ts'

const bursty: Shape = {
  perSecond: 100,
  bursts: { perSecond: 400, count: 400, firstSecond: 2, everySeconds: 4 },
}

void describe('arrivals', () => {
  each(
    [
      { name: 'a burst that ends with the load is in it', seconds: 11, starts: [2, 6, 10] },
      { name: 'a burst that would outlast the load is not', seconds: 10.5, starts: [2, 6] },
      { name: 'a short load has none', seconds: 2, starts: [] },
    ],
    ({ seconds, starts }) => {
      assert.deepEqual(burstStarts({ shape: bursty, seconds }), starts)
    },
  )

  void test('a seed draws the same moments, ascending, at the rate of the shape', () => {
    const plan = { shape: { perSecond: 200 }, seconds: 10, seed: 7 }
    const moments = arrivalsOf(plan)
    assert.deepEqual(moments, arrivalsOf(plan))
    assert.deepEqual(
      moments,
      moments.toSorted((a, b) => a - b),
    )
    assert.equal(moments.length, 2000)
    assert.ok(Math.abs((moments.at(-1) ?? 0) - 10_000) < 1000)
    assert.notDeepEqual(moments, arrivalsOf({ ...plan, seed: 8 }))
  })

  void test('a burst adds its requests at its own rate', () => {
    const moments = arrivalsOf({ shape: bursty, seconds: 4, seed: 1 })
    const within = moments.filter((moment) => moment >= 2000 && moment < 3000).length
    assert.equal(moments.length, 800)
    assert.ok(within > 400 && within < 600, `${within} in the second of the burst`)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { millis } from '../../core/units.ts'
import { createForesight } from './foresight.ts'

const ahead = { aheadMillis: 15_000 }

/** A measurement a second. */
function seen(demands: readonly number[]) {
  const foresight = createForesight(ahead)
  for (const [i, cores] of demands.entries()) {
    foresight.observe('u-1', { at: millis(i * 1000), cores })
  }
  return foresight
}

const ramp = (from: number, step: number): number[] =>
  Array.from({ length: 30 }, (_, i) => from + step * i)

void describe('foresight', () => {
  each(
    [
      { name: 'a steady demand stays', demands: ramp(0.5, 0), now: 0.5, gives: 0.5 },
      { name: 'a rising one is bid for ahead', demands: ramp(1, 0.02), now: 1.58, gives: 1.88 },
      { name: 'a falling one is not', demands: ramp(2, -0.02), now: 1.42, gives: 1.42 },
      { name: 'a steep one by half at most', demands: ramp(0.1, 0.1), now: 3, gives: 4.5 },
    ],
    ({ demands, now, gives }) => {
      const foretold = seen(demands).foretell('u-1', now)
      assert.ok(Math.abs(foretold - gives) < 0.01, String(foretold))
    },
  )

  void test('of a pod that nobody has seen, or that is gone, nothing is foretold', () => {
    const { foretell, keepOnly } = seen(ramp(1, 0.02))
    assert.equal(foretell('u-2', 0.3), 0.3)
    keepOnly(new Set(['u-1']))
    assert.ok(foretell('u-1', 1.5) > 1.5)
    keepOnly(new Set())
    assert.equal(foretell('u-1', 1.5), 1.5)
  })
})

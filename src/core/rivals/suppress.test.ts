import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { suppress } from './suppress.ts'

const quiet = { cores: 2, services: 0, system: 0 }

void describe("Koordinator's CPU suppress", () => {
  each(
    [
      {
        name: 'shrinks at once to what services and system leave of 65 %',
        before: 1.2,
        use: { ...quiet, services: 0.66, system: 0.04 },
        gives: 0.6,
      },
      { name: 'grows by a tenth of the node', before: 0.6, use: quiet, gives: 0.8 },
      { name: 'leaves a little', before: 0.6, use: { ...quiet, services: 1.5 }, gives: 0.02 },
      { name: 'ignores less than 1 %', before: 1.29, use: quiet, gives: 1.29 },
    ],
    ({ before, use, gives }) => {
      assert.equal(Math.round(suppress(before, use) * 1e6) / 1e6, gives)
    },
  )
})

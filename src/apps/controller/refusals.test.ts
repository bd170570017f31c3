import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import { cpu } from '../../../test/resizes.ts'
import { createRefusals } from './refusals.ts'

const refused = {
  values: [cpu('app', 64_000)],
  reason: 'NodeCapacity',
  message: 'too much',
} as const
const asBefore = () => 'node of 4000m'

void describe('apps/controller: what was refused', () => {
  void test('is remembered while the circumstances are the same', () => {
    const refusals = createRefusals(manualClock())
    refusals.remember('u1', refused, asBefore)
    assert.equal(refusals.recall('u1', asBefore)?.reason, 'NodeCapacity')
    assert.equal(refusals.recall('u2', asBefore), undefined)
    assert.equal(
      refusals.recall('u1', () => 'node of 8000m'),
      undefined,
    )
    assert.equal(refusals.recall('u1', asBefore), undefined, 'once worth asking, it is asked')
  })

  void test('is forgotten after ten minutes, also if it is heard again and again', async () => {
    const clock = manualClock()
    const refusals = createRefusals(clock)
    for (let minute = 0; minute < 10; minute += 1) {
      refusals.remember('u1', refused, asBefore)
      assert.ok(refusals.recall('u1', asBefore), `${minute}`)
      await clock.advance(60_000)
    }
    assert.equal(refusals.recall('u1', asBefore), undefined)
  })

  void test('goes with its pod', () => {
    const refusals = createRefusals(manualClock())
    refusals.remember('u1', refused, asBefore)
    refusals.forget('u1')
    assert.equal(refusals.recall('u1', asBefore), undefined)
  })
})

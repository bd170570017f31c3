import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { bid } from '../../../test/markets.ts'
import { millicores } from '../units.ts'
import { clearMarket } from './clear.ts'
import { mayRepeat } from './repeated-ids.ts'

void describe('core/market: repeated ids', () => {
  const named = (ids: readonly string[]) => ids.map((id) => bid({ id }))

  void test('an id that stands twice never passes, and other ids nearly always do', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(ids, fc.nat(), (ids, pick) => {
        assert.equal(mayRepeat(named(ids)), false)
        assert.equal(mayRepeat(named([...ids, ids[pick % ids.length] ?? ''])), true)
      }),
    )
  })

  void test('ids made to collide cost a slower look, not a wrong answer', () => {
    // The same last characters and the same length, so the same place in the table.
    const ids = Array.from({ length: 2000 }, (_, i) => `${1000 + i}-same-ending`)
    assert.equal(mayRepeat(named(ids)), true)
    assert.equal(clearMarket(millicores(10), named(ids)).mode, 'congested')
    assert.throws(
      () => clearMarket(millicores(10), named([...ids, '1000-same-ending'])),
      /share it/,
    )
  })
})

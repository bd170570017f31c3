import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseArms } from './arms.ts'

void describe('arms', () => {
  void test('are compared in the order in which they are named', () => {
    assert.deepEqual(parseArms('mbcas, static'), ['mbcas', 'static'])
  })

  each(
    [
      {
        name: 'one that is mistyped gets a suggestion',
        text: 'static,kordinator',
        says: '--compare: expected static, static-burst, unlimited, by-weight, by-hand, small-batch, vpa, koordinator, captain, captain-0.06, captain-0.2, oracle, mbcas, got "kordinator"; did you mean koordinator?',
      },
      {
        name: 'one that is unknown gets the list',
        text: 'hpa-of-somebody',
        says: '--compare: expected static, static-burst, unlimited, by-weight, by-hand, small-batch, vpa, koordinator, captain, captain-0.06, captain-0.2, oracle, mbcas, got "hpa-of-somebody"',
      },
      {
        name: 'none is refused',
        text: '',
        says: '--compare: expected static, static-burst, unlimited, by-weight, by-hand, small-batch, vpa, koordinator, captain, captain-0.06, captain-0.2, oracle, mbcas, got nothing',
      },
      {
        name: 'one twice is refused',
        text: 'vpa,static,vpa',
        says: '--compare: expected every controller once, got vpa twice',
      },
    ],
    ({ text, says }) =>
      assert.throws(() => parseArms(text), { name: 'InvalidInput', message: says }),
  )
})

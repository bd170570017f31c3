import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { nearest } from './nearest.ts'

void describe('core/nearest', () => {
  const known = ['floor', 'need', 'ceiling', 'weight', 'samplingInterval']
  each(
    [
      { name: 'two letters swapped', word: 'wieght', gives: 'weight' },
      { name: 'a letter left out', word: 'flor', gives: 'floor' },
      { name: 'other capitals', word: 'samplinginterval', gives: 'samplingInterval' },
      { name: 'nothing alike', word: 'colour', gives: undefined },
    ],
    ({ word, gives }) => assert.equal(nearest(word, known), gives),
  )
})

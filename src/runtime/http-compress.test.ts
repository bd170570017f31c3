import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { encodingFor } from './http-compress.ts'

void describe('what a client takes', () => {
  each(
    [
      { name: 'the best of what both know', accepted: 'gzip, deflate, br', gives: 'br' },
      { name: 'in any spelling', accepted: 'GZIP;q=0.5', gives: 'gzip' },
      { name: 'not what it refuses', accepted: 'br;q=0, gzip;q=1.0', gives: 'gzip' },
      { name: 'nor what it does not name', accepted: 'identity', gives: undefined },
      { name: 'nor without a word', accepted: undefined, gives: undefined },
    ],
    ({ accepted, gives }) => assert.equal(encodingFor(accepted, ['br', 'gzip']), gives),
  )
})

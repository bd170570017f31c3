import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { coloured, paintFor, plain } from './paint.ts'

void describe('colour', () => {
  each(
    [
      { name: 'on a terminal', env: {}, isTerminal: true, paints: true },
      { name: 'not into a pipe', env: {}, isTerminal: false, paints: false },
      { name: 'not on a dumb terminal', env: { TERM: 'dumb' }, isTerminal: true, paints: false },
      { name: 'never with NO_COLOR', env: { NO_COLOR: '1' }, isTerminal: true, paints: false },
      {
        name: 'an empty NO_COLOR says nothing',
        env: { NO_COLOR: '' },
        isTerminal: true,
        paints: true,
      },
      {
        name: 'FORCE_COLOR into a pipe',
        env: { FORCE_COLOR: '1' },
        isTerminal: false,
        paints: true,
      },
      { name: 'FORCE_COLOR=0 is no', env: { FORCE_COLOR: '0' }, isTerminal: true, paints: false },
      {
        name: 'NO_COLOR wins over FORCE_COLOR',
        env: { NO_COLOR: '1', FORCE_COLOR: '1' },
        isTerminal: true,
        paints: false,
      },
    ],
    ({ env, isTerminal, paints }) =>
      assert.equal(paintFor(env, isTerminal), paints ? coloured : plain),
  )
})

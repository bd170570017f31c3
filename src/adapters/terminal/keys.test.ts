import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { keysIn } from './keys.ts'

void describe('keys of a terminal', () => {
  each(
    [
      { name: 'a character', text: 'j', keys: ['j'] },
      { name: 'several in one read', text: 'jjq', keys: ['j', 'j', 'q'] },
      { name: 'arrows', text: '\u001B[A\u001B[B', keys: ['up', 'down'] },
      { name: 'arrows of a keypad', text: '\u001BOA', keys: ['up'] },
      { name: 'Escape alone', text: '\u001B', keys: ['escape'] },
      { name: 'Enter', text: '\r', keys: ['enter'] },
      { name: 'Ctrl-C', text: '\u0003', keys: ['ctrl-c'] },
      { name: 'a page', text: '\u001B[6~k', keys: ['page-down', 'k'] },
      { name: 'what is not known is left out', text: '\u001B[1;5Cx', keys: ['x'] },
      { name: 'a character of two units', text: '😀', keys: ['😀'] },
    ],
    ({ text, keys }) => assert.deepEqual(keysIn(text), keys),
  )
})

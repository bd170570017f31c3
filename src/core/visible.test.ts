import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { boundedLines, cut, hasHidden, visible, visibleJson, visibleLines } from './visible.ts'

each(
  [
    { name: 'a screen is not erased', text: 'a\u001B[2Jb', shown: 'a\\x1b[2Jb' },
    { name: 'C1 controls, which are two bytes in UTF-8', text: '\u009B31m', shown: '\\x9b31m' },
    {
      name: 'DEL, backspace, bell and NUL',
      text: '\u007F\b\u0007\0',
      shown: '\\x7f\\x08\\x07\\x00',
    },
    { name: 'a line is one line', text: 'a\nb\rc\td', shown: 'a\\nb\\rc\\td' },
    { name: 'the other ends of a line', text: 'a\u0085b\u2028c', shown: 'a\\x85b\\u2028c' },
    { name: 'directions', text: 'a\u202Eb\u2066c', shown: 'a\\u202eb\\u2066c' },
    { name: 'what has no width', text: 'a\u200Bb\uFEFF\u00AD', shown: 'a\\u200bb\\ufeff\\xad' },
    { name: 'tags', text: 'a\u{E0041}', shown: 'a\\u{e0041}' },
    { name: 'half a pair', text: 'a\uD800b', shown: 'a\\ud800b' },
    {
      name: 'words of any script, and signs',
      text: 'zażółć 日本 🎉 \\x1b',
      shown: 'zażółć 日本 🎉 \\x1b',
    },
  ],
  ({ text, shown }) => assert.equal(visible(text), shown),
)

void test('line breaks stay where several lines are meant', () => {
  assert.equal(visibleLines('a\n\u001Bb'), 'a\n\\x1bb')
})

void test('JSON means the same as before, and hides nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = visibleJson(JSON.stringify({ [text]: text }, null, 2))
      assert.deepEqual(JSON.parse(json), { [text]: text })
      assert.ok(!hasHidden(json.replaceAll('\n', '')))
    }),
  )
})

void test('what is long is cut, and says how long it was', () => {
  assert.equal(cut('abc', 3), 'abc')
  assert.equal(cut('abcd', 3), 'abc... (4 characters)')
  assert.equal(
    boundedLines('ab\ncdef\ne\nf', { lines: 2, width: 3 }),
    'ab\ncde... (4 characters)\nand 2 more lines',
  )
})

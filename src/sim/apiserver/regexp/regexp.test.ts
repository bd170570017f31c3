import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { parseRegexp } from './parse.ts'
import { compileNode } from './program.ts'
import { compileRegexp, faultOfRegexp } from './regexp.ts'
import { newSearch, search } from './search.ts'

each(
  [
    {
      name: 'a flag at the start holds for all',
      pattern: '(?i)^abc$',
      takes: 'aBc',
      refuses: 'abd',
    },
    { name: 'a named group is a group', pattern: '^(?P<a>x)+$', takes: 'xx', refuses: 'y' },
    { name: '\\z is the very end', pattern: 'a\\z', takes: 'ba', refuses: 'a\n' },
    { name: '\\A is the very start', pattern: '\\Aa', takes: 'ab', refuses: '\na' },
    { name: 'a class by name', pattern: '^[[:digit:]_]+$', takes: '1_2', refuses: 'a' },
    {
      name: 'a bracket first in a class stands for itself',
      pattern: '^[]a]+$',
      takes: ']a',
      refuses: 'b',
    },
    {
      name: 'braces without a count stand for themselves',
      pattern: '^a{b}$',
      takes: 'a{b}',
      refuses: 'ab',
    },
    {
      name: 'escaped punctuation stands for itself',
      pattern: '^a\\-b\\@c$',
      takes: 'a-b@c',
      refuses: 'abc',
    },
    { name: 'a dash in a class stays a dash', pattern: '^[a\\-z]+$', takes: 'a-z', refuses: 'b' },
    {
      name: 'characters beyond the first plane are one',
      pattern: '^.$',
      takes: '😀',
      refuses: 'ab',
    },
  ],
  ({ pattern, takes, refuses }) => {
    assert.equal(compileRegexp(pattern).test(takes), true)
    assert.equal(compileRegexp(pattern).test(refuses), false)
  },
)

each(
  [
    {
      name: 'looking ahead is refused as in Go',
      pattern: '(?=a)',
      fault: /unsupported Perl syntax: `\(\?=`/,
    },
    {
      name: 'looking behind is refused as in Go',
      pattern: '(?<!a)b',
      fault: /^error parsing regexp: invalid named capture: `\(\?<!a\)b`$/,
    },
    { name: 'an open group is refused', pattern: '(', fault: /^error parsing regexp: / },
  ],
  ({ pattern, fault }) => assert.match(faultOfRegexp(pattern) ?? '', fault),
)

each(
  [
    // Each doubles the ways to match with every letter: a matcher that goes back never ends.
    { name: 'repeats in repeats take no longer', pattern: '^(a+)+$' },
    { name: 'alternatives that overlap take no longer', pattern: '^(a|aa)+$' },
    {
      name: 'optional parts in a row take no longer',
      pattern: `^${'a?'.repeat(40)}${'a'.repeat(40)}$`,
    },
  ],
  ({ pattern }) => {
    assert.equal(compileRegexp(pattern).test(`${'a'.repeat(100)}b`), false)
    assert.equal(compileRegexp(pattern).test('a'.repeat(60)), true)
  },
)

each(
  [
    { name: 'the leftmost match comes first', pattern: 'b|ab', text: 'xab', finds: ['ab'] },
    {
      name: 'of those at one place the first alternative',
      pattern: 'a|ab',
      text: 'ab',
      finds: ['a'],
    },
    { name: 'a lazy repeat takes little', pattern: '<.+?>', text: '<a><b>', finds: ['<a>', '<b>'] },
    { name: 'nothing is found between signs', pattern: 'x*', text: 'a😀', finds: ['', '', ''] },
    { name: 'an ending of a word', pattern: 'a\\b', text: 'aa a', finds: ['a', 'a'] },
  ],
  ({ pattern, text, finds }) => assert.deepEqual(compileRegexp(pattern).findAll(text), finds),
)

void test('what counts to millions, or nests deep, is refused as in Go', () => {
  assert.match(faultOfRegexp('(a{1000}){1000}') ?? '', /invalid repeat count: `\{1000\}`/)
  assert.match(faultOfRegexp('('.repeat(5000)) ?? '', /expression nests too deeply/)
  assert.match(faultOfRegexp('x**') ?? '', /invalid nested repetition operator: `\*\*`/)
})

/** Steps that one search is charged with. */
function stepsOf(pattern: string, text: string): number {
  const searching = newSearch(compileNode(parseRegexp(pattern)), text)
  const before = searching.budget.left
  search(searching, {})
  return before - searching.budget.left
}

const ideographs = Array.from({ length: 1000 }, (_, i) => String.fromCodePoint(0x4e00 + 2 * i))

each(
  [
    // A search for all matches begins anew at each: what that costs must end it at some time.
    { name: 'a long pattern, even where it matches at once', pattern: `a|${'b'.repeat(1000)}` },
    { name: 'ways that wait for a letter', pattern: `^(${'b|'.repeat(1000)}c)`, steps: 3000 },
    { name: 'a class of many ranges', pattern: `^[${ideographs.join('')}]`, text: '\uff01' },
  ],
  ({ name, pattern, text = 'a', steps = 1000 }) => {
    const taken = stepsOf(pattern, text)
    assert.ok(taken >= steps, `${name}: ${taken} steps`)
  },
)

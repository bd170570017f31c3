import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { compilePattern, faultOfPattern } from './pattern.ts'

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
    assert.equal(compilePattern(pattern).test(takes), true)
    assert.equal(compilePattern(pattern).test(refuses), false)
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
      fault: /unsupported Perl syntax/,
    },
    { name: 'an open group is refused', pattern: '(', fault: /^error parsing regexp: / },
  ],
  ({ pattern, fault }) => assert.match(faultOfPattern(pattern) ?? '', fault),
)

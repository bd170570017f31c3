import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { parseLabelSelector } from './labels.ts'

const labels = { team: 'a', size: '3', 'mbcas.io/mode': 'on', empty: '' }

const matching: readonly [selector: string, matches: boolean][] = [
  ['', true],
  ['team=a', true],
  ['team==a', true],
  ['team = b', false],
  ['team!=a', false],
  ['none!=a', true],
  ['team in (b, a)', true],
  ['team notin (b,c)', true],
  ['none notin (b)', true],
  ['team', true],
  ['!team', false],
  ['!none', true],
  ['size>2', true],
  ['size<3', false],
  ['team>1', false],
  ['empty=', true],
  ['empty in (,x)', true],
  ['mbcas.io/mode=on,team in (a),!none', true],
  ['team=a,size=4', false],
]

each(
  matching.map(([selector, matches]) => ({
    name: `${selector || 'the empty selector'} ${matches ? 'matches' : 'does not match'}`,
    selector,
    matches,
  })),
  ({ selector, matches }) => {
    assert.equal(parseLabelSelector(selector)?.(labels) ?? true, matches)
  },
)

/** As the real server said them. */
const refused: readonly [selector: string, message: string | RegExp][] = [
  ['a===', "unable to parse requirement: found '=', expected: identifier"],
  ['(', "found '(', expected: !, identifier, or 'end of string'"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a in', "unable to parse requirement: found '' expected: '('"],
  ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a notin b', "unable to parse requirement: found 'b' expected: '('"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a!', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  [
    'a>x',
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ['a=_', /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "_": a valid label must/],
  ['_=a', /^unable to parse requirement: <nil>: Invalid value: "_": name part must consist/],
]

each(
  refused.map(([selector, message]) => ({ name: `${selector} is refused`, selector, message })),
  ({ selector, message }) => {
    assert.throws(() => parseLabelSelector(selector), { code: 400, message })
  },
)

import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { type LabelSelector, matchesLabels } from './label-selector.ts'

const labels = { app: 'web', tier: 'front' }
const expression = (operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key: 'app', operator, values }],
})

type Row = {
  readonly name: string
  readonly selector: LabelSelector | undefined
  readonly matches: boolean
}

void describe('sim/label-selector', () => {
  each<Row>(
    [
      { name: 'no selector matches nothing', selector: undefined, matches: false },
      { name: 'an empty one matches everything', selector: {}, matches: true },
      {
        name: 'labels must all be there',
        selector: { matchLabels: { tier: 'front', app: 'web' } },
        matches: true,
      },
      { name: 'with their values', selector: { matchLabels: { app: 'db' } }, matches: false },
      { name: 'In is one of', selector: expression('In', 'web', 'db'), matches: true },
      { name: 'NotIn is none of', selector: expression('NotIn', 'web'), matches: false },
      {
        name: 'NotIn matches what is not there',
        selector: { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['y'] }] },
        matches: true,
      },
      { name: 'Exists', selector: expression('Exists'), matches: true },
      { name: 'DoesNotExist', selector: expression('DoesNotExist'), matches: false },
      { name: 'no other operator matches', selector: expression('Like', 'web'), matches: false },
    ],
    ({ selector, matches }) => assert.equal(matchesLabels(selector, labels), matches),
  )
})

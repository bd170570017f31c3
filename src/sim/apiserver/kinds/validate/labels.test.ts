import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../../test/each.ts'
import type { LabelSelector } from '../../../label-selector.ts'
import { selectorText } from './labels.ts'

const expression = (operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key: 'app', operator, values }],
})

void describe('sim/apiserver/kinds/validate/labels', () => {
  each<{ readonly name: string; readonly selector: LabelSelector; readonly text: string }>(
    [
      { name: 'an empty selector is no text', selector: {}, text: '' },
      {
        name: 'labels are sorted by key',
        selector: { matchLabels: { tier: 'front', app: 'web' } },
        text: 'app=web,tier=front',
      },
      {
        name: 'values of In are sorted',
        selector: expression('In', 'web', 'db'),
        text: 'app in (db,web)',
      },
      { name: 'NotIn', selector: expression('NotIn', 'web'), text: 'app notin (web)' },
      { name: 'Exists is the key alone', selector: expression('Exists'), text: 'app' },
      { name: 'DoesNotExist has a mark', selector: expression('DoesNotExist'), text: '!app' },
    ],
    ({ selector, text }) => assert.equal(selectorText(selector), text),
  )
})

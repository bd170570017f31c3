import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { partsOf } from './sentence.ts'

void describe('objects in sentences', () => {
  const pod = 'shop/api-0'
  const node = 'node-1'
  each(
    [
      {
        name: 'a pod in the middle',
        event: { text: 'resized shop/api-0 to 5m', pod },
        is: 'resized |[shop/api-0]| to 5m',
      },
      {
        name: 'at the start, with its node',
        event: { text: 'shop/api-0 left node-1.', pod, node },
        is: '[shop/api-0]| left |[node-1]|.',
      },
      {
        name: 'named twice',
        event: { text: 'node-1 to node-1', node },
        is: '[node-1]| to |[node-1]',
      },
      {
        name: 'a longer name is another',
        event: { text: 'node-12 and shop/api-01', pod, node },
        is: 'node-12 and shop/api-01| |[node-1]| |[shop/api-0]',
      },
      {
        name: 'what is not named comes after',
        event: { text: 'resized', pod },
        is: 'resized| |[shop/api-0]',
      },
      { name: 'without objects it is as it is', event: { text: 'all is well' }, is: 'all is well' },
      {
        name: 'a name is no pattern',
        event: { text: 'a.b and axb', node: 'a.b' },
        is: '[a.b]| and axb',
      },
    ],
    ({ event, is }) => {
      const parts = partsOf(event).map((part) =>
        part.is === 'text' ? part.text : `[${part.text}]`,
      )
      assert.equal(parts.join('|'), is)
    },
  )
})

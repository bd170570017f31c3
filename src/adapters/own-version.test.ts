import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { whyTooOld } from './own-version.ts'

void describe('the Node that runs us', () => {
  each(
    [
      { name: 'the oldest that is enough', node: '20.19.0', says: undefined },
      { name: 'a newer one', node: '24.0.1', says: undefined },
      { name: 'an older one', node: '20.18.3', says: 'Node >= 20.19 is needed, this is 20.18.3' },
      {
        name: 'a much older one',
        node: '18.20.0',
        says: 'Node >= 20.19 is needed, this is 18.20.0',
      },
    ],
    ({ node, says }) => assert.equal(whyTooOld(node), says),
  )
})

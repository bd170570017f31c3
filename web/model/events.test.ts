import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { happening } from '../../test/web/builders.ts'
import { chooseEvents } from './events.ts'

void describe('choosing events', () => {
  const events = [
    happening({ id: 'a', at: 10, kind: 'suffering', text: 'Waits for a CPU', pod: 'shop/api-0' }),
    happening({
      id: 'b',
      at: 20,
      kind: 'resize',
      text: 'Resized',
      pod: 'shop/web-0',
      node: 'node-1',
    }),
  ]
  each(
    [
      { name: 'all, if nothing is asked', wanted: { only: [] }, is: 'a b' },
      { name: 'of one kind', wanted: { only: ['resize'] }, is: 'b' },
      { name: 'of several kinds', wanted: { only: ['resize', 'suffering'] }, is: 'a b' },
      { name: 'with a text, whatever its case', wanted: { only: [], text: 'a cpu' }, is: 'a' },
      { name: 'about a pod', wanted: { only: [], text: 'web-0' }, is: 'b' },
      { name: 'about a node', wanted: { only: [], text: 'node-1' }, is: 'b' },
      { name: 'in a stretch of time', wanted: { only: [], within: { from: 5, to: 15 } }, is: 'a' },
    ],
    ({ wanted, is }) =>
      assert.equal(
        chooseEvents(events, wanted)
          .map(({ id }) => id)
          .join(' '),
        is,
      ),
  )
})

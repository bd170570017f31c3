import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../../test/each.ts'
import { differencesOf, isSame } from './same.ts'

void describe('sim/apiserver/kinds/pod/same', () => {
  each<{ name: string; a: object; b: object; differ?: readonly string[] }>(
    [
      {
        name: 'what is empty is as good as absent',
        a: { n: 1, x: [], y: {}, z: undefined },
        b: { n: 1 },
      },
      { name: 'zero is not', a: { x: 0 }, b: {}, differ: ['x'] },
      {
        name: 'amounts are what they are worth',
        a: { limits: { memory: '1Ki' } },
        b: { limits: { memory: '1024' } },
      },
      {
        name: 'an amount more is a difference',
        a: { limits: { memory: '1Ki', cpu: '0' } },
        b: { limits: { memory: '1Ki' } },
        differ: ['limits'],
      },
      {
        name: 'other texts are only what they say',
        a: { x: '1Ki' },
        b: { x: '1024' },
        differ: ['x'],
      },
      { name: 'order counts', a: { x: [1, 2] }, b: { x: [2, 1] }, differ: ['x'] },
    ],
    ({ a, b, differ = [] }) => {
      assert.equal(isSame(a, b), differ.length === 0)
      assert.deepEqual(differencesOf(a, b), differ)
    },
  )
})

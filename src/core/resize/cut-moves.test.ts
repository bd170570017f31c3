import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu } from '../../../test/resizes.ts'
import type { Millicores } from '../units.ts'
import { cutMoves, type Moves } from './cut-moves.ts'
import { gridOf } from './quantise.ts'

const grid = gridOf({ limitStep: 10 as Millicores, isGuaranteed: false })
const up = { field: 'request', direction: 'up' } as const
const down = { field: 'request', direction: 'down' } as const
const limitsUp = { field: 'limit', direction: 'up' } as const

void describe('core/resize/cut-moves', () => {
  each(
    [
      {
        name: 'enough room',
        ...up,
        room: 300,
        from: [100, 100],
        to: [200, 300],
        gives: [200, 300],
      },
      {
        name: 'in proportion',
        ...up,
        room: 150,
        from: [100, 100],
        to: [200, 300],
        gives: [150, 200],
      },
      {
        name: 'a fall is let be',
        ...up,
        room: 30,
        from: [100, 100],
        to: [200, 50],
        gives: [130, 50],
      },
      { name: 'no room', ...up, room: -5, from: [100, 100], to: [200, 50], gives: [100, 50] },
      {
        name: 'downwards',
        ...down,
        room: 150,
        from: [300, 200],
        to: [100, 100],
        gives: [200, 150],
      },
      {
        name: 'limits on the grid',
        ...limitsUp,
        room: 33,
        from: [100, 105],
        to: [200, 105],
        gives: [130, 105],
      },
      {
        name: 'what one cannot use goes to the next',
        ...limitsUp,
        room: 50,
        from: [100, 100],
        to: [200, 200],
        gives: [120, 130],
      },
      {
        name: 'no step for a limit off it',
        ...limitsUp,
        room: 3,
        from: [105, 3],
        to: [200, 90],
        gives: [105, 3],
      },
    ],
    ({ field, direction, room, from, to, gives }: Row) => {
      const listed = (amounts: readonly number[]) =>
        amounts.map((amount, i) =>
          field === 'request' ? cpu(`c${i}`, amount) : cpu(`c${i}`, undefined, amount),
        )
      const cut = cutMoves(listed(to), { field, direction, room, grid, from: listed(from) })
      assert.deepEqual(cut, listed(gives))
    },
  )
})

type Row = Pick<Moves, 'field' | 'direction'> & {
  readonly name: string
  readonly room: number
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly gives: readonly number[]
}

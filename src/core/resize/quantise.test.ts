import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu } from '../../../test/resizes.ts'
import type { Millicores } from '../units.ts'
import { gridOf, isMet, quantise } from './quantise.ts'

const systemd = gridOf({ limitStep: 10 as Millicores, isGuaranteed: false })
const cgroupfs = gridOf({ limitStep: 1 as Millicores, isGuaranteed: false })
const guaranteed = gridOf({ limitStep: 10 as Millicores, isGuaranteed: true })
const unknown = gridOf({ limitStep: undefined, isGuaranteed: false })

void describe('core/resize/quantise', () => {
  each(
    [
      {
        name: 'systemd rounds limits up',
        of: cpu('a', 101, 101),
        grid: systemd,
        gives: [101, 110],
      },
      { name: 'cgroupfs keeps limits', of: cpu('a', 101, 101), grid: cgroupfs, gives: [101, 101] },
      { name: 'there is a least', of: cpu('a', 0, 3), grid: cgroupfs, gives: [2, 10] },
      { name: 'one amount for both', of: cpu('a', 101, 101), grid: guaranteed, gives: [110, 110] },
      {
        name: 'an unknown driver may be systemd',
        of: cpu('a', 7, 13),
        grid: unknown,
        gives: [7, 20],
      },
      {
        name: 'what is not set stays so',
        of: cpu('a'),
        grid: systemd,
        gives: [undefined, undefined],
      },
    ],
    ({ of, grid, gives }) => {
      const { request, limit } = quantise(of, grid)
      assert.deepEqual([request, limit], gives)
    },
  )

  each(
    [
      { name: 'equal', wish: cpu('a', 5, 20), has: cpu('a', 5, 20), met: true },
      { name: 'limits of one step', wish: cpu('a', 5, 11), has: cpu('a', 5, 20), met: true },
      { name: 'limits of two steps', wish: cpu('a', 5, 21), has: cpu('a', 5, 20), met: false },
      { name: 'requests of 2 shares', wish: cpu('a', 1), has: cpu('a', 2), met: true },
      { name: 'requests of 2 and 3 shares', wish: cpu('a', 3), has: cpu('a', 2), met: false },
      {
        name: 'only the limit is asked for',
        wish: cpu('a', undefined, 20),
        has: cpu('a', 7, 20),
        met: true,
      },
      { name: 'it has none', wish: cpu('a', 5, 20), has: cpu('a', 5), met: false },
      { name: 'another container', wish: cpu('a', 5), has: cpu('b', 5), met: false },
    ],
    ({ wish, has, met }) => assert.equal(isMet([wish], { has: [has], grid: systemd }), met),
  )
})

import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu, podWith } from '../../../test/resizes.ts'
import type { Millicores } from '../units.ts'
import { gridOf } from './quantise.ts'
import { clampStep } from './step.ts'
import type { PodCpu } from './types.ts'

const grid = gridOf({ limitStep: 10 as Millicores, isGuaranteed: false })

void describe('core/resize/step', () => {
  each(
    [
      {
        name: 'up by the factor',
        from: cpu('a', 100, 200),
        to: cpu('a', 900, 900),
        gives: [200, 400],
      },
      { name: 'down by it', from: cpu('a', 100, 200), to: cpu('a', 2, 10), gives: [50, 100] },
      {
        name: 'what is nearer is reached',
        from: cpu('a', 100, 200),
        to: cpu('a', 150, 110),
        gives: [150, 110],
      },
      {
        name: 'limits stay on the grid',
        from: cpu('a', 5, 50),
        to: cpu('a', 2, 10),
        gives: [3, 30],
      },
      {
        name: 'from what the kernel makes of it',
        from: cpu('a', 5, 15),
        to: cpu('a', 5, 90),
        gives: [5, 40],
      },
      {
        name: 'a small factor moves all the same',
        factor: 1.1,
        from: cpu('a', 3, 10),
        to: cpu('a', 9, 90),
        gives: [4, 20],
      },
      {
        name: 'also downwards',
        factor: 1.1,
        from: cpu('a', 3, 20),
        to: cpu('a', 2, 10),
        gives: [2, 10],
      },
    ],
    ({ from, to, gives, factor = 2 }: Row) => {
      const [stepped] = clampStep([to], { pod: podWith([from]), factor, grid })
      assert.deepEqual([stepped?.request, stepped?.limit], gives)
    },
  )

  const infeasible = { state: 'Infeasible', message: '', since: undefined } as const
  each<UnderWay>(
    [
      { name: 'from what is actuated, not from the spec', actuated: 150, gives: 300 },
      { name: 'from the spec, until the kubelet tells', gives: 400 },
      { name: 'what is under way is not taken back', actuated: 50, gives: 200 },
      { name: 'unless it can never be', actuated: 50, pending: infeasible, gives: 100 },
    ],
    ({ actuated, pending, gives }) => {
      const has = actuated === undefined ? [] : [cpu('a', 50, actuated)]
      const pod = podWith([cpu('a', 100, 200)], { actuated: has, pending })
      const [stepped] = clampStep([cpu('a', undefined, 900)], { pod, factor: 2, grid })
      assert.equal(stepped?.limit, gives)
    },
  )
})

type UnderWay = {
  readonly name: string
  readonly actuated?: number
  readonly pending?: PodCpu['pending']
  readonly gives: number
}

type Row = {
  readonly name: string
  readonly from: ReturnType<typeof cpu>
  readonly to: ReturnType<typeof cpu>
  readonly gives: readonly number[]
  readonly factor?: number
}

/** What can be asked of the bench on its command line. */
import { parseArgs } from 'node:util'

import { drawSeed, named, wholeNumber } from '../flags.ts'
import { arms, moreArms } from './arms.ts'
import type { Plan } from './contest.ts'
import { lengths } from './frozen.ts'

export type Options = {
  readonly plan: Plan
  /** Where the figures go, if anywhere. */
  readonly out: string | undefined
}

export function readOptions(flags: readonly string[], draw = drawSeed): Options {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      quick: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      arms: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const base = values.quick ? lengths.quick : lengths.full
  const plan: Plan = {
    ...base,
    arms: named('--arms', values.arms, [...arms, ...moreArms]) ?? arms,
    repeats: wholeNumber('--repeats', values.repeats, base.repeats),
    seed: values.seed === undefined ? draw() : wholeNumber('--seed', values.seed, 1),
  }
  return { plan, out: values.out }
}

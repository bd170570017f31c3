/** What can be asked of the bench on its command line. */
import { parseArgs } from 'node:util'

import { type Arm, arms, unlimited } from './arm.ts'
import type { Plan } from './contest.ts'

export type Options = {
  readonly plan: Plan
  /** Where the figures and the picture go, if anywhere. */
  readonly out: string | undefined
  readonly svg: string | undefined
}

const usual = {
  /** Five of 14 arms take under an hour. */
  full: { repeats: 5, passSeconds: 36, step: { settleSeconds: 6, afterSeconds: 7, groups: 5 } },
  /** For the shape of the results, not for the figures. */
  quick: { repeats: 1, passSeconds: 4, step: { settleSeconds: 1, afterSeconds: 1, groups: 5 } },
}

export function readOptions(flags: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      quick: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      'pass-seconds': { type: 'string' },
      arms: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
      svg: { type: 'string' },
    },
  })
  const base = values.quick ? usual.quick : usual.full
  const repeats = wholeNumber('--repeats', values.repeats, base.repeats)
  const chosen = values.arms === undefined ? arms : values.arms.split(',').map(findArm)
  const plan: Plan = {
    arms: chosen,
    repeats,
    passSeconds: wholeNumber('--pass-seconds', values['pass-seconds'], base.passSeconds),
    seed: wholeNumber('--seed', values.seed, 1),
    step: base.step,
    spareRuns: values.quick ? 0 : Math.ceil((chosen.length * repeats) / 10),
  }
  return { plan, out: values.out, svg: values.svg }
}

function wholeNumber(flag: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${flag}: expected a whole number above 0, got ${given}`)
}

function findArm(name: string): Arm {
  const known = [...arms, unlimited]
  const found = known.find((arm) => arm.name.toLowerCase() === name.trim().toLowerCase())
  if (found !== undefined) return found
  const names = known.map((arm) => arm.name).join(', ')
  throw new Error(`--arms: expected names among ${names}, got ${name}`)
}

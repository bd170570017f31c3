/** What can be asked of the bench on its command line. */
import { parseArgs } from 'node:util'

import { arms } from './arm.ts'
import type { Plan } from './contest.ts'
import { judgedSpans, scenes } from './scene.ts'

export type Options = {
  readonly plan: Plan
  /** Where the figures go, if anywhere. */
  readonly json: string | undefined
}

const usual = {
  full: { repeats: 8, seconds: 16, warmSeconds: 3 },
  /** For the shape of the results, not for the figures. */
  quick: { repeats: 1, seconds: 4, warmSeconds: 1 },
}

/** Seeds are drawn after the parameters are known, unless a run is to be repeated. */
export function readOptions(flags: readonly string[], drawSeed = drawn): Options {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      quick: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      seconds: { type: 'string' },
      scene: { type: 'string' },
      arm: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const base = values.quick ? usual.quick : usual.full
  const seconds = wholeNumber('--seconds', values.seconds, base.seconds)
  const plan: Plan = {
    scenes: named('--scene', values.scene, scenes) ?? (values.quick ? scenes.slice(0, 1) : scenes),
    arms: named('--arm', values.arm, arms) ?? arms,
    repeats: wholeNumber('--repeats', values.repeats, base.repeats),
    lengths: { warmSeconds: base.warmSeconds, seconds },
    seed: values.seed === undefined ? drawSeed() : wholeNumber('--seed', values.seed, 1),
  }
  for (const scene of plan.scenes) judgedSpans(scene, plan.lengths) // throws if there is nothing to judge
  return { plan, json: values.json }
}

const drawn = (): number => 1 + Math.floor(Math.random() * 1_000_000)

function wholeNumber(flag: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`${flag}: expected a whole number above 0, got ${given}`)
}

/** As in the tables, in any case, with or without spaces: `by-hand` is `by hand`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function named<Named extends { readonly name: string }>(
  flag: string,
  given: string | undefined,
  known: readonly Named[],
): readonly Named[] | undefined {
  return given?.split(',').map((name) => {
    const found = known.find((one) => plain(one.name) === plain(name))
    if (found !== undefined) return found
    const names = known.map((one) => one.name).join(', ')
    throw new Error(`${flag}: expected names among ${names}, got ${name}`)
  })
}

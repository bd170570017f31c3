/** What can be asked of the bench on its command line. */
import { parseArgs } from 'node:util'

import { drawSeed, named, wholeNumber } from '../flags.ts'
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

export function readOptions(flags: readonly string[], draw = drawSeed): Options {
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
    seed: values.seed === undefined ? draw() : wholeNumber('--seed', values.seed, 1),
  }
  for (const scene of plan.scenes) judgedSpans(scene, plan.lengths) // throws if there is nothing to judge
  return { plan, json: values.json }
}

/** What is played: MBCAS as it is shipped, and the same with parts on or off. */
import type { Steps } from '../../../src/core/bidding/rules.ts'

export type Arm = {
  readonly name: string
  /** What it is compared with; none for the one as shipped. */
  readonly beside?: string
  /** Keys of the agent's configuration, as in its file. */
  readonly config: { readonly enforcement?: 'strict' }
  /** Of the controller's. */
  readonly controller?: object
  readonly steps?: Steps
}

const strict = { enforcement: 'strict' } as const
/** As large a step as can be configured. */
const anySize = { maxStepSizeFactor: 100 }
const elastic = 'as shipped'
const allStrict = 'all strict'

export const arms: readonly Arm[] = [
  { name: elastic, config: {} },
  { name: 'resizes of any size', beside: elastic, config: {}, controller: anySize },
  { name: allStrict, config: strict },
  { name: 'strict, no steps', beside: allStrict, config: strict, steps: 'none' },
  { name: 'strict, steps of any size', beside: allStrict, config: strict, steps: 'any size' },
  { name: 'strict, resizes of any size', beside: allStrict, config: strict, controller: anySize },
]

export const exampleScenarios = [
  'evaluation',
  'overload',
  'noisy-neighbour',
  'cold-start',
  'node-loss',
  'rush-hour',
] as const

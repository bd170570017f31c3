/** What is played: MBCAS as it is shipped, and the same with parts on or off. */
export type Arm = {
  readonly name: string
  /** What it is compared with; none for the one as shipped. */
  readonly beside?: string
  /** Keys of the agent's configuration, as in its file. */
  readonly config: {
    readonly enforcement?: 'strict'
    readonly enableFastGuardrail?: false
    readonly enableBurst?: false
  }
  /** Of the controller's. */
  readonly controller?: { readonly maxStepSizeFactor: number }
}

const strict = { enforcement: 'strict' } as const
/** As large a step as can be configured. */
const anySize = { maxStepSizeFactor: 100 }
const elastic = 'as shipped'
const allStrict = 'all strict'

export const arms: readonly Arm[] = [
  { name: elastic, config: {} },
  { name: 'no protection', beside: elastic, config: { enableFastGuardrail: false } },
  { name: 'resizes of any size', beside: elastic, config: {}, controller: anySize },
  { name: allStrict, config: strict },
  { name: 'strict, no bursts', beside: allStrict, config: { ...strict, enableBurst: false } },
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

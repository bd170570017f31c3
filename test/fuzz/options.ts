/** What `npm run fuzz -- ...` is told. */
import { parseArgs } from 'node:util'

export type FuzzOptions = {
  readonly inputs: number
  readonly seed: number
  /** Number of the first input: repeats one that failed. */
  readonly from: number
  readonly target: string | undefined
  /** Ends by then, with however many inputs. */
  readonly seconds: number | undefined
  /** A file to feed to the target, once. */
  readonly file: string | undefined
}

/** 2^31 seeds, and 2^21 inputs each, fit into the 53 bits of a number. */
export const MOST_SEEDS = 2 ** 31
export const MOST_INPUTS = 2 ** 21

export function readOptions(args: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { inputs: text, seed: text, from: text, target: text, seconds: text, file: text },
  })
  const count = (name: 'inputs' | 'seed' | 'from' | 'seconds', most: number) => {
    const given = values[name]
    if (given === undefined) return undefined
    const number = Number(given)
    if (Number.isSafeInteger(number) && number >= 0 && number < most) return number
    throw new Error(`expected --${name} to be a whole number below ${most}, got ${given}`)
  }
  return {
    inputs: count('inputs', MOST_INPUTS * 100) ?? 1_000_000,
    seed: count('seed', MOST_SEEDS) ?? Math.floor(Math.random() * MOST_SEEDS),
    from: count('from', MOST_INPUTS) ?? 0,
    target: values.target,
    seconds: count('seconds', 1e6),
    file: values.file,
  }
}

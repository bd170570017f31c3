/** What the fuzzer feeds: one parser, or one endpoint of a server. */
import type { Random } from '../../src/core/random.ts'

export type FuzzInput = string | Uint8Array

export type FuzzTarget = {
  /** For `--target`; also in the name of the file that an input which fails is written to. */
  readonly name: string
  /** The same input for the same sequence, so that a seed and a number repeat it. */
  readonly generate: (random: Random) => FuzzInput
  /**
   * Must know nothing of inputs before it: a server is made anew, or keeps no state. Returns for what is
   * taken and throws `InvalidInput` for what is refused; anything else thrown is a failure.
   */
  readonly run: (input: FuzzInput) => void | Promise<void>
  /** Other errors by which it says no. */
  readonly refuses?: (error: unknown) => boolean
  /** Of the inputs, beside those of the others; 1 if not said, less for what is slow. */
  readonly share?: number
}

export const asText = (input: FuzzInput): string =>
  typeof input === 'string' ? input : new TextDecoder().decode(input)

export const asBytes = (input: FuzzInput): Uint8Array =>
  typeof input === 'string' ? new TextEncoder().encode(input) : input

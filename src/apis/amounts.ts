import { InvalidInput } from '../core/errors.ts'
import { parseBytes, QuantityError } from '../core/quantity.ts'
import type { Bytes } from '../core/units.ts'

/** Bytes by resource name, from such as `memory: 1Gi`; `place` is where it was written. */
export function readAmounts(
  amounts: Readonly<Record<string, string>>,
  place: string,
): Record<string, Bytes> {
  const read: Record<string, Bytes> = {}
  for (const [resource, text] of Object.entries(amounts)) {
    try {
      read[resource] = parseBytes(text)
    } catch (error) {
      if (!(error instanceof QuantityError || error instanceof RangeError)) throw error
      throw new InvalidInput(`${place}: ${resource}: ${error.message}`, { cause: error })
    }
  }
  return read
}

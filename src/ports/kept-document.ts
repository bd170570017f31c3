/** One small document, as JSON has them, that outlives the process. */
import { InvalidInput } from '../core/errors.ts'

export type KeptDocument = {
  /** Where it is kept, in words for an operator. */
  readonly where: string
  /** Undefined if there is none. `Garbled` if what is there is no document; other errors name their remedy. */
  readonly load: () => unknown
  /** Replaces it, wholly or not at all. Throws if it cannot. */
  readonly save: (document: unknown) => void
  readonly remove: () => void
}

/** The document is ours, and what stands in it cannot be parsed. */
export class Garbled extends InvalidInput {}

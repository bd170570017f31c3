/** One small document, as JSON has them, that outlives the process. */
export type KeptDocument = {
  /** Where it is kept, in words for an operator. */
  readonly where: string
  /** Undefined if there is none. Throws if what is there cannot be read. */
  readonly load: () => unknown
  /** Replaces it, wholly or not at all. Throws if it cannot. */
  readonly save: (document: unknown) => void
  readonly remove: () => void
}

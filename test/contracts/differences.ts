/** Where a server is meant to differ from the real one: the case is not run on it. */
export type Difference = {
  /** `group: name` */
  readonly case: string
  /** Name of the server. */
  readonly server: string
  readonly reason: string
}

export const differences: readonly Difference[] = []

export type SimulateFlags = {
  /** A scenario, or the name of one in examples/scenarios. */
  readonly file?: string
  /** So many scenarios drawn at random instead. */
  readonly random?: number
  /** Each workload of those in a namespace of its own. */
  readonly apart?: boolean
  readonly compare?: string
  readonly output: 'table' | 'json' | 'html'
  /** Where the result goes; else standard output. */
  readonly out?: string
  readonly seed?: number
  readonly duration?: string
}

export type Shown = {
  /** The result, as it was asked for. */
  readonly text: string
  /** What was played, in words. */
  readonly played: string
}

/** What `npm run bench` runs: one file a bench, listed in main.ts. */
export type Bench = {
  readonly name: string
  /** One line for the list. */
  readonly about: string
  /** Prints its tables, at most 100 columns wide; throws if what it times gives wrong results. */
  readonly run: (flags: readonly string[]) => void | Promise<void>
}

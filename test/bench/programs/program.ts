/** A server that nobody here wrote, as the bench runs it. */
import type { LoadPlan } from './arrivals.ts'

/** A request: when it was meant to come, since the start of the load, and how long it took from then. */
export type Served = { readonly atMillis: number; readonly latencyMillis: number }

export type Home = {
  /** For its files; there from run to run. */
  readonly folder: string
  /** The group that is measured. */
  readonly group: string
  /** The group of who asks. */
  readonly loadGroup: string
}

export type Instance = {
  /** Ready to ask; then from a moment of the wall clock until the last answer. */
  readonly prepareLoad: (
    plan: LoadPlan,
  ) => Promise<(startMillis: number) => Promise<readonly Served[]>>
  /** Ends it in order; whoever is left in its group is killed with the group. */
  readonly stop: () => Promise<void>
}

export type Program = {
  readonly name: string
  /** How much one request asks for, in units of the program; see calibrate.ts. */
  readonly firstSize: number
  /** Once for a folder. */
  readonly prepare: (home: Home) => Promise<void>
  readonly start: (home: Home, size: number) => Promise<Instance>
}

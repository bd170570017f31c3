/**
 * What is to happen when, in simulated time: the only source of time in the simulation. Tasks of one
 * moment run in the order in which they were put down, so that a seed repeats a run exactly.
 */
import type { Clock } from '../ports/clock.ts'

export type Agenda = {
  /** Simulated milliseconds since the start. */
  readonly now: () => number
  /** Simulated milliseconds since 1970. */
  readonly wall: () => number
  /** At a moment of `now`; at once, after what is queued, if it is past. Returns how to cross it out. */
  readonly at: (moment: number, task: () => void) => () => void
  /** At this moment, after all that is queued for it. */
  readonly soon: (task: () => void) => void
  /** The same time as the port that apps receive. */
  readonly clock: Clock
  /** Said by whoever answers with promises: from now on time stands still until they have settled. */
  readonly expectPromises: () => void
}

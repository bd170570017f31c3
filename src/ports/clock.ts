import type { Millis } from '../core/units.ts'

/** Two clocks: `now` never steps and is for intervals, `wall` is for what people read. */
export type Clock = {
  /** Milliseconds since some fixed moment of this process. */
  readonly now: () => Millis
  /** Milliseconds since 1970. */
  readonly wall: () => Millis
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (duration: number, signal?: AbortSignal) => Promise<void>
}

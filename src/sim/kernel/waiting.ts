/**
 * How long a container waited for a CPU, in CPU time: while it may run, the difference between the
 * speed at which its threads would run and the one at which they do. Throttled it waits for quota,
 * which does not count: a turn is as long as its usage says. Whole numbers, however time is cut.
 *
 *   over 1 s                               usage    waited
 *   2 threads that get 500m                500 ms   1500 ms
 *   2 threads that get 2000m               2000 ms  0
 *   2 threads that get 1000m, half a CPU   500 ms   500 ms    throttled for the other half
 *     of quota
 */
export type Turn = {
  /** The speed if nobody else were there. */
  readonly wantedMilli: number
  readonly givenMilli: number
  readonly usedNanos: number
  readonly micros: number
}

export function waitedNanos({ wantedMilli, givenMilli, usedNanos, micros }: Turn): number {
  if (wantedMilli <= givenMilli) return 0
  const ranMicros = givenMilli === 0 ? micros : usedNanos / givenMilli
  return (wantedMilli - givenMilli) * ranMicros
}

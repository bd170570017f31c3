/**
 * For how long a group of cgroup v2 waited for a CPU, by PSI and the run delay of its tasks.
 *
 * PSI costs one read, but counts the wall time in which any task waited: a second per second at most,
 * however many wait. Of a group that is entitled to 4 CPUs and has 1.5 of them with eight threads it
 * shows 1 where 6.5 are missing, and whoever uses a CPU or more could never be owed as much as it uses.
 * So run delay is read where PSI says that somebody waits. Both miss some waiting and neither invents
 * any, so the larger gain counts: tasks that came and went since the last look, or are nested deeper,
 * show in PSI alone.
 *
 *   threads  has  PSI   run delay      waited
 *   1        0.5  0.5   0.5         -> 0.5
 *   8        1.5  1     6.5         -> 6.5
 *   8        8    0.02  not read    -> 0.02
 *   8        1.5  1     not seen    -> 1     in another PID namespace
 */

/** To read tasks costs 10 us each; less than a tenth of a usual 250 ms is not worth it. */
const WORTH_MICROS = 20_000

type Counter = () => number | undefined

/** Microseconds; undefined where the kernel reports neither (Linux started with psi=0, and hidden tasks). */
export function sumWaiting(pressure: Counter, runDelay: Counter): Counter {
  let last: { readonly some: number; readonly delay: number; readonly waited: number } | undefined
  return () => {
    const some = pressure()
    if (some === undefined) return runDelay()
    const gained = last === undefined ? 0 : some - last.some
    if (last !== undefined && gained < WORTH_MICROS) return last.waited + gained
    const delay = runDelay() ?? 0
    const { waited = some, delay: before = delay } = last ?? {}
    last = { some, delay, waited: waited + Math.max(gained, delay - before) }
    return last.waited
  }
}

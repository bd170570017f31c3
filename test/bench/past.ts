/** What is known of a load before it is judged, from earlier passes with other seeds. */
import { toMillicores } from '../../src/core/rivals/law.ts'
import { type History, noHistory, remember } from '../../src/core/rivals/vpa.ts'
import { type Millicores, millis } from '../../src/core/units.ts'
import { meanOf, quantile } from './statistics.ts'

export type Past = {
  /** Of the use in each second. */
  readonly median: Millicores
  readonly p99: Millicores
  /** VPA's, of the use in each minute. */
  readonly history: History
}

/** From the cores that were used in each second; without a limit, what arrives is done at once. */
export function recallFrom(seconds: readonly number[]): Past {
  let history = noHistory
  for (let minute = 0; (minute + 1) * 60 <= seconds.length; minute++) {
    const cores = meanOf(seconds.slice(minute * 60, (minute + 1) * 60))
    history = remember(history, { at: millis((minute + 1) * 60_000), cores })
  }
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (ratio: number): Millicores => toMillicores(quantile(sorted, ratio) ?? 0)
  return { median: at(0.5), p99: at(0.99), history }
}

/** Cores needed in each second of a pass by the requests that arrive in it. */
export function needBySecond(
  requests: Iterable<{ readonly atMicros: number; readonly cpuMicros: number }>,
  passSeconds: number,
): number[] {
  const cores = Array.from({ length: passSeconds }, () => 0)
  for (const { atMicros, cpuMicros } of requests) {
    const second = Math.min(passSeconds - 1, Math.floor(atMicros / 1e6))
    cores[second] = (cores[second] ?? 0) + cpuMicros / 1e6
  }
  return cores
}

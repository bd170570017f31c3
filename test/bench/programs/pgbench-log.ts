import type { Served } from './program.ts'

/**
 * A line of `pgbench --log` under `--rate`: client, transaction, latency in us from the scheduled
 * start, script, and the moment of the end as seconds and us of the wall clock, then how late the
 * start was, which is in the latency already.
 *
 *   0 7 20500 0 1700000002 500000 300   started at 1700000000 s  ->  at 2479.5 ms, took 20.5 ms
 */
export function parsePgbenchLog(text: string, startMillis: number): Served[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, , latency = NaN, , second = NaN, micros = NaN] = line.split(' ').map(Number)
      const latencyMillis = latency / 1000
      const atMillis = second * 1000 + micros / 1000 - latencyMillis - startMillis
      if (Number.isFinite(atMillis)) return { atMillis, latencyMillis }
      throw new Error(`reading the log of pgbench: expected six numbers or more, got ${line}`)
    })
}

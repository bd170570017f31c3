/** The figures of all runs in a compact form: one line of JSON each, after one of the settings. */
import { cpus, release } from 'node:os'

export function rawLines(settings: object, runs: readonly object[]): string {
  const machine = { kernel: release(), cpus: cpus().length, model: cpus()[0]?.model }
  const lines = [{ ...machine, ...settings }, ...runs]
  return lines.map((one) => `${JSON.stringify(one, rounded)}\n`).join('')
}

/** Microseconds of latency and thousandths of a core or a ratio. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value

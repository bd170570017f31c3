/** What processes on a real stage said in their logs. */
import type { Background } from '../background.ts'

export const lastLines = ({ lines }: Background): string[] =>
  lines.slice(-20).map((line) => JSON.stringify(line))

/** Of the controller: what became of allocations, in order. */
export const reasonsIn = (lines: Background['lines']): unknown[] =>
  lines.flatMap(({ msg, reason }) => (msg === 'allocation handled' ? [reason] : []))

/** Of an agent whose cgroups are read-only. */
export const isRefused = ({ lines }: Background, name: string): boolean =>
  lines.some(({ msg, pod }) => msg === 'kernel not written' && pod === name)

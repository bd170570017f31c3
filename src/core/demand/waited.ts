/**
 * Time waited for a CPU over time, from one look to the next. The kernel counts waiting for quota as
 * well: that is taken off, since no neighbour is to blame for it.
 */
import type { CpuReading } from './reading.ts'

export type Look = {
  readonly reading: CpuReading
  /** The kernel's counter; undefined while nobody asks for it. */
  readonly waitingMicros: number | undefined
}

/** 0 unless the kernel was asked both times. */
export function waitedBetween(before: Look, after: Look): number {
  const micros = after.reading.atMicros - before.reading.atMicros
  const [from, to] = [before.waitingMicros, after.waitingMicros]
  if (from === undefined || to === undefined || !(micros > 0)) return 0
  const throttled = after.reading.throttledMicros - before.reading.throttledMicros
  return Math.max(0, (to - from - Math.max(0, throttled)) / micros)
}

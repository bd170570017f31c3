/**
 * The phases of the seeds, scaled to the machine and to the length of a pass. Their rates are 10, 50
 * and 100 a second over 2, 5 and 5 minutes, then 3 minutes of bursts: here 100 are 1.3 times the
 * machine, and 15 minutes one pass.
 */
export type PhaseName = 'warm-up' | 'saturation' | 'contention' | 'bursty'

export type Phase = {
  readonly name: PhaseName
  readonly fromMicros: number
  readonly toMicros: number
  /** Of the peak; a service that bursts has times of its own at the high level. */
  readonly level: number
  readonly high?: number
}

const shapes = [
  { name: 'warm-up', minutes: 2, level: 0.1 },
  { name: 'saturation', minutes: 5, level: 0.5 },
  { name: 'contention', minutes: 5, level: 1 },
  { name: 'bursty', minutes: 3, level: 0.2, high: 1 },
] as const
const passMinutes = shapes.reduce((sum, { minutes }) => sum + minutes, 0)

export function phasesOf(passSeconds: number): Phase[] {
  const momentOf = (minute: number) => Math.round((minute / passMinutes) * passSeconds * 1e6)
  const found: Phase[] = []
  let minute = 0
  for (const { minutes, ...shape } of shapes) {
    found.push({ ...shape, fromMicros: momentOf(minute), toMicros: momentOf(minute + minutes) })
    minute += minutes
  }
  return found
}

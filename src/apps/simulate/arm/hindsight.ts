/** What the pods of a scenario want and use where nothing holds them back: it is played to find out. */
import type { PodWindow } from '../../../core/comparison/pod-window.ts'
import { play } from '../play/main.ts'
import { noQuotas, setOnce } from '../rivals/set-once.ts'
import type { ArmRun } from './main.ts'

export type Seen = {
  /** Of a pod, mean over the time that it was there. */
  readonly demandedCores: number
  /** Of every pod, minute by minute. */
  readonly minutes: readonly number[]
}

/** By workload, as results name it. */
export type Hindsight = ReadonlyMap<string, Seen>

const MINUTE_SECONDS = 60

export async function lookAhead({ scenario, seed, duration }: ArmRun): Promise<Hindsight> {
  const windows: PodWindow[] = []
  await play({
    scenario,
    seed,
    duration,
    start: ({ stage, signal }) => void setOnce(stage, [noQuotas], signal),
    onWindow: (window) => windows.push(window),
  })
  const workloads = groupBy(windows, ({ workload }) => workload)
  return new Map(Array.from(workloads, ([name, all]) => [name, seenIn(all)]))
}

function seenIn(windows: readonly PodWindow[]): Seen {
  const seconds = windows.reduce((sum, window) => sum + window.seconds, 0)
  const demanded = windows.reduce((sum, { demandedMicros }) => sum + demandedMicros, 0)
  const pods = groupBy(windows, ({ podUid }) => podUid)
  return {
    demandedCores: demanded / 1e6 / seconds,
    minutes: [...pods.values()].flatMap(minutesOf),
  }
}

/** A rest of less than a minute is no sample. */
function minutesOf(windows: readonly PodWindow[]): number[] {
  const perMinute = MINUTE_SECONDS / (windows[0]?.seconds ?? MINUTE_SECONDS)
  const minutes: number[] = []
  for (let i = 0; i + perMinute <= windows.length; i += perMinute) {
    const used = windows
      .slice(i, i + perMinute)
      .reduce((sum, { usedMicros }) => sum + usedMicros, 0)
    minutes.push(used / 1e6 / MINUTE_SECONDS)
  }
  return minutes
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}

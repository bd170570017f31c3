/** Reads the groups of all pods four times a second, and adds up what each workload did in each second. */
import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import type { CpuReading } from '../../../src/core/demand/reading.ts'
import { secondOf, type Moment } from '../programs/moment.ts'
import type { RunningPod } from './pods.ts'

/** What is added up; of a pod and its container the one that shows more counts, as either may bind. */
export type Activity = {
  readonly usedMicros: number
  readonly throttledPeriods: number
  readonly throttledMicros: number
  /** Of all its tasks: ready to run, but without a CPU or without quota. */
  readonly waitedMicros: number
  /** Values of weight and quota in the kernel that differ from those of the sample before. */
  readonly kernelChanges: number
}

export const idle: Activity = {
  usedMicros: 0,
  throttledPeriods: 0,
  throttledMicros: 0,
  waitedMicros: 0,
  kernelChanges: 0,
}

export const addUp = (parts: readonly Activity[]): Activity =>
  parts.reduce(
    (sum, one) => ({
      usedMicros: sum.usedMicros + one.usedMicros,
      throttledPeriods: sum.throttledPeriods + one.throttledPeriods,
      throttledMicros: sum.throttledMicros + one.throttledMicros,
      waitedMicros: sum.waitedMicros + one.waitedMicros,
      kernelChanges: sum.kernelChanges + one.kernelChanges,
    }),
    idle,
  )

/** By workload, second by second. */
export type Activities = ReadonlyMap<string, readonly Activity[]>

const samplesPerSecond = 4

type Seen = {
  readonly pod: CpuReading | undefined
  readonly container: CpuReading | undefined
  readonly waitedMicros: number | undefined
}

/** `podsNow` are those that run, which may be others than before. */
export async function samplePods(
  podsNow: () => readonly RunningPod[],
  seconds: number,
  moment: Moment,
): Promise<Activities> {
  const reader = openCgroups({ isExact: true })
  const all = new Map<string, Activity[]>()
  const last = new Map<string, Seen>()
  const sample = (second: number): void => {
    for (const { uid, workload, groups } of podsNow()) {
      const now: Seen = {
        pod: reader.read({ path: groups.pod }),
        container: reader.read({ path: groups.container }),
        waitedMicros: reader.waiting?.({ path: groups.container }),
      }
      const before = last.get(uid)
      last.set(uid, now)
      if (before === undefined || second < 0) continue
      const own = all.get(workload) ?? Array.from({ length: Math.ceil(seconds) }, () => idle)
      all.set(workload, own)
      own[second] = addUp([own[second] ?? idle, between(before, now)])
    }
  }
  try {
    await secondOf(0, moment)
    sample(-1)
    for (let i = 1; i <= seconds * samplesPerSecond; i += 1) {
      await secondOf(i / samplesPerSecond, moment)
      sample(Math.ceil(i / samplesPerSecond) - 1)
    }
  } finally {
    reader.close()
  }
  return all
}

function between(before: Seen, now: Seen): Activity {
  const more = (pick: (reading: CpuReading) => number): number => {
    const [pod, container] = [
      gain(before.pod, now.pod, pick),
      gain(before.container, now.container, pick),
    ]
    return Math.max(pod, container)
  }
  return {
    usedMicros: more(({ usageMicros }) => usageMicros),
    throttledPeriods: more(({ throttledPeriods }) => throttledPeriods),
    throttledMicros: more(({ throttledMicros }) => throttledMicros),
    waitedMicros: Math.max(
      0,
      (now.waitedMicros ?? 0) - (before.waitedMicros ?? now.waitedMicros ?? 0),
    ),
    kernelChanges: changes(before.pod, now.pod) + changes(before.container, now.container),
  }
}

const gain = (
  before: CpuReading | undefined,
  now: CpuReading | undefined,
  pick: (reading: CpuReading) => number,
): number => (before === undefined || now === undefined ? 0 : Math.max(0, pick(now) - pick(before)))

const changes = (before: CpuReading | undefined, now: CpuReading | undefined): number =>
  before === undefined || now === undefined
    ? 0
    : Number(before.weight !== now.weight) + Number(before.quotaMicros !== now.quotaMicros)

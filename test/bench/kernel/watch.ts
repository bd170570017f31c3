/** Reads groups from the first request to the last. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import type { CpuReading } from '../../../src/core/demand/reading.ts'
import { nowMicros } from '../burn.ts'
import type { ArmGroup, Running } from './arm.ts'
import type { Reading } from './trace.ts'

export type Watch = {
  readonly groups: readonly ArmGroup[]
  readonly running: Running
  readonly seconds: number
  /** A moment of the clock. */
  readonly startMicros: number
  readonly signal: AbortSignal
}

/** The same for all arms. */
const readEveryMillis = 100
const cpus = availableParallelism()

/** The readings of each group. */
export async function watch(task: Watch): Promise<Reading[][]> {
  const { groups, running, seconds, startMicros, signal } = task
  const reader = openCgroups({ nowMicros, isExact: true })
  const seen = groups.map((): Reading[] => [])
  const first = groups.map(({ path }) => reader.read({ path }))
  const look = () => {
    const promised = running.promisedCores?.()
    groups.forEach(({ path }, i) => {
      const reading = reader.read({ path })
      if (reading === undefined) throw new Error(`reading group ${path}: it is gone`)
      seen[i]?.push(readingOf(reading, { first: first[i], startMicros, promised: promised?.[i] }))
    })
  }
  try {
    for (let at = 0; at <= seconds * 1000; at += readEveryMillis) {
      await sleep((startMicros - nowMicros()) / 1000 + at, undefined, { signal })
      look()
    }
    return seen
  } finally {
    reader.close()
  }
}

type Base = {
  readonly first: CpuReading | undefined
  readonly startMicros: number
  readonly promised: number | undefined
}

function readingOf(reading: CpuReading, { first, startMicros, promised }: Base): Reading {
  const quotaCores = Math.min(cpus, (reading.quotaMicros ?? Infinity) / reading.periodMicros)
  return {
    atMicros: reading.atMicros - startMicros,
    usageMicros: reading.usageMicros - (first?.usageMicros ?? 0),
    periods: reading.periods,
    throttledPeriods: reading.throttledPeriods,
    quotaCores,
    promisedCores: promised ?? quotaCores,
  }
}

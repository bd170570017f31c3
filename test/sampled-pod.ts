/** For tests: a pod whose containers do as they are told, as the agent samples it. */
import assert from 'node:assert/strict'

import { type Measured, measuredOf } from '../src/apps/agent/charge.ts'
import { createSampler } from '../src/apps/agent/sampler.ts'
import type { Tracked } from '../src/core/demand/tracker.ts'
import type { CgroupReader } from '../src/ports/cgroup.ts'
import { seenPod } from './seen-pod.ts'

/** Of one container. */
export type Doing = {
  readonly cores: number
  readonly waitedCores: number
  readonly periods: number
  readonly throttledPeriods: number
}

const CPUS = 4

type Counters = { usageMicros: number; waitedMicros: number; periods: number; throttled: number }

/** Sampled once before its first moment, while CPU is short. */
export function sampledPod(containers: number) {
  const names = Array.from({ length: containers }, (_, i) => `c${i}`)
  const seen = seenPod({ spec: { containers: names.map((name) => ({ name, image: 'app' })) } })
  const counters = new Map<string, Counters>()
  const ids = seen.containers.map(({ place }) => place?.containerId ?? '')
  for (const id of ids) {
    counters.set(id, { usageMicros: 0, waitedMicros: 0, periods: 0, throttled: 0 })
  }
  let atMicros = 0
  const cgroups: Partial<CgroupReader> = {
    read: ({ containerId }) => {
      const found = counters.get(containerId)
      if (found === undefined) return undefined
      const { usageMicros, periods, throttled } = found
      const quota = { quotaMicros: null, periodMicros: 100_000, throttledMicros: 0, weight: 1024 }
      return { atMicros, usageMicros, periods, throttledPeriods: throttled, ...quota }
    },
    waiting: ({ containerId }) => counters.get(containerId)?.waitedMicros,
    forget: () => undefined,
  }
  const sampler = createSampler(cgroups as CgroupReader, () => undefined)
  const smoothing = { upSeconds: 1, downSeconds: 1 }
  const sample = () => sampler.sample([seen], { cpus: CPUS, smoothing, looksForWaiting: true })
  sample()
  return {
    /** The next moment, in which each did so. */
    pass: (seconds: number, doings: readonly Doing[]): readonly Measured[] => {
      atMicros += seconds * 1e6
      for (const [i, { cores, waitedCores, periods, throttledPeriods }] of doings.entries()) {
        const found = counters.get(ids[i] ?? '')
        assert.ok(found !== undefined)
        found.usageMicros += cores * seconds * 1e6
        found.waitedMicros += waitedCores * seconds * 1e6
        found.periods += periods
        found.throttled += throttledPeriods
      }
      assert.ok(sample().stirred.has(seen.uid), 'its first container has news at every moment')
      return measuredOf(seen, sampler) ?? []
    },
    usedCores: () => ids.map((id) => sampler.usedCoresOf(id, CPUS)),
    tracked: (): readonly Tracked[] => ids.flatMap((id) => sampler.trackedOf(id) ?? []),
  }
}

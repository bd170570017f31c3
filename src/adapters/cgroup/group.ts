/** One group of either version: what is read at every sample, and what seldom changes. */
import { join } from 'node:path'

import type { CpuCounters, CpuReading } from '../../core/demand/reading.ts'
import type { CpuPressure } from '../../ports/cgroup.ts'
import type { Hierarchy } from './hierarchy.ts'
import { keepFiles } from './kept-files.ts'
import { parsePressure } from './parse-pressure.ts'
import * as parse from './parse.ts'

/** Quota, period, burst and weight: what only a write changes. */
export type Seldom = Pick<
  CpuCounters,
  'quotaMicros' | 'periodMicros' | 'burstLimitMicros' | 'weight'
>

/** Every read throws `Gone` when the group is. */
export type OpenGroup = {
  readonly counters: (atMicros: number, seldom: Seldom) => CpuReading
  readonly seldom: () => Seldom
  readonly pressure: () => CpuPressure | undefined
  readonly close: () => void
}

export const openGroup = (hierarchy: Hierarchy, path: string): OpenGroup =>
  hierarchy.version === 2 ? openV2(join(hierarchy.unified, path)) : openV1(hierarchy, path)

/** Throttling, quota and shares are in the cpu hierarchy, usage in cpuacct, at the same path. */
function openV1(
  hierarchy: { readonly cpu: string; readonly cpuacct: string },
  path: string,
): OpenGroup {
  const cpu = join(hierarchy.cpu, path)
  const files = keepFiles({
    usage: join(hierarchy.cpuacct, path, 'cpuacct.usage'),
    stat: join(cpu, 'cpu.stat'),
    quota: join(cpu, 'cpu.cfs_quota_us'),
    period: join(cpu, 'cpu.cfs_period_us'),
    burst: join(cpu, 'cpu.cfs_burst_us'),
    shares: join(cpu, 'cpu.shares'),
  })
  const parseStat = remember(parse.parseCpuStatV1)
  return {
    counters: (atMicros, seldom) => {
      const usageMicros = parse.parseUsageV1(files.text('usage'))
      return readingOf(atMicros, usageMicros, parseStat(files.text('stat')), seldom)
    },
    seldom: () => ({
      quotaMicros: parse.parseQuotaV1(files.text('quota')),
      periodMicros: parse.parsePeriodV1(files.text('period')),
      ...parse.parseBurst(files.textIfAny('burst')),
      weight: parse.parseShares(files.text('shares')),
    }),
    pressure: () => undefined,
    close: files.close,
  }
}

function openV2(folder: string): OpenGroup {
  const files = keepFiles({
    stat: join(folder, 'cpu.stat'),
    max: join(folder, 'cpu.max'),
    burst: join(folder, 'cpu.max.burst'),
    weight: join(folder, 'cpu.weight'),
    pressure: join(folder, 'cpu.pressure'),
  })
  const parseStat = remember(parse.parseCpuStatV2)
  return {
    counters: (atMicros, seldom) => {
      const stat = parseStat(files.text('stat'))
      return readingOf(atMicros, stat.usageMicros, stat, seldom)
    },
    seldom: () => ({
      ...parse.parseCpuMax(files.text('max')),
      ...parse.parseBurst(files.textIfAny('burst')),
      weight: parse.parseWeight(files.text('weight')),
    }),
    pressure: () => parsePressure(files.textIfAny('pressure')),
    close: files.close,
  }
}

/** Field by field: spreading four times a second for every container is what an agent would do most. */
function readingOf(
  atMicros: number,
  usageMicros: number,
  stat: parse.Throttling,
  seldom: Seldom,
): CpuReading {
  return {
    atMicros,
    usageMicros,
    periods: stat.periods,
    throttledPeriods: stat.throttledPeriods,
    throttledMicros: stat.throttledMicros,
    quotaMicros: seldom.quotaMicros,
    periodMicros: seldom.periodMicros,
    burstPeriods: stat.burstPeriods,
    burstMicros: stat.burstMicros,
    burstLimitMicros: seldom.burstLimitMicros,
    weight: seldom.weight,
  }
}

/** What the same text gave the last time: cpu.stat of who is idle seldom changes. */
function remember<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: parse(text) }
    return last.value
  }
}

/** One group of either version: what is read at every sample, and what seldom changes. */
import { join } from 'node:path'

import { sharesOfWeight } from '../../core/cgroup/weight.ts'
import type { CpuCounters, CpuReading } from '../../core/demand/reading.ts'
import type { Hierarchy } from './hierarchy.ts'
import { keepFiles } from './kept-files.ts'
import { parsePressure } from './parse-pressure.ts'
import * as parse from './parse.ts'
import { sumRunDelay } from './run-delay.ts'
import { sumWaiting } from './waiting-v2.ts'

/** Quota, period, burst and weight: what only a write changes. */
export type Seldom = Pick<
  CpuCounters,
  'quotaMicros' | 'periodMicros' | 'burstLimitMicros' | 'weight'
>

/** Every read throws `Gone` when the group is. */
export type OpenGroup = {
  readonly counters: (atMicros: number, seldom: Seldom) => CpuReading
  readonly seldom: () => Seldom
  /** Only the quota again: of what seldom changes, it changes most. */
  readonly withQuota: (before: Seldom) => Seldom
  /** Microseconds of waiting for a CPU so far; undefined where the kernel does not report it. */
  readonly waiting: () => number | undefined
  /** In units of cpu.shares; of what seldom changes, read alone and at every call. */
  readonly shares: () => number
  readonly close: () => void
}

/** For so long at most the throttling of a group that hardly runs is not read again. */
export type Patience = { readonly quietMicros: number }

export const openGroup = (
  hierarchy: Hierarchy,
  path: string,
  patience: Patience = { quietMicros: 0 },
): OpenGroup =>
  hierarchy.version === 2
    ? openV2(join(hierarchy.unified, path))
    : openV1(hierarchy, path, patience)

/** Throttling, quota and shares are in the cpu hierarchy, usage in cpuacct, at the same path. */
function openV1(
  hierarchy: { readonly cpu: string; readonly cpuacct: string },
  path: string,
  { quietMicros }: Patience,
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
  const readStat = unlessQuiet(quietMicros, () => parse.parseCpuStatV1(files.text('stat')))
  const quotaMicros = (): number | null => parse.parseQuotaV1(files.text('quota'))
  const shares = (): number => parse.parseShares(files.text('shares'))
  return {
    counters: (atMicros, seldom) => {
      const usageMicros = parse.parseUsageV1(files.text('usage'))
      return readingOf(atMicros, usageMicros, readStat(atMicros, usageMicros, seldom), seldom)
    },
    seldom: () => ({
      quotaMicros: quotaMicros(),
      periodMicros: parse.parsePeriodV1(files.text('period')),
      ...parse.parseBurst(files.textIfAny('burst')),
      weight: shares(),
    }),
    withQuota: (before) => ({ ...before, quotaMicros: quotaMicros() }),
    waiting: sumRunDelay({ folder: cpu, list: 'tasks' }),
    shares,
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
  const weight = (): number => parse.parseWeight(files.text('weight'))
  const runDelay = sumRunDelay({ folder, list: 'cgroup.threads' })
  return {
    counters: (atMicros, seldom) => {
      const stat = parseStat(files.text('stat'))
      return readingOf(atMicros, stat.usageMicros, stat, seldom)
    },
    seldom: () => ({
      ...parse.parseCpuMax(files.text('max')),
      ...parse.parseBurst(files.textIfAny('burst')),
      weight: weight(),
    }),
    withQuota: (before) => ({ ...before, ...parse.parseCpuMax(files.text('max')) }),
    waiting: sumWaiting(() => parsePressure(files.textIfAny('pressure')), runDelay),
    shares: () => sharesOfWeight(weight()),
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

/** Of its quota: who uses less from look to look is not out of it. */
const QUIET_RATIO = 0.05

type Look = { readonly atMicros: number; readonly usageMicros: number; readonly isQuiet: boolean }

/**
 * Most containers hardly run from look to look, and their throttling costs a read of its own. A period
 * that ran out may end after the look that shows it, so that one more is read before it is let be.
 */
function unlessQuiet(
  longestMicros: number,
  read: () => parse.Throttling,
): (atMicros: number, usageMicros: number, seldom: Seldom) => parse.Throttling {
  let last: Look = { atMicros: Infinity, usageMicros: 0, isQuiet: false }
  let known: { readonly atMicros: number; readonly stat: parse.Throttling } | undefined
  return (atMicros, usageMicros, { quotaMicros, periodMicros }) => {
    const quota = quotaMicros === null ? 1 : quotaMicros / periodMicros
    const used = usageMicros - last.usageMicros
    const isQuiet = used >= 0 && used <= QUIET_RATIO * quota * (atMicros - last.atMicros)
    const canWait = isQuiet && last.isQuiet
    last = { atMicros, usageMicros, isQuiet }
    if (known === undefined || !canWait || atMicros - known.atMicros >= longestMicros) {
      known = { atMicros, stat: read() }
    }
    return known.stat
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

import { join } from 'node:path'

import type { CpuCounters } from '../../core/demand/reading.ts'
import { keepFiles } from './kept-files.ts'
import { parseCpuStatV1, parsePeriodV1, parseQuotaV1, parseShares, parseUsageV1 } from './parse.ts'

/** Throttling, quota and shares are in the cpu hierarchy, usage in cpuacct, at the same path. */
export function openV1(
  hierarchy: { readonly cpu: string; readonly cpuacct: string },
  path: string,
) {
  const cpu = join(hierarchy.cpu, path)
  const files = keepFiles({
    usage: join(hierarchy.cpuacct, path, 'cpuacct.usage'),
    stat: join(cpu, 'cpu.stat'),
    quota: join(cpu, 'cpu.cfs_quota_us'),
    period: join(cpu, 'cpu.cfs_period_us'),
    shares: join(cpu, 'cpu.shares'),
  })
  const read = (): CpuCounters | undefined => {
    const texts = files?.read()
    if (texts === undefined) return undefined
    return {
      usageMicros: parseUsageV1(texts.usage),
      ...parseCpuStatV1(texts.stat),
      quotaMicros: parseQuotaV1(texts.quota),
      periodMicros: parsePeriodV1(texts.period),
      weight: parseShares(texts.shares),
    }
  }
  return files && { read, close: files.close }
}

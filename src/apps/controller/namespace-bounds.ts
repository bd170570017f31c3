/** What a namespace allows its pods of CPU, as `core/resize` asks for it. */
import type { Limit, LimitRange } from '../../apis/limit-range.ts'
import { cpuIn } from '../../apis/pod.ts'
import type { ResourceQuota } from '../../apis/resource-quota.ts'
import type { CpuBound, CpuField, QuotaRoom } from '../../core/resize/types.ts'

export const boundsOf = (limitRanges: readonly LimitRange[]): CpuBound[] =>
  limitRanges.flatMap(({ metadata: { name = '' }, spec }) =>
    (spec?.limits ?? []).flatMap((limit) => boundIn(limit, name)),
  )

function boundIn(limit: Limit, limitRange: string): CpuBound[] {
  const { type: of, min, max, maxLimitRequestRatio } = limit
  if (of !== 'Container' && of !== 'Pod') return []
  const ratio = cpuIn(maxLimitRequestRatio)
  const defaults: CpuField[] = [
    ...(limit.defaultRequest === undefined ? [] : ['request' as const]),
    ...(limit.default === undefined ? [] : ['limit' as const]),
  ]
  return [
    {
      limitRange,
      of,
      min: cpuIn(min),
      max: cpuIn(max),
      maxRatio: ratio === undefined ? undefined : ratio / 1000,
      ...(of === 'Container' && { defaults }),
    },
  ]
}

const names: readonly (readonly [string, CpuField])[] = [
  ['cpu', 'request'],
  ['requests.cpu', 'request'],
  ['limits.cpu', 'limit'],
]

/**
 * Of quotas for some pods only, those for all but BestEffort are for every pod that is resized; to
 * which pods others apply, the server knows, and says so when it is asked.
 */
export const roomsOf = (quotas: readonly ResourceQuota[]): QuotaRoom[] =>
  quotas.filter(isForAll).flatMap(({ metadata: { name: quota = '' }, status }) =>
    names.flatMap(([name, of]) => {
      const hard = cpuIn(cpuNamed(status?.hard, name))
      const used = cpuIn(cpuNamed(status?.used, name))
      return hard === undefined || used === undefined ? [] : [{ quota, of, hard, used }]
    }),
  )

const isForAll = ({ spec }: ResourceQuota): boolean =>
  spec?.scopeSelector === undefined &&
  (spec?.scopes ?? []).every((scope) => scope === 'NotBestEffort')

const cpuNamed = (list: Readonly<Record<string, string>> | undefined, name: string) => {
  const amount = list?.[name]
  return amount === undefined ? undefined : { cpu: amount }
}

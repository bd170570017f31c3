/** Refuses what would take more than the quotas of its namespace leave. */
import { formatQuantity, type Quantity } from '../../../core/quantity.ts'
import { resourceQuotas } from '../../resources.ts'
import { type Amounts, amountsOf } from '../kinds/pod/resources.ts'
import type { Pod } from '../kinds/pod/types.ts'
import type { ResourceQuota } from '../kinds/resource-quota.ts'
import { forbidden } from '../refusal.ts'
import type { AdmissionRequest } from '../write/cluster.ts'
import { isPod, isResize, podOf } from './pods.ts'
import { add, computeUsage, concerns, usageOf, usedOf, zero } from './quota-usage.ts'

export function checkQuotas(request: AdmissionRequest): void {
  if (!isCounted(request)) return
  const { type, object, at } = request
  const quotas = at.all(resourceQuotas, object.metadata.namespace) as readonly ResourceQuota[]
  for (const quota of quotas) {
    if (!concerns(quota, { of: type, object })) continue
    const why = failureOf(quota, request) ?? excessOf(quota, request)
    if (why !== undefined) throw forbidden(type, object.metadata.name, { why })
  }
}

/** Events never count; of writes only those do that can take more. */
function isCounted(request: AdmissionRequest): boolean {
  const { type, object, operation, subresource, old } = request
  if (object.metadata.namespace === undefined || type.plural === 'events') return false
  if (isResize(request)) return true
  if (subresource !== '') return false
  if (operation === 'CREATE') return true
  if (operation !== 'UPDATE') return false
  const isService = type.group === '' && type.plural === 'services'
  return isService || (isPod(request) && hasDeadline(object) !== hasDeadline(old))
}

const hasDeadline = (object: { readonly spec?: unknown } | undefined): boolean =>
  (object?.spec as Pod['spec'] | undefined)?.activeDeadlineSeconds !== undefined

const mandatory = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
)

/** Where CPU or memory is counted, every container must say what it takes. */
function failureOf(quota: ResourceQuota, request: AdmissionRequest): string | undefined {
  if (!isPod(request)) return undefined
  const { spec } = podOf(request)
  if (spec.resources !== undefined) return undefined
  const names = Object.keys(quota.spec?.hard ?? {}).filter((name) => mandatory.has(name))
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  const missing = names.toSorted().flatMap((name) => {
    const silent = containers.filter(
      ({ resources }) =>
        !computeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits)).has(name),
    )
    const list = silent.map((container) => container.name).toSorted()
    return list.length === 0 ? [] : [`${name} for: ${list.join(',')}`]
  })
  return missing.length === 0
    ? undefined
    : `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`
}

function excessOf(quota: ResourceQuota, request: AdmissionRequest): string | undefined {
  const hard = amountsOf(quota.spec?.hard)
  const requested = new Map(
    [...requestedBy(quota, request)].filter(([name, { nanos }]) => hard.has(name) && nanos > 0n),
  )
  if (requested.size === 0) return undefined
  const used = usedOf(quota, request.at)
  const exceeded = [...requested.keys()].filter((name) => {
    const sum = add(used.get(name) ?? zero, requested.get(name) ?? zero)
    return sum.nanos > (hard.get(name) ?? zero).nanos
  })
  if (exceeded.length === 0) return undefined
  const tell = (amounts: Amounts): string =>
    exceeded
      .toSorted()
      .map((name) => `${name}=${formatQuantity(amounts.get(name) ?? zero)}`)
      .join(',')
  return `exceeded quota: ${quota.metadata.name}, requested: ${tell(requested)}, used: ${tell(used)}, limited: ${tell(hard)}`
}

/** Of a change: only what comes on top. */
function requestedBy(quota: ResourceQuota, request: AdmissionRequest): Amounts {
  const { type, object, old, at } = request
  const next = usageOf(type, object, at.now)
  if (old === undefined || !concerns(quota, { of: type, object: old })) return next
  const before = usageOf(type, old, at.now)
  return new Map(
    [...next].map(([name, amount]): [string, Quantity] => {
      const nanos = amount.nanos - (before.get(name)?.nanos ?? 0n)
      return [name, { ...amount, nanos: nanos > 0n ? nanos : 0n }]
    }),
  )
}

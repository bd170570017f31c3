/**
 * What counts towards a ResourceQuota, and how much of it there is. Usage is counted from the stored
 * objects whenever it is asked for, so that there is nothing to book and nothing to lag behind.
 */
import { formatQuantity, parseQuantity, type Quantity } from '../../../core/quantity.ts'
import { pods } from '../../resources.ts'
import { type Amounts, podLimits, podRequests } from '../kinds/pod/resources.ts'
import { asPod } from '../kinds/pod/types.ts'
import type { QuotaStatus, ResourceQuota } from '../kinds/resource-quota.ts'
import { specOf as serviceSpecOf } from '../kinds/service-spec.ts'
import type { ApiObject } from '../object.ts'
import type { Named } from '../refusal.ts'
import type { Situation } from '../resource-type.ts'
import { matchesScopes } from './quota-scopes.ts'

const one = parseQuantity('1')
export const zero = parseQuantity('0')

const aliases = new Set(['configmaps', 'resourcequotas', 'secrets', 'services'])
const computed = new Set(['cpu', 'memory', 'ephemeral-storage'])

/** `count/deployments.apps`: any resource can be counted. */
const countNameOf = ({ group, plural }: Named): string =>
  group === '' ? `count/${plural}` : `count/${plural}.${group}`

const isPods = ({ group, plural }: Named): boolean => group === '' && plural === 'pods'

/** Amounts of what is asked for, as quotas name them: `requests.cpu`, `cpu`, `requests.x.com/gpu`. */
export function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([['pods', one]])
  for (const [name, amount] of requests) {
    const isPages = name.startsWith('hugepages-')
    if (computed.has(name) || isPages) usage.set(name, amount)
    if (computed.has(name) || isPages || name.includes('/')) usage.set(`requests.${name}`, amount)
  }
  for (const [name, amount] of limits) if (computed.has(name)) usage.set(`limits.${name}`, amount)
  return usage
}

// What is stored never changes, so that its usage is counted once, however often it is summed.
const known = new WeakMap<ApiObject, Amounts>()

/** Of one object. A pod that has ended, or should have, counts as an object only. */
export function usageOf(of: Named, object: ApiObject, now: number): Amounts {
  if (isPods(of) && isEnding(object, now)) return new Map([['count/pods', one]])
  const counted = known.get(object) ?? countUsage(of, object)
  known.set(object, counted)
  return counted
}

function countUsage(of: Named, object: ApiObject): Amounts {
  const usage = new Map([[countNameOf(of), one]])
  if (isPods(of)) {
    const pod = asPod(object)
    return new Map([...usage, ...computeUsage(podRequests(pod), podLimits(pod))])
  }
  if (of.group !== '' || !aliases.has(of.plural)) return usage
  usage.set(of.plural, one)
  if (of.plural === 'services')
    for (const [name, amount] of portsOf(object)) usage.set(name, amount)
  return usage
}

function portsOf(object: ApiObject): [string, Quantity][] {
  const { type, ports = [], allocateLoadBalancerNodePorts } = serviceSpecOf(object)
  const isBalanced = type === 'LoadBalancer'
  const hasPorts = type === 'NodePort' || (isBalanced && allocateLoadBalancerNodePorts !== false)
  return [
    ['services.nodeports', parseQuantity(String(hasPorts ? ports.length : 0))],
    ['services.loadbalancers', isBalanced ? one : zero],
  ]
}

function isEnding({ metadata, status }: ApiObject, now: number): boolean {
  const { phase } = (status ?? {}) as { readonly phase?: string }
  if (phase === 'Succeeded' || phase === 'Failed') return true
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata
  if (deletionTimestamp === undefined || grace === undefined) return false
  return now > Date.parse(deletionTimestamp) + grace * 1000
}

/** Whether the quota has anything to say about the object. */
export const concerns = (
  { spec }: ResourceQuota,
  { of, object }: { readonly of: Named; readonly object: ApiObject },
): boolean =>
  Object.keys(spec?.hard ?? {}).some((name) => resourceOf(name, of)) &&
  matchesScopes(spec ?? {}, isPods(of) ? asPod(object) : undefined)

/** Whether a name in a quota is about that resource. */
function resourceOf(name: string, of: Named): boolean {
  if (name === countNameOf(of)) return true
  if (!isPods(of))
    return of.group === '' && aliases.has(of.plural) && name.split('.')[0] === of.plural
  const plain = name.replace(/^(requests|limits)\./, '')
  const isExtended = name.startsWith('requests.') && name.includes('/')
  return name === 'pods' || isExtended || computed.has(plain) || plain.startsWith('hugepages-')
}

/** Which resources a quota counts: those of its names. */
function countedBy({ spec }: ResourceQuota): Named[] {
  const names = Object.keys(spec?.hard ?? {})
  const counted = names.flatMap((name): Named[] => {
    const [, plural, group = ''] = /^count\/([^.]+)(?:\.(.+))?$/.exec(name) ?? []
    if (plural !== undefined) return [{ group, plural }]
    const [first = ''] = name.split('.')
    if (aliases.has(first)) return [{ group: '', plural: first }]
    return resourceOf(name, pods) ? [pods] : []
  })
  return [...new Map(counted.map((of) => [countNameOf(of), of])).values()]
}

export function usedOf(quota: ApiObject, at: Situation): Amounts {
  const { metadata, spec } = quota as ResourceQuota
  const used = new Map(Object.keys(spec?.hard ?? {}).map((name) => [name, zero]))
  for (const of of countedBy(quota as ResourceQuota))
    for (const object of at.all(of, metadata.namespace)) {
      if (!concerns(quota as ResourceQuota, { of, object })) continue
      for (const [name, amount] of usageOf(of, object, at.now)) {
        const sum = used.get(name)
        if (sum !== undefined) used.set(name, add(sum, amount))
      }
    }
  return used
}

/** A sum is written as its first part that is not zero. */
export const add = (sum: Quantity, more: Quantity): Quantity => ({
  nanos: sum.nanos + more.nanos,
  format: sum.nanos === 0n ? more.format : sum.format,
})

const textsOf = (amounts: Amounts): Record<string, string> =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]))

/** The status that the quota should have now. */
export function quotaUsage(quota: ApiObject, at: Situation): QuotaStatus {
  const { spec } = quota as ResourceQuota
  return { hard: spec?.hard ?? {}, used: textsOf(usedOf(quota, at)) }
}

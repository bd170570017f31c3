/** Names of what containers ask for and quotas count: `cpu`, `requests.memory`, `example.com/gpu`. */
import type { FieldError } from '../../refusal.ts'
import { all, wrong } from './field-errors.ts'
import { checkQualifiedName } from './names.ts'

const ofContainers = new Set(['cpu', 'memory', 'ephemeral-storage'])
/** Counted in whole objects. */
const counts = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const ofQuotas = new Set([
  ...[...ofContainers].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...counts,
])

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-')

/** Of one word, and known to quotas. */
export const isQuotaResource = (name: string): boolean =>
  ofQuotas.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')

const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

/** The rest cannot be shared out beyond what is there: the request must be the limit. */
export const isOvercommittable = (name: string): boolean => isNative(name) && !isHugePages(name)

/** What device plugins offer. */
const isExtended = (name: string): boolean =>
  !isNative(name) &&
  !name.startsWith('requests.') &&
  checkQualifiedName(`requests.${name}`).length === 0

export const isWhole = (name: string): boolean => counts.includes(name) || isExtended(name)

export function checkResourceName(name: string, field: string): FieldError[] {
  const errors = all(field, name, checkQualifiedName(name))
  const isKnown = name.includes('/') || name === 'storage' || isQuotaResource(name)
  if (errors.length > 0 || isKnown) return errors
  return [wrong(field, name, 'must be a standard resource type or fully qualified')]
}

export function checkContainerResourceName(name: string, field: string): FieldError[] {
  const errors = checkResourceName(name, field)
  if (!name.includes('/')) {
    if (!ofContainers.has(name) && !isHugePages(name))
      errors.push(wrong(field, name, 'must be a standard resource for containers'))
  } else if (!isNative(name) && !isExtended(name))
    errors.push(wrong(field, name, "doesn't follow extended resource name standard"))
  return errors
}

import type { ResourceList } from '../../../apis/pod.ts'
import { memberOf } from '../members.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { UpdateSituation } from '../resource-type.ts'
import { checkQuota, checkQuotaUpdate } from './check-quota.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'

export type ScopeExpression = {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}
export type QuotaSpec = {
  readonly hard?: ResourceList
  readonly scopes?: readonly string[]
  readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeExpression[] }
}
export type QuotaStatus = { readonly hard?: ResourceList; readonly used?: ResourceList }
export type ResourceQuota = ApiObject<QuotaSpec, QuotaStatus>

/** `pods: 1/5, requests.cpu: 250m/2`: what is used of what there is. */
const usageText = (object: ApiObject, wantsLimits: boolean): string => {
  const { hard = {}, used = {} } = (object as ResourceQuota).status ?? {}
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === wantsLimits)
    .toSorted()
    .map((name) => `${name}: ${memberOf(used, name) ?? '0'}/${hard[name]}`)
    .join(', ')
}

const validateUpdate = (
  next: ApiObject,
  old: ApiObject,
  { subresource }: UpdateSituation,
): readonly FieldError[] => (subresource === 'status' ? [] : checkQuotaUpdate(next, old))

export const resourceQuotaRules: KindRules = {
  strategy: {
    prepareCreate: (object) => ({ ...object, status: {} }),
    validateCreate: checkQuota,
    validateUpdate,
  },
  columns: [
    column(['Request', 'Used and allowed, of requests and counts.'], (object) =>
      usageText(object, false),
    ),
    column(['Limit', 'Used and allowed, of limits.'], (object) => usageText(object, true)),
    age,
  ],
  selectableFields: {},
  hasGeneration: false,
}

import { formatQuantity, parseQuantity, type Quantity } from '../../../core/quantity.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { createdAt } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { amountsOf } from './pod/resources.ts'
import { all, duplicate, forbiddenField, required, wrong } from './validate/field-errors.ts'
import { checkQualifiedName } from './validate/names.ts'
import {
  checkContainerResourceName,
  checkResourceName,
  isOvercommittable,
} from './validate/resource-names.ts'

type Amounts = Readonly<Record<string, string>>
type Bound = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio'
export type Limit = { readonly type?: string } & { readonly [bound in Bound]?: Amounts }
export type LimitRange = ApiObject<{ readonly limits?: readonly Limit[] }>

const limitsOf = ({ spec }: ApiObject): readonly Limit[] =>
  (spec as LimitRange['spec'])?.limits ?? []

/** A maximum is the default limit, that the default request; without them the minimum is. */
function fillLimit(limit: Limit): Limit {
  if (limit.type !== 'Container') return limit
  const { max = {}, min = {} } = limit
  const limits = fill(limit.default ?? {}, max)
  const requests = fill(fill(limit.defaultRequest ?? {}, limits), min)
  return {
    ...limit,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  }
}

const setDefaults = (object: ApiObject): ApiObject => ({
  ...object,
  spec: { ...(object.spec as object | undefined), limits: limitsOf(object).map(fillLimit) },
})

const types = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])

function checkType(type: string, at: string): FieldError[] {
  const errors = all(at, type, checkQualifiedName(type))
  if (errors.length > 0 || type.includes('/') || types.has(type)) return errors
  return [wrong(at, type, 'must be a standard limit type or fully qualified')]
}

function checkLimit(limit: Limit, at: string): FieldError[] {
  const { type } = limit
  const checkName =
    type === 'Pod' || type === 'Container' ? checkContainerResourceName : checkResourceName
  const checkNames = (bound: Bound): FieldError[] =>
    Object.keys(limit[bound] ?? {}).flatMap((name) => checkName(name, `${at}.${bound}[${name}]`))
  const errors = [...checkNames('max'), ...checkNames('min')]
  for (const bound of ['default', 'defaultRequest'] as const)
    if (type !== 'Pod') errors.push(...checkNames(bound))
    else if (Object.keys(limit[bound] ?? {}).length > 0)
      errors.push(forbiddenField(`${at}.${bound}`, "may not be specified when `type` is 'Pod'"))
  if (type === 'PersistentVolumeClaim' && !limit.min?.['storage'] && !limit.max?.['storage'])
    errors.push(
      required(
        `${at}.limits`,
        'either minimum or maximum storage value is required, but neither was provided',
      ),
    )
  errors.push(...checkNames('maxLimitRequestRatio'))
  return [...errors, ...checkAmounts(limit, at)]
}

const one = parseQuantity('1')

/** What the limit says of one resource. */
type Bounds = { readonly [bound in Bound]?: Quantity | undefined }

function checkAmounts(limit: Limit, at: string): FieldError[] {
  const isPod = limit.type === 'Pod'
  const lists = {
    min: amountsOf(limit.min),
    max: amountsOf(limit.max),
    default: amountsOf(isPod ? {} : limit.default),
    defaultRequest: amountsOf(isPod ? {} : limit.defaultRequest),
    maxLimitRequestRatio: amountsOf(limit.maxLimitRequestRatio),
  }
  const names = new Set(Object.values(lists).flatMap((amounts) => Array.from(amounts.keys())))
  return [...names].toSorted().flatMap((name) =>
    faultsOf({
      min: lists.min.get(name),
      max: lists.max.get(name),
      default: lists.default.get(name),
      defaultRequest: lists.defaultRequest.get(name),
      maxLimitRequestRatio: lists.maxLimitRequestRatio.get(name),
    })
      .concat(
        isOvercommittable(name)
          ? []
          : unequal(lists.default.get(name), { name, request: lists.defaultRequest.get(name) }),
      )
      .map(({ bound, shown, said }) =>
        wrong(`${at}.${bound}[${name}]`, formatQuantity(shown), said),
      ),
  )
}

type Fault = { readonly bound: Bound; readonly shown: Quantity; readonly said: string }

/** What must not be above what, and which of the two is shown: not always the one that is named. */
const orders = [
  { low: 'min', high: 'max', at: 'min', shows: 'min', says: ['min', 'max'] },
  {
    low: 'min',
    high: 'defaultRequest',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    says: ['min', 'default request'],
  },
  {
    low: 'defaultRequest',
    high: 'max',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    says: ['default request', 'max'],
  },
  {
    low: 'defaultRequest',
    high: 'default',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    says: ['default request', 'default limit'],
  },
  { low: 'min', high: 'default', at: 'default', shows: 'min', says: ['min', 'default'] },
  { low: 'default', high: 'max', at: 'default', shows: 'max', says: ['default', 'max'] },
] as const

function faultsOf(bounds: Bounds): Fault[] {
  const faults = orders.flatMap(({ low, high, at, shows, says }): Fault[] => {
    const [less, more, shown] = [bounds[low], bounds[high], bounds[shows]]
    if (!less || !more || !shown || less.nanos <= more.nanos) return []
    const said = `${says[0]} value ${formatQuantity(less)} is greater than ${says[1]} value ${formatQuantity(more)}`
    return [{ bound: at, shown, said }]
  })
  return [...faults, ...faultsOfRatio(bounds)]
}

function faultsOfRatio({ min, max, maxLimitRequestRatio: shown }: Bounds): Fault[] {
  if (shown === undefined) return []
  const bound = 'maxLimitRequestRatio'
  const said = `ratio ${formatQuantity(shown)} is`
  const most = min && max ? Number(max.nanos) / Number(min.nanos) : Infinity
  const isAbove = Number(shown.nanos) / Number(one.nanos) > most
  return [
    ...(shown.nanos < one.nanos ? [{ bound, shown, said: `${said} less than 1` } as const] : []),
    ...(isAbove
      ? [{ bound, shown, said: `${said} greater than max/min = ${most.toFixed(6)}` } as const]
      : []),
  ]
}

/** What cannot be overcommitted is asked for as it is limited. */
function unequal(
  limit: Quantity | undefined,
  { name, request }: { readonly name: string; readonly request: Quantity | undefined },
): Fault[] {
  if (!limit || !request || limit.nanos === request.nanos) return []
  const said = `default value ${formatQuantity(limit)} must equal to defaultRequest value ${formatQuantity(request)} in ${name}`
  return [{ bound: 'defaultRequest', shown: request, said }]
}

function check(object: ApiObject): FieldError[] {
  const limits = limitsOf(object)
  const errors: FieldError[] = []
  for (const [index, limit] of limits.entries()) {
    const at = `spec.limits[${index}]`
    errors.push(...checkType(limit.type ?? '', `${at}.type`))
    if (limits.slice(0, index).some(({ type }) => type === limit.type))
      errors.push(duplicate(`${at}.type`, limit.type))
    errors.push(...checkLimit(limit, at))
  }
  return errors
}

export const limitRangeRules: KindRules = {
  strategy: { setDefaults, validateCreate: check, validateUpdate: check, createOnUpdate: true },
  columns: [createdAt],
  selectableFields: {},
  hasGeneration: false,
}

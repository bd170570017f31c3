import { parseQuantity } from '../../../core/quantity.ts'
import { memberOf } from '../members.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { QuotaSpec, ScopeExpression } from './resource-quota.ts'
import { changed, required, wrong } from './validate/field-errors.ts'
import { checkResourceName, isQuotaResource, isWhole } from './validate/resource-names.ts'

const specOf = ({ spec }: ApiObject): QuotaSpec => spec ?? {}
const whole = parseQuantity('1').nanos

const compute = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']
const ofPods = ['pods', ...compute]
/** What a quota with a scope may be about. */
const resourcesOfScope: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  BestEffort: ['pods'],
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

export function checkQuota(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  return [
    ...Object.entries(spec.hard ?? {}).flatMap(([name, text]) => checkHard(name, text)),
    ...checkScopes(spec),
    ...checkScopeSelector(spec),
  ]
}

function checkHard(name: string, text: string): FieldError[] {
  const at = `spec.hard[${name}]`
  const errors = checkResourceName(name, at)
  if (!name.includes('/') && !isQuotaResource(name))
    errors.push(wrong(at, name, 'must be a standard resource for quota'))
  const { nanos } = parseQuantity(text)
  if (nanos < 0n) errors.push(wrong(at, text, 'must be greater than or equal to 0'))
  if (isWhole(name) && nanos % whole !== 0n) errors.push(wrong(at, text, 'must be an integer'))
  return errors
}

const misfits = (hard: object, scope: string): string[] =>
  Object.keys(hard)
    .toSorted()
    .filter(
      (name) =>
        isQuotaResource(name) && memberOf(resourcesOfScope, scope)?.includes(name) === false,
    )

const conflicts = (scopes: readonly string[]): boolean =>
  opposites.some((pair) => pair.every((scope) => scopes.includes(scope)))

function checkScopes({ hard = {}, scopes = [] }: QuotaSpec): FieldError[] {
  const say = (said: string) => wrong('spec.scopes', scopes, said)
  return [
    ...scopes.flatMap((scope) => [
      ...(Object.hasOwn(resourcesOfScope, scope) ? [] : [say('unsupported scope')]),
      ...misfits(hard, scope).map(() => say('unsupported scope applied to resource')),
    ]),
    ...(conflicts(scopes) ? [say('conflicting scopes')] : []),
  ]
}

const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function checkScopeSelector({ hard = {}, scopes, scopeSelector }: QuotaSpec): FieldError[] {
  const at = 'spec.scopeSelector.matchExpressions'
  const expressions = scopeSelector?.matchExpressions ?? []
  const names = expressions.map(({ scopeName }) => scopeName)
  const shown = {
    MatchExpressions: expressions.map(({ scopeName, operator, values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  }
  const errors: FieldError[] = []
  for (const expression of expressions) {
    const { scopeName } = expression
    if (!Object.hasOwn(resourcesOfScope, scopeName))
      errors.push(wrong(`${at}.scopeName`, scopeName, 'unsupported scope'))
    for (const _ of misfits(hard, scopeName))
      errors.push(wrong(at, shown, 'unsupported scope applied to resource'))
    errors.push(...checkExpression(expression, at))
  }
  if (conflicts(names)) errors.push(wrong(at, scopes ?? null, 'conflicting scopes'))
  return errors
}

function checkExpression(expression: ScopeExpression, at: string): FieldError[] {
  const { scopeName, operator, values = [] } = expression
  const isChoice = scopeName === 'PriorityClass' || scopeName === 'VolumeAttributesClass'
  const errors: FieldError[] = []
  if (Object.hasOwn(resourcesOfScope, scopeName) && !isChoice && operator !== 'Exists')
    errors.push(wrong(`${at}.operator`, operator, mustExist))
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        required(
          `${at}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      )
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      errors.push(
        wrong(
          `${at}.values`,
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        ),
      )
  } else errors.push(wrong(`${at}.operator`, operator, 'not a valid selector operator'))
  return errors
}

export const checkQuotaUpdate = (next: ApiObject, old: ApiObject): FieldError[] => [
  ...checkQuota(next),
  ...changed('spec.scopes', {
    next: specOf(next).scopes?.toSorted(),
    old: specOf(old).scopes?.toSorted(),
  }),
]

/** Where a pod may run: node selectors, affinity, tolerations, spreading, gates. */
import type { LabelSelector } from '../../../label-selector.ts'
import type { FieldError } from '../../refusal.ts'
import {
  all,
  duplicate,
  forbiddenField,
  required,
  unsupported,
  wrong,
} from '../validate/field-errors.ts'
import { checkSelector } from '../validate/labels.ts'
import {
  checkDnsLabel,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
} from '../validate/names.ts'
import { oneOf } from './complaints.ts'
import type {
  Affinity,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  Requirement,
  Toleration,
  TopologySpreadConstraint,
} from './types.ts'

const mustMatch = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

export function checkAffinity(affinity: Affinity | undefined, field: string): FieldError[] {
  const { nodeAffinity = {}, podAffinity = {}, podAntiAffinity = {} } = affinity ?? {}
  return [
    ...checkNodeAffinity(nodeAffinity, `${field}.nodeAffinity`),
    ...checkPodAffinity(podAffinity, `${field}.podAffinity`),
    ...checkPodAffinity(podAntiAffinity, `${field}.podAntiAffinity`),
  ]
}

function checkNodeAffinity(affinity: NodeAffinity, field: string): FieldError[] {
  const { [mustMatch]: must, [preferred]: may = [] } = affinity
  const terms = must?.nodeSelectorTerms ?? []
  const at = `${field}.${mustMatch}.nodeSelectorTerms`
  return [
    ...(must !== undefined && terms.length === 0
      ? [required(at, 'must have at least one node selector term')]
      : []),
    ...terms.flatMap((term, index) => checkTerm(term, `${at}[${index}]`, checkLabelValue)),
    ...may.flatMap((one, index) => checkPreference(one, `${field}.${preferred}[${index}]`)),
  ]
}

/** Its values may be anything: it keeps no pod from running. */
const checkPreference = (
  { weight = 0, preference = {} }: NonNullable<NodeAffinity[typeof preferred]>[number],
  field: string,
): FieldError[] => [
  ...checkWeight(weight, `${field}.weight`),
  ...checkTerm(preference, `${field}.preference`, () => []),
]

const checkWeight = (weight: number, field: string): FieldError[] =>
  weight >= 1 && weight <= 100 ? [] : [wrong(field, weight, 'must be in the range 1-100')]

const checkTerm = (
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: string,
  checkValue: (value: string) => readonly string[],
): FieldError[] => [
  ...matchExpressions.flatMap((one, index) =>
    checkExpression(one, `${field}.matchExpressions[${index}]`, checkValue),
  ),
  ...matchFields.flatMap((one, index) => checkField(one, `${field}.matchFields[${index}]`)),
]

function checkExpression(
  { key = '', operator = '', values = [] }: Requirement,
  field: string,
  checkValue: (value: string) => readonly string[],
): FieldError[] {
  return [
    ...checkOperator({ operator, count: values.length }, field),
    ...all(`${field}.key`, key, checkQualifiedName(key)),
    ...values.flatMap((value, index) => all(`${field}.values[${index}]`, value, checkValue(value))),
  ]
}

function checkOperator(
  { operator, count }: { readonly operator: string; readonly count: number },
  field: string,
): FieldError[] {
  const at = `${field}.values`
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [wrong(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}

function checkField(
  { key = '', operator = '', values = [] }: Requirement,
  field: string,
): FieldError[] {
  const isKnown = operator === 'In' || operator === 'NotIn'
  return [
    ...(isKnown ? [] : [wrong(`${field}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && values.length !== 1
      ? [
          required(
            `${field}.values`,
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ]
      : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) =>
          all(`${field}.values[${index}]`, value, checkSubdomain(value)),
        )
      : [wrong(`${field}.key`, key, 'not a valid field selector key')]),
  ]
}

const checkPodAffinity = (
  { [mustMatch]: must = [], [preferred]: may = [] }: PodAffinity,
  field: string,
): FieldError[] => [
  ...must.flatMap((term, index) => checkPodTerm(term, `${field}.${mustMatch}[${index}]`)),
  ...may.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => [
    ...checkWeight(weight, `${field}.${preferred}[${index}].weight`),
    ...checkPodTerm(podAffinityTerm, `${field}.${preferred}[${index}].podAffinityTerm`),
  ]),
]

function checkPodTerm(term: PodAffinityTerm, field: string): FieldError[] {
  const { topologyKey = '', namespaces = [], matchLabelKeys = [], mismatchLabelKeys = [] } = term
  const both = matchLabelKeys.filter((key) => mismatchLabelKeys.includes(key))
  return [
    ...checkSelector(term.labelSelector, `${field}.labelSelector`),
    ...checkSelector(term.namespaceSelector, `${field}.namespaceSelector`),
    ...namespaces.flatMap((name) => all(`${field}.namespace`, name, checkDnsLabel(name))),
    ...checkLabelKeys(matchLabelKeys, `${field}.matchLabelKeys`, term.labelSelector),
    ...checkLabelKeys(mismatchLabelKeys, `${field}.mismatchLabelKeys`, term.labelSelector),
    ...both.map((key) =>
      wrong(
        `${field}.matchLabelKeys[${matchLabelKeys.indexOf(key)}]`,
        key,
        'exists in both matchLabelKeys and mismatchLabelKeys',
      ),
    ),
    ...(topologyKey === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...all(`${field}.topologyKey`, topologyKey, checkQualifiedName(topologyKey)),
  ]
}

function checkLabelKeys(
  keys: readonly string[],
  field: string,
  selector: LabelSelector | undefined,
): FieldError[] {
  if (keys.length > 0 && selector === undefined)
    return [forbiddenField(field, 'must not be specified when labelSelector is not set')]
  return keys.flatMap((key, index) => all(`${field}[${index}]`, key, checkQualifiedName(key)))
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export const checkTolerations = (tolerations: readonly Toleration[], field: string): FieldError[] =>
  tolerations.flatMap((toleration, index) => checkToleration(toleration, `${field}[${index}]`))

function checkToleration(toleration: Toleration, field: string): FieldError[] {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration
  return [
    ...(key === '' ? [] : all(`${field}.key`, key, checkQualifiedName(key))),
    ...(key === '' && operator !== 'Exists'
      ? [
          wrong(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [
          wrong(
            `${field}.effect`,
            effect,
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...checkTolerated(toleration, `${field}.operator`),
    ...(effect === '' ? [] : oneOf(`${field}.effect`, effect, effects)),
  ]
}

function checkTolerated({ operator = '', value = '' }: Toleration, field: string): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const said = checkLabelValue(value)
      return said.length === 0 ? [] : [wrong(field, value, said.join(';'))]
    }
    case 'Exists':
      return value === ''
        ? []
        : [wrong(field, value, "value must be empty when `operator` is 'Exists'")]
    case 'Lt':
    case 'Gt':
      return [unsupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])] // an alpha feature
    default:
      return [unsupported(field, operator, ['Equal', 'Exists'])]
  }
}

export function checkGates(gates: PodSpec['schedulingGates'] = [], field: string): FieldError[] {
  const names = gates.map(({ name = '' }) => name)
  const check = (name: string, index: number): FieldError[] => {
    const again = names.indexOf(name) < index ? [duplicate(`${field}[${index}]`, name)] : []
    return [...all(`${field}[${index}]`, name, checkQualifiedName(name)), ...again]
  }
  return names.flatMap(check)
}

const positive = (value: number | undefined, field: string): FieldError[] =>
  value === undefined || value > 0 ? [] : [wrong(field, value, 'must be greater than zero')]

export const checkSpread = (
  constraints: readonly TopologySpreadConstraint[],
  field: string,
): FieldError[] =>
  constraints.flatMap((constraint, index) =>
    checkConstraint(constraint, `${field}[${index}]`, constraints.slice(index + 1)),
  )

function checkConstraint(
  constraint: TopologySpreadConstraint,
  field: string,
  later: readonly TopologySpreadConstraint[],
): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint
  const { minDomains, labelSelector } = constraint
  const isAgain = later.some(
    (one) => one.topologyKey === topologyKey && one.whenUnsatisfiable === whenUnsatisfiable,
  )
  const both = `{${topologyKey}, ${whenUnsatisfiable}}`
  const said = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
  return [
    ...positive(maxSkew, `${field}.maxSkew`),
    ...(topologyKey === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...oneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
    ...(isAgain ? [duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, both)] : []),
    ...positive(minDomains, `${field}.minDomains`),
    ...(minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule'
      ? [wrong(`${field}.minDomains`, minDomains, said)]
      : []),
    ...oneOf(`${field}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']),
    ...oneOf(`${field}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']),
    ...checkLabelKeys(constraint.matchLabelKeys ?? [], `${field}.matchLabelKeys`, labelSelector),
    ...checkSelector(labelSelector, `${field}.labelSelector`),
  ]
}

/** Roles and bindings. They are kept and checked, but not enforced: everybody may do everything. */
import type { LabelSelector } from '../../label-selector.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column, createdAt } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { all, required, unsupported, wrong } from './validate/field-errors.ts'
import { checkSelector } from './validate/labels.ts'
import { checkPathSegment, checkSubdomain } from './validate/names.ts'

const group = 'rbac.authorization.k8s.io'

type Rule = Readonly<
  Partial<
    Record<
      'verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs',
      readonly string[]
    >
  >
>
type Role = ApiObject & {
  readonly rules?: readonly Rule[] | null
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] }
}
type Subject = {
  readonly kind: string
  readonly name?: string
  readonly apiGroup?: string
  readonly namespace?: string
}
type RoleRef = { readonly apiGroup?: string; readonly kind?: string; readonly name?: string }
type Binding = ApiObject & { readonly roleRef?: RoleRef; readonly subjects?: readonly Subject[] }

const setRoleDefaults = (object: ApiObject): ApiObject => fill(object as Role, { rules: null })

function checkRule(rule: Rule, at: string, isNamespaced: boolean): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule
  const errors: FieldError[] = []
  if (verbs.length === 0)
    errors.push(required(`${at}.verbs`, 'verbs must contain at least one value'))
  const { nonResourceURLs: urls = [] } = rule
  if (urls.length > 0) {
    const field = `${at}.nonResourceURLs`
    if (isNamespaced)
      errors.push(wrong(field, urls, 'namespaced rules cannot apply to non-resource URLs'))
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      errors.push(
        wrong(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'),
      )
    return errors
  }
  if (apiGroups.length === 0)
    errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
  if (resources.length === 0)
    errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

function checkRole(object: ApiObject): FieldError[] {
  const { rules, aggregationRule, metadata } = object as Role
  const isNamespaced = metadata.namespace !== undefined
  const errors = (rules ?? []).flatMap((rule, index) =>
    checkRule(rule, `rules[${index}]`, isNamespaced),
  )
  if (aggregationRule === undefined) return errors
  const { clusterRoleSelectors: selectors = [] } = aggregationRule
  const at = 'aggregationRule.clusterRoleSelectors'
  if (selectors.length === 0)
    errors.push(
      required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil'),
    )
  return [
    ...errors,
    ...selectors.flatMap((selector, index) => checkSelector(selector, `${at}[${index}]`)),
  ]
}

function setBindingDefaults(object: ApiObject): ApiObject {
  const { roleRef = {}, subjects } = object as Binding
  return {
    ...object,
    ...(subjects && {
      subjects: subjects.map((subject) =>
        subject.kind === 'ServiceAccount' ? subject : fill(subject, { apiGroup: group }),
      ),
    }),
    roleRef: fill(roleRef, { apiGroup: group }),
  }
}

const subjectKinds = ['ServiceAccount', 'User', 'Group']

function checkSubject(subject: Subject, at: string, isNamespaced: boolean): FieldError[] {
  const { kind, name = '', apiGroup = '', namespace } = subject
  const errors = name === '' ? [required(`${at}.name`)] : []
  if (kind === 'ServiceAccount') {
    if (name !== '') errors.push(...all(`${at}.name`, name, checkSubdomain(name)))
    if (apiGroup !== '') errors.push(unsupported(`${at}.apiGroup`, apiGroup, ['']))
    if (!isNamespaced && !namespace) errors.push(required(`${at}.namespace`))
  } else if (!subjectKinds.includes(kind))
    errors.push(unsupported(`${at}.kind`, kind, subjectKinds))
  else if (apiGroup !== group) errors.push(unsupported(`${at}.apiGroup`, apiGroup, [group]))
  return errors
}

function checkBinding(object: ApiObject): FieldError[] {
  const { roleRef: { apiGroup, kind = '', name = '' } = {}, subjects, metadata } = object as Binding
  const isNamespaced = metadata.namespace !== undefined
  const errors: FieldError[] = []
  if (apiGroup !== group) errors.push(unsupported('roleRef.apiGroup', apiGroup, [group]))
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (!kinds.includes(kind)) errors.push(unsupported('roleRef.kind', kind, kinds))
  if (name === '') errors.push(required('roleRef.name'))
  else errors.push(...all('roleRef.name', name, checkPathSegment(name)))
  return [
    ...errors,
    ...(subjects ?? []).flatMap((subject, index) =>
      checkSubject(subject, `subjects[${index}]`, isNamespaced),
    ),
  ]
}

function checkBindingUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const [ref = {}, had = {}] = [(next as Binding).roleRef, (old as Binding).roleRef]
  const isSame = ref.apiGroup === had.apiGroup && ref.kind === had.kind && ref.name === had.name
  const shown = { APIGroup: ref.apiGroup, Kind: ref.kind, Name: ref.name }
  return [
    ...checkBinding(next),
    ...(isSame ? [] : [wrong('roleRef', shown, 'cannot change roleRef')]),
  ]
}

const subjectsColumn = (says: readonly [string, string], kind: string) =>
  column(
    says,
    (object) =>
      ((object as Binding).subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(({ namespace, name }) =>
          kind === 'ServiceAccount' && namespace ? `${namespace}/${name}` : (name ?? ''),
        )
        .join(', '),
    { wide: true },
  )

export const roleRules: KindRules = {
  strategy: {
    setDefaults: setRoleDefaults,
    validateCreate: checkRole,
    validateUpdate: checkRole,
    validateName: checkPathSegment,
    createOnUpdate: true,
  },
  columns: [createdAt],
  selectableFields: {},
  hasGeneration: false,
}

export const bindingRules: KindRules = {
  strategy: {
    setDefaults: setBindingDefaults,
    validateCreate: checkBinding,
    validateUpdate: checkBindingUpdate,
    validateName: checkPathSegment,
    createOnUpdate: true,
  },
  columns: [
    column(['Role', 'What it grants.'], (object) => {
      const { roleRef } = object as Binding
      return `${roleRef?.kind}/${roleRef?.name}`
    }),
    age,
    subjectsColumn(['Users', 'To which users.'], 'User'),
    subjectsColumn(['Groups', 'To which groups.'], 'Group'),
    subjectsColumn(['ServiceAccounts', 'To which service accounts.'], 'ServiceAccount'),
  ],
  selectableFields: {},
  hasGeneration: false,
}

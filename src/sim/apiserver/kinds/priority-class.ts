import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { changed, forbiddenField, unsupported } from './validate/field-errors.ts'

export type PriorityClass = ApiObject & {
  readonly value: number
  readonly globalDefault?: boolean
  readonly preemptionPolicy?: string
}

const highest = 1_000_000_000
const policies = ['PreemptLowerPriority', 'Never']

/** They come with the cluster, and only they may be above `highest`. */
export const systemClasses = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
] as const

const setDefaults = (object: ApiObject): ApiObject =>
  fill(object as PriorityClass, { value: 0, preemptionPolicy: 'PreemptLowerPriority' })

function checkSystem({ metadata: { name }, value, globalDefault }: PriorityClass): FieldError[] {
  const known = systemClasses.find((one) => one.name === name)
  const said = (why: string) =>
    `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`
  if (known === undefined)
    return [forbiddenField('metadata.name', said(`${name} is not a known system priority class`))]
  if (value !== known.value)
    return [
      forbiddenField(
        'metadata.name',
        said(`value of ${name} PriorityClass must be ${known.value}`),
      ),
    ]
  if (globalDefault === true)
    return [
      forbiddenField('metadata.name', said(`globalDefault of ${name} PriorityClass must be false`)),
    ]
  return []
}

function check(object: ApiObject): FieldError[] {
  const one = object as PriorityClass
  const errors: FieldError[] = []
  if (one.metadata.name.startsWith('system-')) errors.push(...checkSystem(one))
  else if (one.value > highest)
    errors.push(
      forbiddenField('value', `maximum allowed value of a user defined priority is ${highest}`),
    )
  const { preemptionPolicy = '' } = one
  if (!policies.includes(preemptionPolicy))
    errors.push(unsupported('preemptionPolicy', preemptionPolicy, policies))
  return errors
}

function checkUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const [one, had] = [next as PriorityClass, old as PriorityClass]
  return [
    ...(one.value === had.value
      ? []
      : [forbiddenField('value', 'may not be changed in an update.')]),
    ...changed('preemptionPolicy', { next: one.preemptionPolicy, old: had.preemptionPolicy }),
  ]
}

export const priorityClassRules: KindRules = {
  strategy: {
    setDefaults,
    validateCreate: check,
    validateUpdate: checkUpdate,
  },
  columns: [
    column(['Value', 'The priority.'], (object) => (object as PriorityClass).value, {
      type: 'integer',
    }),
    column(
      ['Global-Default', 'Whether pods that name no class get this one.'],
      (object) => (object as PriorityClass).globalDefault ?? false,
      { type: 'boolean' },
    ),
    age,
    column(
      ['PreemptionPolicy', 'Whether others may have to go for it.'],
      (object) => (object as PriorityClass).preemptionPolicy ?? '',
    ),
  ],
  selectableFields: {},
  hasGeneration: true,
}

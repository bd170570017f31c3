import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { negative, wrong } from './validate/field-errors.ts'

type Spec = {
  readonly holderIdentity?: string
  readonly leaseDurationSeconds?: number
  readonly leaseTransitions?: number
  readonly strategy?: string
  readonly preferredHolder?: string
}

/** Coordinated leader election is off, as it is by default: its two fields are dropped. */
function prepare(object: ApiObject): ApiObject {
  const given = object.spec as Spec | undefined
  if (given && given.strategy === undefined && given.preferredHolder === undefined) return object
  const { strategy: _, preferredHolder: __, ...spec } = given ?? {}
  return { ...object, spec }
}

function check({ spec }: ApiObject): FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions } = spec as Spec
  const at = 'spec.leaseDurationSeconds'
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [wrong(at, seconds, 'must be greater than 0')]
      : []),
    ...negative('spec.leaseTransitions', leaseTransitions),
  ]
}

export const leaseRules: KindRules = {
  strategy: {
    prepareCreate: prepare,
    prepareUpdate: prepare,
    validateCreate: check,
    validateUpdate: check,
    createOnUpdate: true,
  },
  columns: [
    column(['Holder', 'Who holds it.'], ({ spec }) => (spec as Spec).holderIdentity ?? ''),
    age,
  ],
  selectableFields: {},
  hasGeneration: false,
}

import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column, statusCount, templateColumns } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import {
  changedSelector,
  checkTemplated,
  fillTemplate,
  type Templated,
  warnOfWorkload,
} from './template.ts'
import { negative } from './validate/field-errors.ts'

type Spec = Templated & { readonly replicas?: number; readonly minReadySeconds?: number }
const specOf = ({ spec }: ApiObject): Spec => spec ?? {}

function setDefaults(object: ApiObject): ApiObject {
  const spec = fill(specOf(object), { replicas: 1 })
  return { ...object, spec: { ...spec, template: fillTemplate(spec.template) } }
}

function check(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  return [
    ...negative('spec.replicas', spec.replicas),
    ...negative('spec.minReadySeconds', spec.minReadySeconds),
    ...checkTemplated(spec, { kind: 'ReplicaSet', says: 'deployment' }),
  ]
}

export const replicaSetRules: KindRules = {
  strategy: {
    setDefaults,
    prepareCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validateCreate: check,
    warnOnCreate: warnOfWorkload,
    validateUpdate: (next, old) => [...check(next), ...changedSelector(specOf(next), specOf(old))],
  },
  columns: [
    column(['Desired', 'Pods wanted.'], (object) => specOf(object).replicas ?? 0, {
      type: 'integer',
    }),
    statusCount(['Current', 'Pods there.'], 'replicas'),
    statusCount(['Ready', 'Pods that are ready.'], 'readyReplicas'),
    age,
    ...templateColumns,
  ],
  selectableFields: {},
  hasGeneration: true,
}

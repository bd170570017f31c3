import type { LabelSelector } from '../../label-selector.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column, statusCount } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { unsupported, wrong } from './validate/field-errors.ts'
import { checkSelector } from './validate/labels.ts'
import { checkAtMostAll, checkIntOrPercent, type IntOrPercent } from './validate/percentages.ts'

type Spec = {
  readonly minAvailable?: IntOrPercent
  readonly maxUnavailable?: IntOrPercent
  readonly selector?: LabelSelector
  readonly unhealthyPodEvictionPolicy?: string
}
const specOf = ({ spec }: ApiObject): Spec => spec ?? {}

const prepareCreate = (object: ApiObject): ApiObject => ({
  ...object,
  spec: specOf(object),
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
})

const policies = ['AlwaysAllow', 'IfHealthyBudget']

function check(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const errors: FieldError[] = []
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    }
    errors.push(wrong('spec', shown, 'minAvailable and maxUnavailable cannot be both set'))
  }
  for (const bound of ['minAvailable', 'maxUnavailable'] as const) {
    errors.push(...checkIntOrPercent(spec[bound], `spec.${bound}`))
    errors.push(...checkAtMostAll(spec[bound], `spec.${bound}`))
  }
  errors.push(...checkSelector(selector, 'spec.selector'))
  if (policy !== undefined && !policies.includes(policy))
    errors.push(unsupported('spec.unhealthyPodEvictionPolicy', policy, policies))
  return errors
}

export const podDisruptionBudgetRules: KindRules = {
  strategy: { prepareCreate, validateCreate: check, validateUpdate: check },
  columns: [
    column(['Min Available', 'How many must stay.'], (object) =>
      String(specOf(object).minAvailable ?? 'N/A'),
    ),
    column(['Max Unavailable', 'How many may be missing.'], (object) =>
      String(specOf(object).maxUnavailable ?? 'N/A'),
    ),
    statusCount(['Allowed Disruptions', 'How many may go now.'], 'disruptionsAllowed'),
    age,
  ],
  selectableFields: {},
  hasGeneration: true,
}

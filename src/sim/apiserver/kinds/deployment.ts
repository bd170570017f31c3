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
import { forbiddenField, negative, required, unsupported, wrong } from './validate/field-errors.ts'
import {
  checkAtMostAll,
  checkIntOrPercent,
  isZero,
  type UpdateStrategy,
} from './validate/percentages.ts'

type Spec = Templated & {
  readonly replicas?: number
  readonly strategy?: UpdateStrategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
  readonly progressDeadlineSeconds?: number
}
const specOf = ({ spec }: ApiObject): Spec => spec ?? {}

const rolling = { maxUnavailable: '25%', maxSurge: '25%' }

function fillStrategy(given: UpdateStrategy = {}): UpdateStrategy {
  const strategy = fill(given, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return strategy
  return { ...strategy, rollingUpdate: fill(strategy.rollingUpdate ?? {}, rolling) }
}

function setDefaults(object: ApiObject): ApiObject {
  const spec = specOf(object)
  const filled = fill(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  })
  return {
    ...object,
    spec: {
      ...filled,
      template: fillTemplate(spec.template),
      strategy: fillStrategy(spec.strategy),
    },
  }
}

function checkStrategy({ type, rollingUpdate }: UpdateStrategy): FieldError[] {
  const at = 'spec.strategy'
  if (type === 'Recreate')
    return rollingUpdate === undefined
      ? []
      : [
          forbiddenField(
            `${at}.rollingUpdate`,
            "may not be specified when strategy `type` is 'Recreate'",
          ),
        ]
  if (type !== 'RollingUpdate') {
    const { maxUnavailable: MaxUnavailable, maxSurge: MaxSurge } = rollingUpdate ?? {}
    const shown = { Type: type, RollingUpdate: rollingUpdate ? { MaxUnavailable, MaxSurge } : null }
    return [unsupported(at, shown, ['Recreate', 'RollingUpdate'])]
  }
  if (rollingUpdate === undefined) return [required(`${at}.rollingUpdate`)]
  const { maxUnavailable, maxSurge } = rollingUpdate
  const field = `${at}.rollingUpdate.maxUnavailable`
  return [
    ...checkIntOrPercent(maxUnavailable, field),
    ...checkIntOrPercent(maxSurge, `${at}.rollingUpdate.maxSurge`),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [wrong(field, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...checkAtMostAll(maxUnavailable, field),
  ]
}

function check(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec
  const at = 'spec.progressDeadlineSeconds'
  return [
    ...negative('spec.replicas', spec.replicas),
    ...checkTemplated(spec, { kind: 'ReplicaSet', says: 'deployment' }),
    ...checkStrategy(spec.strategy ?? {}),
    ...negative('spec.minReadySeconds', spec.minReadySeconds),
    ...negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...negative(at, deadline),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [wrong(at, deadline, 'must be greater than minReadySeconds')]
      : []),
  ]
}

const countText = ({ spec, status }: ApiObject): string => {
  const { readyReplicas = 0 } = (status ?? {}) as { readonly readyReplicas?: number }
  return `${readyReplicas}/${(spec as Spec).replicas}`
}

export const deploymentRules: KindRules = {
  strategy: {
    setDefaults,
    prepareCreate: (object) => ({ ...object, status: {} }),
    validateCreate: check,
    warnOnCreate: warnOfWorkload,
    validateUpdate: (next, old) => [...check(next), ...changedSelector(specOf(next), specOf(old))],
  },
  columns: [
    column(['Ready', 'Pods that are ready, of those wanted.'], countText),
    {
      ...statusCount(['Up-to-date', 'Pods of the newest template.'], 'updatedReplicas'),
      type: 'string',
    },
    {
      ...statusCount(
        ['Available', 'Pods that have been ready for long enough.'],
        'availableReplicas',
      ),
      type: 'string',
    },
    age,
    ...templateColumns,
  ],
  selectableFields: {},
  hasGeneration: true,
}

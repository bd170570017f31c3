import { isDeepStrictEqual } from 'node:util'

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
  warnOfTemplate,
} from './template.ts'
import { negative, required, unsupported, wrong } from './validate/field-errors.ts'
import { labelsText } from './validate/labels.ts'
import {
  checkAtMostAll,
  checkIntOrPercent,
  isZero,
  type UpdateStrategy,
} from './validate/percentages.ts'

type Spec = Templated & {
  readonly updateStrategy?: UpdateStrategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
}
const specOf = ({ spec }: ApiObject): Spec => spec ?? {}

const templateGeneration = 'deprecated.daemonset.template.generation'
const generationOf = ({ metadata: { annotations } }: ApiObject): number =>
  Number(annotations?.[templateGeneration] ?? 0)

const withGeneration = (object: ApiObject, generation: number): ApiObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, [templateGeneration]: String(generation) },
  },
})

function setDefaults(object: ApiObject): ApiObject {
  const spec = fill(specOf(object), { revisionHistoryLimit: 10 })
  const strategy = fill(spec.updateStrategy ?? {}, { type: 'RollingUpdate' })
  const rollingUpdate = fill(strategy.rollingUpdate ?? {}, { maxUnavailable: 1, maxSurge: 0 })
  return {
    ...object,
    spec: {
      ...spec,
      template: fillTemplate(spec.template),
      updateStrategy: { ...strategy, ...(strategy.type === 'RollingUpdate' && { rollingUpdate }) },
    },
  }
}

const prepareCreate = (object: ApiObject): ApiObject => ({
  ...withGeneration(object, Math.max(generationOf(object), 1)),
  status: {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  },
})

function prepareUpdate(next: ApiObject, old: ApiObject): ApiObject {
  const isSame = isDeepStrictEqual(specOf(next).template, specOf(old).template)
  return withGeneration(next, generationOf(old) + (isSame ? 0 : 1))
}

function checkStrategy({ type, rollingUpdate }: UpdateStrategy): FieldError[] {
  const at = 'spec.updateStrategy'
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null }
    return [unsupported(at, shown, ['RollingUpdate', 'OnDelete'])]
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {}
  const unavailable = `${at}.rollingUpdate.maxUnavailable`
  const surge = `${at}.rollingUpdate.maxSurge`
  const errors = [
    ...checkIntOrPercent(maxUnavailable, unavailable),
    ...checkIntOrPercent(maxSurge, surge),
    ...checkAtMostAll(maxUnavailable, unavailable),
    ...checkAtMostAll(maxSurge, surge),
  ]
  if (!isZero(maxUnavailable) && !isZero(maxSurge))
    errors.push(wrong(surge, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (isZero(maxUnavailable) && isZero(maxSurge))
    errors.push(required(unavailable, 'cannot be 0 when maxSurge is 0'))
  return errors
}

function check(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  return [
    ...checkTemplated(spec, { kind: 'DaemonSet', says: 'daemonset' }),
    ...negative('spec.minReadySeconds', spec.minReadySeconds),
    ...checkStrategy(spec.updateStrategy ?? {}),
    ...negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}

export const daemonSetRules: KindRules = {
  strategy: {
    setDefaults,
    prepareCreate,
    prepareUpdate,
    validateCreate: check,
    warnOnCreate: warnOfTemplate,
    validateUpdate: (next, old) => [...changedSelector(specOf(next), specOf(old)), ...check(next)],
  },
  columns: [
    statusCount(['Desired', 'Nodes that should run a pod.'], 'desiredNumberScheduled'),
    statusCount(['Current', 'Nodes that have a pod.'], 'currentNumberScheduled'),
    statusCount(['Ready', 'Pods that are ready.'], 'numberReady'),
    statusCount(['Up-to-date', 'Pods of the newest template.'], 'updatedNumberScheduled'),
    statusCount(['Available', 'Pods that have been ready for long enough.'], 'numberAvailable'),
    column(['Node Selector', 'Labels of the nodes that it runs on.'], (object) =>
      labelsText(specOf(object).template?.spec?.nodeSelector),
    ),
    age,
    ...templateColumns,
  ],
  selectableFields: {},
  hasGeneration: true,
}

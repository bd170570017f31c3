import { isDeepStrictEqual } from 'node:util'

import { matchesLabels } from '../../label-selector.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { type JobSpec, type JobStatus, jobLabels, specOf } from './job-spec.ts'
import { changedSelector, checkTemplate, mismatch, type Template } from './template.ts'
import {
  changed,
  forbiddenField,
  negative,
  required,
  unsupported,
  wrong,
} from './validate/field-errors.ts'
import { checkSelector, shownSelector } from './validate/labels.ts'

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
] as const

/** They would be accepted and change nothing. */
const notSupported = [
  'podFailurePolicy',
  'successPolicy',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const

const modes = ['NonIndexed', 'Indexed']
const mostParallel = 100_000

export const checkJob = (object: ApiObject): FieldError[] => [
  ...checkGenerated(object),
  ...checkSpec(specOf(object)),
]

/** The labels by which pods are told to be of this job and no other. */
function checkGenerated(object: ApiObject): FieldError[] {
  const { manualSelector, selector, template } = specOf(object)
  if (manualSelector === true || selector === undefined) return []
  const expected = jobLabels(object)
  const { labels } = template?.metadata ?? {}
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    const at = 'spec.template.metadata.labels'
    if (labels?.[key] === undefined) return [required(`${at}[${key}]`, `must be '${value}'`)]
    return labels[key] === value ? [] : [wrong(`${at}[${key}]`, labels, `must be '${value}'`)]
  })
  if (!matchesLabels(selector, expected))
    errors.push(wrong('spec.selector', shownSelector(selector), '`selector` not auto-generated'))
  return errors
}

function checkSpec(spec: JobSpec): FieldError[] {
  const { selector, template = {} } = spec
  return [
    ...counts.flatMap((field) => negative(`spec.${field}`, spec[field])),
    ...checkSupport(spec),
    ...checkMode(spec),
    ...checkTemplate(template),
    ...checkRestart(template),
    ...(selector === undefined
      ? [required('spec.selector')]
      : checkSelector(selector, 'spec.selector')),
    ...(matchesLabels(selector, template.metadata?.labels)
      ? []
      : [mismatch(template.metadata?.labels)]),
  ]
}

const checkSupport = (spec: JobSpec): FieldError[] =>
  notSupported
    .filter((field) => spec[field] !== undefined)
    .map((field) => forbiddenField(`spec.${field}`, 'not supported by the embedded cluster'))

function checkMode(spec: JobSpec): FieldError[] {
  const { completionMode = '', completions, parallelism = 0 } = spec
  if (!modes.includes(completionMode))
    return [unsupported('spec.completionMode', completionMode, modes)]
  if (completionMode === 'NonIndexed') return []
  const said = `must be less than or equal to ${mostParallel} when completion mode is Indexed`
  return [
    ...(completions === undefined
      ? [required('spec.completions', 'when completion mode is Indexed')]
      : []),
    ...(parallelism > mostParallel ? [wrong('spec.parallelism', parallelism, said)] : []),
  ]
}

/** A job ends when its pods do. */
function checkRestart({ spec }: Template): FieldError[] {
  const policy = spec?.restartPolicy
  const field = 'spec.template.spec.restartPolicy'
  if (policy === undefined || policy === 'Always')
    return [required(field, 'valid values: "OnFailure", "Never"')]
  return []
}

const fixed = ['completionMode', 'managedBy'] as const

/** Indexed jobs may grow and shrink if parallelism does so too. */
function checkCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const isElastic =
    spec.completionMode === 'Indexed' &&
    spec.completions !== undefined &&
    spec.completions === spec.parallelism
  return isElastic
    ? []
    : changed('spec.completions', { next: spec.completions, old: old.completions })
}

/** Labels and where its pods may go can change until they are first made. */
function unmovable({ spec }: Template): unknown {
  const {
    nodeSelector: _,
    tolerations: __,
    schedulingGates: ___,
    affinity: ____,
    ...rest
  } = {
    ...spec,
  }
  return rest
}

function checkTemplateUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const { template = {} } = specOf(next)
  const { template: had = {}, suspend } = specOf(old)
  const { startTime } = (old.status ?? {}) as JobStatus
  const isWaiting = suspend === true && startTime === undefined
  if (isWaiting && isDeepStrictEqual(unmovable(template), unmovable(had))) return []
  return changed('spec.template', { next: template, old: had })
}

export function checkJobUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const [spec, had] = [specOf(next), specOf(old)]
  return [
    ...checkSpec(spec),
    ...checkCompletions(spec, had),
    ...changedSelector(spec, had),
    ...checkTemplateUpdate(next, old),
    ...fixed.flatMap((field) => changed(`spec.${field}`, { next: spec[field], old: had[field] })),
  ]
}

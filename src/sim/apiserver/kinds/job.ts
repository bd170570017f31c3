import type { ApiObject } from '../object.ts'
import { printAge } from '../table/age.ts'
import { checkJob, checkJobUpdate } from './check-job.ts'
import { age, column, templateColumns } from './columns.ts'
import { controllerUid, type JobSpec, jobLabels, type JobStatus, specOf } from './job-spec.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { fillTemplate, warnOfWorkload } from './template.ts'

function setDefaults(object: ApiObject): ApiObject {
  const given = specOf(object)
  const isSingle = given.completions === undefined && given.parallelism === undefined
  const spec: JobSpec = fill(given, {
    parallelism: 1,
    ...(isSingle && { completions: 1 }),
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
    manualSelector: false,
  })
  return withTemplateLabels({ ...object, spec: { ...spec, template: fillTemplate(spec.template) } })
}

/** A job without labels has those of its pods. */
function withTemplateLabels(object: ApiObject): ApiObject {
  const { metadata } = object
  const labels = specOf(object).template?.metadata?.labels
  const hasOwn = Object.keys(metadata.labels ?? {}).length > 0
  return hasOwn || labels === undefined ? object : { ...object, metadata: { ...metadata, labels } }
}

/** Pods belong to the job by its uid, unless the user takes care of that. */
function prepareCreate(object: ApiObject): ApiObject {
  const started = { ...object, status: {} }
  const spec = specOf(object)
  if (spec.manualSelector === true) return started
  const { template, selector } = spec
  const labels = { ...jobLabels(object), ...template?.metadata?.labels }
  const matchLabels = { [controllerUid]: object.metadata.uid, ...selector?.matchLabels }
  return withTemplateLabels({
    ...started,
    metadata: sharesLabels(object) ? { ...object.metadata, labels } : object.metadata,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  })
}

/** The labels were taken from the template, and follow it. */
const sharesLabels = ({ metadata, spec }: ApiObject): boolean =>
  metadata.labels !== undefined && metadata.labels === (spec as JobSpec).template?.metadata?.labels

const hasCondition = ({ conditions = [] }: JobStatus, kind: string): boolean =>
  conditions.some(({ type, status }) => type === kind && status === 'True')

const statusOf = ({ status }: ApiObject): JobStatus => status ?? {}

function statusText(object: ApiObject): string {
  const has = (kind: string) => hasCondition(statusOf(object), kind)
  const ended = ['Complete', 'Failed'].find(has)
  if (ended !== undefined) return ended
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

function completionsText(object: ApiObject): string {
  const { completions, parallelism = 0 } = specOf(object)
  const { succeeded = 0 } = statusOf(object)
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationText(object: ApiObject, { now }: { readonly now: number }): string {
  const { startTime, completionTime } = statusOf(object)
  if (startTime === undefined) return ''
  const end = completionTime === undefined ? now : Date.parse(completionTime)
  return printAge(end - Date.parse(startTime))
}

export const jobRules: KindRules = {
  strategy: {
    setDefaults,
    prepareCreate,
    validateCreate: checkJob,
    warnOnCreate: warnOfWorkload,
    validateUpdate: checkJobUpdate,
  },
  columns: [
    column(['Status', 'What has become of it.'], statusText),
    column(['Completions', 'Pods that have succeeded, of those wanted.'], completionsText),
    column(['Duration', 'How long it has run.'], durationText),
    age,
    ...templateColumns,
  ],
  selectableFields: {
    'status.successful': (object) => String(statusOf(object).succeeded ?? 0),
  },
  hasGeneration: true,
}

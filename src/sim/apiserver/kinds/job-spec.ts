import type { ApiObject } from '../object.ts'
import type { Templated } from './template.ts'

export type JobSpec = Templated & {
  readonly parallelism?: number
  readonly completions?: number
  readonly backoffLimit?: number
  readonly activeDeadlineSeconds?: number
  readonly ttlSecondsAfterFinished?: number
  readonly completionMode?: string
  readonly suspend?: boolean
  readonly manualSelector?: boolean
  readonly podReplacementPolicy?: string
  readonly podFailurePolicy?: unknown
  readonly successPolicy?: unknown
  readonly backoffLimitPerIndex?: unknown
  readonly maxFailedIndexes?: unknown
  readonly managedBy?: string
}

export type JobStatus = {
  readonly succeeded?: number
  readonly startTime?: string
  readonly completionTime?: string
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
}

export const specOf = ({ spec }: ApiObject): JobSpec => spec ?? {}

export const controllerUid = 'batch.kubernetes.io/controller-uid'

/** Twice: without a prefix for those who read them before there was one. */
export const jobLabels = ({ metadata: { uid, name } }: ApiObject) => ({
  [controllerUid]: uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
})

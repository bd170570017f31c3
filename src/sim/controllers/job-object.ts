/** The parts of a Job that its controller reads and writes, and what follows from them. */
import type { ApiObject } from '../apiserver/object.ts'
import type { Condition, PodObject, PodTemplate } from './workload.ts'

export type JobCondition = Condition & { readonly lastProbeTime?: string }

export type JobStatus = {
  readonly conditions?: readonly JobCondition[]
  readonly startTime?: string
  readonly completionTime?: string
  readonly active?: number
  readonly ready?: number
  readonly terminating?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly completedIndexes?: string
  readonly uncountedTerminatedPods?: object
}

export type Job = ApiObject<
  {
    readonly completions?: number
    readonly parallelism?: number
    readonly backoffLimit?: number
    readonly activeDeadlineSeconds?: number
    readonly suspend?: boolean
    readonly ttlSecondsAfterFinished?: number
    readonly completionMode?: string
    readonly managedBy?: string
    readonly podReplacementPolicy?: string
    readonly template: PodTemplate
  },
  JobStatus
>

/** On a pod until it is counted, so that none is missed. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
export const indexLabel = 'batch.kubernetes.io/job-completion-index'

export const isTracked = ({ metadata }: ApiObject): boolean =>
  metadata.finalizers?.includes(trackingFinalizer) === true

/** Another controller may look after it. */
export const isOurs = ({ spec }: Job): boolean =>
  (spec?.managedBy ?? 'kubernetes.io/job-controller') === 'kubernetes.io/job-controller'

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed'

export function indexOf({ metadata }: PodObject): number | undefined {
  const text = metadata.annotations?.[indexLabel]
  return text === undefined ? undefined : Number(text)
}

export const conditionOf = ({ status }: Job, type: string): JobCondition | undefined =>
  status?.conditions?.find((one) => one.type === type && one.status === 'True')

/** When it ended, in milliseconds since 1970. */
export function endOf(job: Job): number | undefined {
  const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
  return end && Date.parse(end.lastTransitionTime ?? '')
}

/** `0-2,4` as numbers. */
export const readIndexes = (text = ''): readonly number[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    })

/** Numbers as `0-2,4`; of two in a row, both. */
export function writeIndexes(indexes: Iterable<number>): string {
  const runs: [number, number][] = []
  for (const index of [...new Set(indexes)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === index - 1) run[1] = index
    else runs.push([index, index])
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : a + 1 === b ? `${a},${b}` : `${a}-${b}`)).join()
}

/** Whether and why a Job is to end; its pods go before it says so. */
import { endOf, type Job } from './job-object.ts'
import { isActive, type PodObject } from './workload.ts'

export type End = {
  /** What is said at once, and once all pods are gone. */
  readonly types: readonly ['SuccessCriteriaMet', 'Complete'] | readonly ['FailureTarget', 'Failed']
  readonly reason: string
  readonly message: string
}

export type JobCounts = { readonly succeeded: number; readonly failed: number }

const complete: End = {
  types: ['SuccessCriteriaMet', 'Complete'],
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
}
const tooManyFailures: End = {
  types: ['FailureTarget', 'Failed'],
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
}
const tooLate: End = {
  types: ['FailureTarget', 'Failed'],
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
}

export function endFor(
  job: Job,
  { pods, counts, now }: { pods: readonly PodObject[]; counts: JobCounts; now: number },
): End | undefined {
  const { completions, backoffLimit = 6, suspend = false } = job.spec ?? {}
  const decided = job.status?.conditions?.find(
    ({ type, status }) =>
      status === 'True' && (type === 'FailureTarget' || type === 'SuccessCriteriaMet'),
  )
  if (decided !== undefined) {
    return [complete, tooManyFailures, tooLate].find(({ reason }) => reason === decided.reason)
  }
  if (counts.failed > backoffLimit || hasRestartedTooOften(job, pods)) return tooManyFailures
  if (!suspend && deadlineIn(job, now) === 0) return tooLate
  const isDone =
    completions === undefined
      ? counts.succeeded > 0 && !pods.some(isActive)
      : counts.succeeded >= completions
  return isDone ? complete : undefined
}

/** With OnFailure the same pod is tried again: its restarts count. */
function hasRestartedTooOften({ spec }: Job, pods: readonly PodObject[]): boolean {
  if (spec?.template.spec['restartPolicy'] !== 'OnFailure') return false
  const { backoffLimit = 6 } = spec
  let restarts = 0
  for (const { status } of pods.filter(isActive)) {
    const { initContainerStatuses = [], containerStatuses = [] } = status ?? {}
    for (const { restartCount = 0 } of initContainerStatuses) restarts += restartCount
    for (const { restartCount = 0 } of containerStatuses) restarts += restartCount
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit
}

/** Milliseconds until it is late; undefined if it has no deadline. */
export function deadlineIn({ spec, status }: Job, now: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = spec ?? {}
  if (seconds === undefined || status?.startTime === undefined) return undefined
  return Math.max(0, Date.parse(status.startTime) + seconds * 1000 - now)
}

/** Milliseconds until what has ended goes by itself. */
export function lifeLeft(job: Job, now: number): number | undefined {
  const [ended, seconds] = [endOf(job), job.spec?.ttlSecondsAfterFinished]
  return ended === undefined || seconds === undefined ? undefined : ended + seconds * 1000 - now
}

/** What a Job tells: the numbers, and the conditions of how it goes and ends. */
import { timeOf } from '../timestamps.ts'
import type { End, JobCounts } from './job-end.ts'
import {
  conditionOf,
  isIndexed,
  type Job,
  type JobCondition,
  type JobStatus,
  writeIndexes,
} from './job-object.ts'
import { isActive, isReady, isTerminating, type PodObject } from './workload.ts'

export type JobSeen = JobCounts & {
  readonly pods: readonly PodObject[]
  /** Indexes that succeeded. */
  readonly done: ReadonlySet<number>
  readonly end: End | undefined
}

/** `news` are the conditions that came with it. */
export function jobStatus(
  job: Job,
  { pods, done, succeeded, failed, end, now }: JobSeen & { readonly now: number },
): { readonly status: JobStatus; readonly news: readonly JobCondition[] } {
  const active = pods.filter(isActive)
  const terminating = pods.filter(isTerminating).length
  const news = newConditions(job, { end, isEmpty: active.length + terminating === 0, now })
  const isOver = news.some(({ type }) => type === 'Complete')
  const changed = new Set(news.map(({ type }) => type))
  const kept = (job.status?.conditions ?? []).filter(({ type }) => !changed.has(type))
  const conditions = [...kept, ...news]
  const startTime = startOf(job, { news, now })
  const completedIndexes = isIndexed(job) ? writeIndexes(done) : ''
  return {
    news,
    status: {
      ...(conditions.length > 0 && { conditions }),
      ...(startTime !== undefined && { startTime }),
      ...(isOver && { completionTime: timeOf(now) }),
      ...(active.length > 0 && { active: active.length }),
      ...(succeeded > 0 && { succeeded }),
      ...(failed > 0 && { failed }),
      ...(completedIndexes !== '' && { completedIndexes }),
      ready: active.filter(isReady).length,
      terminating,
      uncountedTerminatedPods: {},
    },
  }
}

function newConditions(
  job: Job,
  { end, isEmpty, now }: { end: End | undefined; isEmpty: boolean; now: number },
): readonly JobCondition[] {
  const time = { lastProbeTime: timeOf(now), lastTransitionTime: timeOf(now) }
  const isSuspended = conditionOf(job, 'Suspended') !== undefined
  const { suspend = false } = job.spec ?? {}
  if (end === undefined && suspend !== isSuspended) {
    const [status, reason, message] = suspend
      ? (['True', 'JobSuspended', 'Job suspended'] as const)
      : (['False', 'JobResumed', 'Job resumed'] as const)
    return [{ type: 'Suspended', status, reason, message, ...time }]
  }
  if (end === undefined) return []
  const { types, reason, message } = end
  const [target, last] = types
  const say = (type: string): JobCondition => ({ type, status: 'True', reason, message, ...time })
  return [...(conditionOf(job, target) ? [] : [target]), ...(isEmpty ? [last] : [])].map(say)
}

/** The time for which it is suspended does not count. */
function startOf(
  { spec, status }: Job,
  { news, now }: { readonly news: readonly JobCondition[]; readonly now: number },
): string | undefined {
  if (spec?.suspend === true) return undefined
  const isResumed = news.some(({ reason }) => reason === 'JobResumed')
  return isResumed ? timeOf(now) : (status?.startTime ?? timeOf(now))
}

/** Runs pods until as many as a Job asks for have succeeded, or too many have failed. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { RecordEvent } from '../record-event.ts'
import { jobs, pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { createBackoff } from './backoff.ts'
import type { Children } from './children.ts'
import { claim } from './claim.ts'
import { inDeletionOrder } from './deletion-order.ts'
import { follow } from './follow.ts'
import { deadlineIn, endFor, lifeLeft } from './job-end.ts'
import {
  endOf,
  indexOf,
  isOurs,
  isTracked,
  type Job,
  type JobCondition,
  readIndexes,
  trackingFinalizer,
} from './job-object.ts'
import { indexesToStart, jobPod, missingPods, pauseAfterFailures } from './job-pods.ts'
import { type JobSeen, jobStatus } from './job-status.ts'
import { createPod, removePod } from './own-pods.ts'
import { controllerOf, isActive, isEnded, manager, type PodObject } from './workload.ts'

export function runJobs(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
  readonly podsOf: Children<PodObject>
}): void {
  const { api, agenda, record, podsOf } = at
  const backoff = createBackoff()

  const look = (job: Job): number | undefined => {
    if (endOf(job) !== undefined) return expire(job)
    if (!isOurs(job)) return undefined
    const now = agenda.wall()
    const own = claim(api, { of: pods, owner: job, children: podsOf })
    const seen = count(job, own)
    const end = endFor(job, { pods: own, counts: seen, now })
    const { suspend = false } = job.spec ?? {}
    const isStopped = end !== undefined || suspend
    if (isStopped) {
      for (const pod of own.filter(isActive)) {
        if (end === undefined) untrack(pod)
        removePod(at, { owner: job, pod })
      }
    }
    const isGoing = job.metadata.deletionTimestamp !== undefined
    const wait = isStopped || isGoing ? undefined : settle(job, seen)
    tell(job, { ...seen, end })
    if (isStopped) return undefined
    const { activeDeadlineSeconds = Infinity } = job.spec ?? {}
    const next = Math.min(wait ?? Infinity, deadlineIn(job, now) ?? activeDeadlineSeconds * 1000)
    return next === Infinity ? undefined : next
  }

  /** Every pod that has ended is counted once: then it loses the finalizer that kept it. */
  const count = (job: Job, own: readonly PodObject[]): Omit<JobSeen, 'end'> => {
    const waitsForEnd = job.spec?.podReplacementPolicy === 'Failed'
    const ended = own.filter(
      (pod) =>
        isTracked(pod) &&
        (isEnded(pod) || (!waitsForEnd && pod.metadata.deletionTimestamp !== undefined)),
    )
    const good = ended.filter(({ status }) => status?.phase === 'Succeeded')
    for (const pod of ended) untrack(pod)
    const { succeeded = 0, failed = 0, completedIndexes } = job.status ?? {}
    const done = new Set([
      ...readIndexes(completedIndexes),
      ...good.flatMap((pod) => indexOf(pod) ?? []),
    ])
    return {
      pods: own,
      done,
      succeeded: done.size > 0 ? done.size : succeeded + good.length,
      failed: failed + ended.length - good.length,
    }
  }

  const untrack = (pod: PodObject) =>
    rewrite(api, { of: pods, object: pod, by: { manager } }, (current) => {
      const { finalizers = [] } = current.metadata
      const left = finalizers.filter((one) => one !== trackingFinalizer)
      return { ...current, metadata: { ...current.metadata, finalizers: left } }
    })

  /** Returns after how long to try again. */
  const settle = (job: Job, seen: Omit<JobSeen, 'end'>): number | undefined => {
    const missing = missingPods(job, seen)
    if (missing < 0) {
      const active = seen.pods.filter(isActive)
      const ordered = inDeletionOrder(active, { related: active, now: agenda.wall() })
      for (const pod of ordered.slice(0, -missing)) {
        untrack(pod)
        removePod(at, { owner: job, pod })
      }
    }
    if (missing <= 0) return undefined
    const pause = pauseAfterFailures(seen.pods, agenda.wall())
    if (pause > 0) return pause
    try {
      for (const index of indexesToStart(job, { ...seen, count: missing })) {
        createPod(at, { owner: job, pod: jobPod(job, index) })
      }
      backoff.forget(job.metadata.uid)
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return backoff.next(job.metadata.uid)
    }
  }

  const expire = (job: Job): number | undefined => {
    const left = lifeLeft(job, agenda.wall())
    if (left === undefined || job.metadata.deletionTimestamp !== undefined) return undefined
    if (left > 0) return left
    api.remove(jobs, placeOf(job), { propagation: 'Foreground' })
    return undefined
  }

  const tell = (job: Job, seen: JobSeen) => {
    const current = seen.pods.flatMap(
      (pod) => (api.find(pods, placeOf(pod)) as PodObject | undefined) ?? [],
    )
    const { status, news } = jobStatus(job, { ...seen, pods: current, now: agenda.wall() })
    const by = { manager, subresource: 'status' } as const
    rewrite(api, { of: jobs, object: job, by }, (stored) => ({ ...stored, status }))
    for (const condition of news) announce(job, condition)
  }

  const announce = (job: Job, { type, status, reason = '', message = '' }: JobCondition) => {
    if (type === 'Suspended') {
      record({ about: job, reason: status === 'True' ? 'Suspended' : 'Resumed', message })
    } else if (type === 'Complete') {
      record({ about: job, reason: 'Completed', message: 'Job completed' })
    } else if (type === 'Failed') {
      record({ about: job, type: 'Warning', reason, message })
    } else return
    // What has ended may have a time to live.
    wake(job.metadata.uid)
  }

  const { wake } = follow({
    api,
    agenda,
    of: jobs,
    look,
    children: podsOf,
    forget: backoff.forget,
  })
  podsOf.onChange(({ type, object }) => {
    const owner = controllerOf(object)
    if (type === 'DELETED' || owner?.kind !== 'Job' || !isTracked(object)) return
    const { namespace } = object.metadata
    const job = api.find(jobs, { namespace, name: owner.name })
    // Nobody counts it any more.
    if (job?.metadata.uid !== owner.uid) untrack(object as PodObject)
  })
  api.subscribe(jobs, ({ type, object }) => {
    if (type !== 'DELETED') return
    for (const pod of podsOf.of(object.metadata.uid)) if (isTracked(pod)) untrack(pod)
  })
}

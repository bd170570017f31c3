/** The pods of a Job: how they are made, how many are missing, and how long to wait after failures. */
import { jobLabels } from '../apiserver/kinds/job-spec.ts'
import type { Json, JsonObject } from '../apiserver/object.ts'
import { indexLabel, indexOf, isIndexed, type Job, trackingFinalizer } from './job-object.ts'
import { podFrom } from './pod-from-template.ts'
import { isActive, isEnded, isTerminating, type PodObject } from './workload.ts'

/** After a failure: 10 s, doubled for every further one, ten minutes at most. */
const firstPause = 10_000
const longestPause = 600_000
/** In one look. */
const mostAtOnce = 500

export function jobPod(job: Job, index: number | undefined): JsonObject {
  const pod = podFrom(job, { labels: jobLabels(job) }) as JsonObject & {
    readonly metadata: JsonObject
    readonly spec: JsonObject
  }
  const finalizers = [trackingFinalizer]
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } }
  const { name } = job.metadata
  const mark = { [indexLabel]: String(index) }
  const metadata = {
    ...pod.metadata,
    generateName: `${name}-${index}-`,
    labels: { ...(pod.metadata['labels'] as JsonObject), ...mark },
    annotations: { ...(pod.metadata['annotations'] as JsonObject | undefined), ...mark },
    finalizers,
  }
  const fieldPath = `metadata.labels['${indexLabel}']`
  const env = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath } } }
  const addEnv = (one: JsonObject): JsonObject => {
    const { env: own = [] } = one as { readonly env?: readonly Json[] }
    return { ...one, env: [...own, env] }
  }
  const withIndex = (containers: Json | undefined): readonly JsonObject[] =>
    ((containers ?? []) as readonly JsonObject[]).map(addEnv)
  const { containers, initContainers } = pod.spec
  const spec = {
    ...pod.spec,
    hostname: `${name}-${index}`,
    containers: withIndex(containers),
    ...(initContainers && { initContainers: withIndex(initContainers) }),
  }
  return { ...pod, metadata, spec }
}

/** How many more pods should run; negative if there are too many. */
export function missingPods(
  { spec, status }: Job,
  { pods, succeeded }: { readonly pods: readonly PodObject[]; readonly succeeded: number },
): number {
  const { parallelism = 1, completions, podReplacementPolicy } = spec ?? {}
  const active = pods.filter(isActive).length
  const going = podReplacementPolicy === 'Failed' ? pods.filter(isTerminating).length : 0
  if (status?.conditions?.some(({ type }) => type === 'FailureTarget')) return 0
  const wanted =
    completions === undefined
      ? succeeded > 0
        ? active
        : parallelism
      : Math.min(completions - succeeded, parallelism)
  const missing = wanted - active
  return missing > 0 ? Math.min(Math.max(0, missing - going), mostAtOnce) : missing
}

/** The first ones that neither succeeded nor run. */
export function indexesToStart(
  job: Job,
  at: {
    readonly pods: readonly PodObject[]
    readonly done: ReadonlySet<number>
    readonly count: number
  },
): readonly (number | undefined)[] {
  const { pods, done, count } = at
  if (!isIndexed(job)) return Array.from({ length: count }, () => undefined)
  const running = new Set(pods.filter(isActive).map(indexOf))
  const free: number[] = []
  for (let i = 0; i < (job.spec?.completions ?? 0) && free.length < count; i += 1) {
    if (!done.has(i) && !running.has(i)) free.push(i)
  }
  return free
}

/** Milliseconds until the next pod may be tried: of failures in a row since the last success. */
export function pauseAfterFailures(pods: readonly PodObject[], now: number): number {
  const ended = pods
    .filter(isEnded)
    .map((pod) => ({ failed: pod.status?.phase === 'Failed', at: endedAt(pod) }))
    .toSorted((a, b) => b.at - a.at)
  const success = ended.findIndex(({ failed }) => !failed)
  const failures = success < 0 ? ended : ended.slice(0, success)
  const [last] = failures
  if (last === undefined) return 0
  const pause = Math.min(firstPause * 2 ** (failures.length - 1), longestPause)
  return Math.max(0, last.at + pause - now)
}

function endedAt({ metadata, status }: PodObject): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) =>
    Date.parse(state?.terminated?.finishedAt ?? ''),
  )
  const last = Math.max(...times.filter((time) => !Number.isNaN(time)))
  return Number.isFinite(last) ? last : Date.parse(metadata.creationTimestamp)
}

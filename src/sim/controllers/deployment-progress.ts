/** How a rollout goes: the conditions `Progressing` and `ReplicaFailure`. */
import { timeOf } from '../timestamps.ts'
import { withCondition, withoutCondition } from './conditions.ts'
import {
  deadlineOf,
  type Deployment,
  type DeploymentStatus,
  progressOf,
  replicasOf,
} from './deployment-object.ts'
import { type Counted, statusOf } from './deployment-status.ts'
import type { Condition } from './workload.ts'

const complete = 'NewReplicaSetAvailable'
const late = 'ProgressDeadlineExceeded'
const paused = 'DeploymentPaused'

export function rolloutStatusOf(deployment: Deployment, counted: Counted): DeploymentStatus {
  const status = statusOf(deployment, counted)
  const conditions = withFailure(progressed(deployment, status, counted), counted)
  return { ...status, conditions }
}

function progressed(
  deployment: Deployment,
  status: DeploymentStatus,
  { fresh, now }: Counted,
): readonly Condition[] {
  const { conditions = [], replicas = 0, updatedReplicas = 0 } = status
  if (deadlineOf(deployment) === undefined) return withoutCondition(conditions, 'Progressing')
  const known = progressOf(deployment)
  // Pods that come and go after the rollout are not its progress.
  if (replicas === updatedReplicas && known?.reason === complete) return conditions
  const subject = fresh
    ? `ReplicaSet "${fresh.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`
  const note = (next: Pick<Condition, 'status' | 'reason' | 'message'>) =>
    withProgress(conditions, next, now)
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`
    return note({ status: 'True', reason: complete, message })
  }
  if (hasMoved(deployment.status ?? {}, status)) {
    const { lastTransitionTime = timeOf(now) } = known?.status === 'True' ? known : {}
    const moved: Condition = {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: `${subject} is progressing.`,
      lastTransitionTime,
      // Also after progress of the same kind: the deadline counts from here.
      lastUpdateTime: timeOf(now),
    }
    return [...withoutCondition(conditions, 'Progressing'), moved]
  }
  if (!isLate(deployment, now)) return conditions
  return note({ status: 'False', reason: late, message: `${subject} has timed out progressing.` })
}

export function withProgress(
  conditions: readonly Condition[] | undefined,
  next: Pick<Condition, 'status' | 'reason' | 'message'>,
  now: number,
): readonly Condition[] {
  const options = { now: timeOf(now), tellsUpdates: true }
  return withCondition(conditions, { type: 'Progressing', ...next }, options)
}

/** The time for which it is paused does not count against its deadline. */
export function withPause(deployment: Deployment, now: number): Deployment {
  const { spec, status } = deployment
  const known = progressOf(deployment)?.reason
  if (deadlineOf(deployment) === undefined || known === late) return deployment
  const isPaused = spec?.paused === true
  if (isPaused === (known === paused)) return deployment
  const next = isPaused
    ? { reason: paused, message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' }
  const conditions = withProgress(status?.conditions, { status: 'Unknown', ...next }, now)
  return { ...deployment, status: { ...status, conditions } }
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = replicasOf(deployment)
  const {
    updatedReplicas = 0,
    replicas = 0,
    availableReplicas = 0,
    observedGeneration = 0,
  } = status
  const isCurrent = observedGeneration >= (deployment.metadata.generation ?? 0)
  return isCurrent && [updatedReplicas, replicas, availableReplicas].every((n) => n === wanted)
}

function hasMoved(old: DeploymentStatus, next: DeploymentStatus): boolean {
  const outdated = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) =>
    replicas - updatedReplicas
  return (
    (next.updatedReplicas ?? 0) > (old.updatedReplicas ?? 0) ||
    outdated(next) < outdated(old) ||
    (next.readyReplicas ?? 0) > (old.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (old.availableReplicas ?? 0)
  )
}

function isLate(deployment: Deployment, now: number): boolean {
  const { reason } = progressOf(deployment) ?? {}
  if (reason === late) return true
  return reason !== complete && (deadlineIn(deployment, now) ?? Infinity) < 0
}

/** Milliseconds until it is late, if nothing moves. */
function deadlineIn(deployment: Deployment, now: number): number | undefined {
  const seconds = deadlineOf(deployment)
  const { lastUpdateTime } = progressOf(deployment) ?? {}
  if (seconds === undefined || lastUpdateTime === undefined) return undefined
  return Date.parse(lastUpdateTime) + seconds * 1000 - now
}

/** When to look again for the deadline; a second later, because times are whole seconds. */
export function checkIn(deployment: Deployment, now: number): number | undefined {
  const isOver = isComplete(deployment, deployment.status ?? {})
  const left = deadlineIn(deployment, now)
  if (isOver || left === undefined || progressOf(deployment)?.reason === late) return undefined
  return Math.max(0, left) + 1000
}

/** Of the fresh set rather than of an old one. */
function withFailure(
  conditions: readonly Condition[],
  { fresh, sets }: Counted,
): readonly Condition[] {
  const failures = [...(fresh ? [fresh] : []), ...sets].flatMap(
    ({ status }) => status?.conditions?.filter(({ type }) => type === 'ReplicaFailure') ?? [],
  )
  const [failure] = failures
  const rest = withoutCondition(conditions, 'ReplicaFailure')
  if (failure === undefined) return rest
  const known = conditions.find(({ type }) => type === 'ReplicaFailure')
  if (known?.status === failure.status && known.reason === failure.reason) return conditions
  const { lastTransitionTime } = failure
  return [
    ...rest,
    { ...failure, ...(lastTransitionTime && { lastUpdateTime: lastTransitionTime }) },
  ]
}

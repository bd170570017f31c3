/** Keeps as many pods as a ReplicaSet asks for. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { RecordEvent } from '../record-event.ts'
import { pods, replicaSets } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { createBackoff } from './backoff.ts'
import type { Children } from './children.ts'
import { claim } from './claim.ts'
import { inDeletionOrder } from './deletion-order.ts'
import { follow } from './follow.ts'
import { createPod, removePod } from './own-pods.ts'
import { podFrom } from './pod-from-template.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { replicaSetStatus } from './replica-set-status.ts'
import { availableIn, controllerOf, isActive, manager, type PodObject } from './workload.ts'

/** In one look, as the real controller's burst. */
const mostAtOnce = 500

export function runReplicaSets(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
  readonly podsOf: Children<PodObject>
  readonly setsOf: Children<ReplicaSet>
}): void {
  const { api, agenda, podsOf, setsOf } = at
  const backoff = createBackoff()

  const look = (set: ReplicaSet): number | undefined => {
    const { uid, deletionTimestamp } = set.metadata
    const own = claim(api, { of: pods, owner: set, children: podsOf, mayTake: isActive })
    const active = own.filter(isActive)
    const failure = deletionTimestamp === undefined ? settle(set, active) : undefined
    tell(set, own, failure)
    if (failure !== undefined) return backoff.next(uid)
    backoff.forget(uid)
    return nextAvailable(set, active)
  }

  /** Returns what kept it from creating or deleting. */
  const settle = (set: ReplicaSet, active: readonly PodObject[]): Refusal | undefined => {
    const missing = (set.spec?.replicas ?? 1) - active.length
    try {
      if (missing > 0) grow(set, Math.min(missing, mostAtOnce))
      else if (missing < 0) shrink(set, active, Math.min(-missing, mostAtOnce))
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error
    }
  }

  const grow = (set: ReplicaSet, count: number) => {
    for (let i = 0; i < count; i += 1) createPod(at, { owner: set, pod: podFrom(set) })
  }

  const shrink = (set: ReplicaSet, active: readonly PodObject[], count: number) => {
    const ordered = inDeletionOrder(active, { related: relatedTo(set), now: agenda.wall() })
    for (const pod of ordered.slice(0, count)) removePod(at, { owner: set, pod })
  }

  /** Pods of all the sets of its Deployment: they count as neighbours too. */
  const relatedTo = (set: ReplicaSet): readonly PodObject[] => {
    const owner = controllerOf(set)
    const sets = owner === undefined ? [set] : setsOf.of(owner.uid)
    return sets.flatMap(({ metadata }) => podsOf.of(metadata.uid)).filter(isActive)
  }

  const tell = (set: ReplicaSet, own: readonly PodObject[], failure: Refusal | undefined) => {
    const by = { manager, subresource: 'status' } as const
    rewrite(api, { of: replicaSets, object: set, by }, (current) => ({
      ...current,
      status: replicaSetStatus(current, { pods: own, failure, now: agenda.wall() }),
    }))
  }

  const nextAvailable = ({ spec }: ReplicaSet, active: readonly PodObject[]) => {
    const { minReadySeconds = 0 } = spec ?? {}
    if (minReadySeconds === 0) return undefined
    const waits = active.map((pod) => availableIn(pod, { minReadySeconds, now: agenda.wall() }))
    const next = Math.min(...waits.filter((wait) => wait !== undefined && wait > 0).map(Number))
    return next === Infinity ? undefined : next
  }

  follow({
    api,
    agenda,
    of: replicaSets,
    look,
    children: podsOf,
    forget: backoff.forget,
  })
}

/** Brings the pods of a Deployment to its template, through ReplicaSets. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { RecordEvent } from '../record-event.ts'
import { deployments, replicaSets } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { createBackoff } from './backoff.ts'
import type { Children } from './children.ts'
import { claim } from './claim.ts'
import {
  type Deployment,
  type DeploymentStatus,
  isRecreating,
  replicasOf,
  revisionOf,
} from './deployment-object.ts'
import {
  checkIn,
  isComplete,
  rolloutStatusOf,
  withPause,
  withProgress,
} from './deployment-progress.ts'
import { forgetOld, markNewest, markRevision, newSetOf, resizeSet } from './deployment-sets.ts'
import {
  allOf,
  firstSize,
  isScaled,
  rolloutSizes,
  scaledSizes,
  type Sets,
  type Sizes,
  sortOut,
} from './deployment-sizes.ts'
import { statusOf } from './deployment-status.ts'
import { follow } from './follow.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { controllerOf, isEnded, manager, type PodObject } from './workload.ts'

export function runDeployments(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
  readonly setsOf: Children<ReplicaSet>
  readonly podsOf: Children<PodObject>
}): void {
  const { api, agenda, record, setsOf, podsOf } = at
  const backoff = createBackoff()

  const look = (stored: Deployment): number | undefined => {
    const now = agenda.wall()
    const sets = sortOut(stored, claim(api, { of: replicaSets, owner: stored, children: setsOf }))
    if (stored.metadata.deletionTimestamp !== undefined) {
      tell(stored, statusOf(stored, counted(sets)))
      return undefined
    }
    const deployment = withPause(stored, now)
    const isPaused = deployment.spec?.paused === true
    if (isPaused || isScaled(deployment, sets)) {
      const marked = mark(deployment, sets)
      resize(deployment, scaledSizes(deployment, marked))
      if (isPaused) forgetOld(api, deployment, marked.old)
      tell(deployment, statusOf(deployment, counted(marked)))
      return undefined
    }
    return isRecreating(deployment) ? recreate(deployment, sets) : roll(deployment, sets)
  }

  const roll = (deployment: Deployment, sets: Sets): number | undefined => {
    const marked = mark(deployment, sets)
    if (marked.fresh === undefined) return create(deployment, marked)
    resize(deployment, rolloutSizes(deployment, marked))
    return conclude(deployment, marked)
  }

  /** All the old pods go before the first new one comes. */
  const recreate = (deployment: Deployment, sets: Sets): number | undefined => {
    const marked = mark(deployment, sets)
    const { fresh, old } = marked
    const running = old.filter((set) => replicasOf(set) > 0)
    resize(
      deployment,
      running.map((set) => [set, 0]),
    )
    const hasOldPods = old.some(
      ({ metadata, status }) =>
        (status?.replicas ?? 0) > 0 || podsOf.of(metadata.uid).some((pod) => !isEnded(pod)),
    )
    if (running.length > 0 || hasOldPods) return conclude(deployment, marked)
    if (fresh === undefined) return create(deployment, marked)
    if (replicasOf(fresh) !== replicasOf(deployment)) {
      resize(deployment, [[fresh, replicasOf(deployment)]])
    }
    return conclude(deployment, marked)
  }

  const conclude = (deployment: Deployment, sets: Sets): number | undefined => {
    const now = agenda.wall()
    if (isComplete(deployment, deployment.status ?? {})) forgetOld(api, deployment, sets.old)
    const status = rolloutStatusOf(deployment, counted(sets))
    tell(deployment, status)
    return checkIn({ ...deployment, status }, now)
  }

  const create = (deployment: Deployment, { old }: Sets): number | undefined => {
    const now = agenda.wall()
    const replicas = firstSize(deployment, old)
    const made = newSetOf(deployment, { revision: newRevision(old), replicas })
    const { name } = made.metadata
    const note = (next: Parameters<typeof withProgress>[1]): Deployment => {
      const conditions = withProgress(deployment.status?.conditions, next, now)
      return { ...deployment, status: { ...deployment.status, conditions } }
    }
    try {
      const fresh = api.create(replicaSets, made, { manager }) as ReplicaSet
      if (replicas > 0) {
        const message = `Scaled up replica set ${name} from 0 to ${replicas}`
        record({ about: deployment, reason: 'ScalingReplicaSet', message })
      }
      backoff.forget(deployment.metadata.uid)
      markRevision(api, deployment, newRevision(old))
      const message = `Created new replica set "${name}"`
      const noted = note({ status: 'True', reason: 'NewReplicaSetCreated', message })
      return conclude(noted, { fresh, old })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.reason === 'AlreadyExists') return collide(deployment)
      const reason = 'ReplicaSetCreateError'
      const message = `Failed to create new replica set "${name}": ${error.message}`
      record({ about: deployment, type: 'Warning', reason, message })
      tell(deployment, note({ status: 'False', reason, message }).status ?? {})
      return backoff.next(deployment.metadata.uid)
    }
  }

  /** Another template has the same hash: the next try has another. */
  const collide = (deployment: Deployment): number => {
    const { collisionCount = 0 } = deployment.status ?? {}
    tell(deployment, { ...deployment.status, collisionCount: collisionCount + 1 })
    return 0
  }

  const mark = (deployment: Deployment, { fresh, old }: Sets): Sets => ({
    fresh: fresh && markNewest(api, { deployment, fresh, revision: newRevision(old) }),
    old,
  })

  const resize = (deployment: Deployment, sizes: Sizes) => {
    for (const [set, replicas] of sizes) resizeSet(at, { deployment, set, replicas })
  }

  /** As they are after what was just written. */
  const counted = ({ fresh, old }: Sets) => {
    const current = (set: ReplicaSet) =>
      (api.find(replicaSets, placeOf(set)) as ReplicaSet | undefined) ?? set
    const sets = { fresh: fresh && current(fresh), old: old.map(current) }
    return { fresh: sets.fresh, sets: allOf(sets), now: agenda.wall() }
  }

  const tell = (deployment: Deployment, status: DeploymentStatus) => {
    const by = { manager, subresource: 'status' } as const
    rewrite(api, { of: deployments, object: deployment, by }, (stored) => ({ ...stored, status }))
  }

  const { wake } = follow({
    api,
    agenda,
    of: deployments,
    look,
    children: setsOf,
    forget: backoff.forget,
  })
  podsOf.onChange(({ type, object }) => {
    if (type !== 'DELETED') return
    // Recreate waits for the last old pod.
    const { name = '' } = controllerOf(object) ?? {}
    const set = api.find(replicaSets, { namespace: object.metadata.namespace, name })
    const owner = set && controllerOf(set)
    if (owner !== undefined) wake(owner.uid)
  })
}

const newRevision = (old: readonly ReplicaSet[]): number => Math.max(0, ...old.map(revisionOf)) + 1

/** Which sets a Deployment has, and how large they should be next. */
import {
  boundsOf,
  byAge,
  countIn,
  type Deployment,
  desiredAnnotation,
  isRecreating,
  maxAnnotation,
  replicasOf,
} from './deployment-object.ts'
import { shareOut } from './proportions.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { nextSizes } from './rollout.ts'
import { isSameTemplate } from './template-hash.ts'

export type Sets = {
  /** Of the template as it is now. */
  readonly fresh: ReplicaSet | undefined
  /** Of other templates, oldest first. */
  readonly old: readonly ReplicaSet[]
}

export type Sizes = readonly (readonly [set: ReplicaSet, replicas: number])[]

export function sortOut({ spec }: Deployment, sets: readonly ReplicaSet[]): Sets {
  const sorted = sets.toSorted(byAge)
  const fresh = sorted.find(
    (set) => spec && set.spec && isSameTemplate(set.spec.template, spec.template),
  )
  return { fresh, old: sorted.filter((set) => set !== fresh) }
}

export const allOf = ({ fresh, old }: Sets): readonly ReplicaSet[] =>
  fresh === undefined ? old : [...old, fresh]

/** It asks for another number of pods than when its sets were last sized. */
export function isScaled(deployment: Deployment, sets: Sets): boolean {
  const wanted = replicasOf(deployment)
  return allOf(sets).some(
    (set) => replicasOf(set) > 0 && (countIn(set, desiredAnnotation) ?? wanted) !== wanted,
  )
}

/** Of a set that is to be created. */
export function firstSize(deployment: Deployment, old: readonly ReplicaSet[]): number {
  if (isRecreating(deployment)) return replicasOf(deployment)
  const fresh = { id: '', replicas: 0, available: 0 }
  const sizes = nextSizes({ ...limitsOf(deployment), fresh, old: old.map(sizeOf) })
  return sizes.get(fresh.id) ?? 0
}

/** The next step of a rolling update. */
export function rolloutSizes(deployment: Deployment, { fresh, old }: Sets): Sizes {
  if (fresh === undefined) return []
  const sizes = nextSizes({
    ...limitsOf(deployment),
    fresh: sizeOf(fresh),
    old: old.map(sizeOf),
  })
  return [fresh, ...old].flatMap((set) => {
    const size = sizes.get(set.metadata.uid)
    return size === undefined ? [] : [[set, size] as const]
  })
}

/** When it is scaled during a rollout, or while it is paused, all sets keep their share. */
export function scaledSizes(deployment: Deployment, sets: Sets): Sizes {
  const { fresh, old } = sets
  const wanted = replicasOf(deployment)
  const active = allOf(sets).filter((set) => replicasOf(set) > 0)
  if (active.length < 2) {
    const only = active[0] ?? fresh ?? old.at(-1)
    return only === undefined || replicasOf(only) === wanted ? [] : [[only, wanted]]
  }
  if (fresh !== undefined && isSaturated(deployment, fresh)) {
    return active.filter((set) => set !== fresh).map((set) => [set, 0])
  }
  if (isRecreating(deployment)) return []
  const portions = active.toSorted(byAge).map((set) => ({
    id: set.metadata.uid,
    replicas: replicasOf(set),
    most: countIn(set, maxAnnotation) ?? deployment.status?.replicas ?? 0,
  }))
  const sizes = shareOut(portions, limitsOf(deployment))
  return active.map((set) => [set, sizes.get(set.metadata.uid) ?? 0])
}

function isSaturated(deployment: Deployment, fresh: ReplicaSet): boolean {
  const wanted = replicasOf(deployment)
  const { availableReplicas = 0 } = fresh.status ?? {}
  const counts = [replicasOf(fresh), countIn(fresh, desiredAnnotation), availableReplicas]
  return counts.every((count) => count === wanted)
}

const limitsOf = (deployment: Deployment) => ({
  wanted: replicasOf(deployment),
  ...boundsOf(deployment),
})

const sizeOf = (set: ReplicaSet) => ({
  id: set.metadata.uid,
  replicas: replicasOf(set),
  available: set.status?.availableReplicas ?? 0,
})

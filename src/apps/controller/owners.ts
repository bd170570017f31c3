/**
 * Who owns a pod, upwards: its ReplicaSet, and the Deployment of that. Autoscalers name the upper one.
 * ReplicaSets are many and large, and their owners do not change, so none is watched: one is asked
 * for when there is an autoscaler in its namespace, and remembered.
 */
import type { KubeObject, OwnerReference, Resource } from '../../apis/object.ts'
import type { Owner } from '../../core/resize/autoscalers.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { SeenPod } from './seen-pod.ts'

export type Owners = {
  /** The nearest first. */
  readonly of: (pod: SeenPod, signal: AbortSignal) => Promise<readonly Owner[]>
}

/** Kinds that are made by another one for its pods. */
const between: readonly Resource<KubeObject>[] = [
  { group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', namespaced: true },
  { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true },
]

/** Of a few hundred bytes each. */
const MOST_REMEMBERED = 20_000

export function createOwners(kube: Pick<Kube, 'get'>): Owners {
  /** By UID of the one between. */
  const known = new Map<string, Owner | undefined>()

  async function above(
    namespace: string,
    { apiVersion, kind, name, uid }: OwnerReference,
    signal: AbortSignal,
  ): Promise<Owner | undefined> {
    const resource = between.find(
      (one) => one.kind === kind && apiVersion.startsWith(`${one.group}/`),
    )
    if (resource === undefined) return undefined
    if (known.has(uid)) return known.get(uid)
    try {
      const { metadata } = await kube.get(resource, { namespace, name }, { signal })
      const found = metadata.ownerReferences?.find(({ controller }) => controller === true)
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.set(uid, found)
      return found
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined // it goes, and its pods with it
      throw error
    }
  }

  return {
    of: async ({ namespace, owner }, signal) => {
      if (owner === undefined) return []
      const upper = await above(namespace, owner, signal)
      return upper === undefined ? [owner] : [owner, upper]
    },
  }
}

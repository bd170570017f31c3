/** How many pods the controllers of some pods ask for together. */
import type { OwnerReference } from '../../apis/object.ts'
import type { Api } from '../apiserver/api.ts'
import type { ApiObject } from '../apiserver/object.ts'
import { apiVersionOf } from '../apiserver/resource-type.ts'
import { replicaSets } from '../resources.ts'
import { controllerOf, type PodObject, type WorkloadSpec } from './workload.ts'

/** Pods without a controller do not count. A text says why it cannot be told. */
export function scaleOf(api: Api, pods: readonly PodObject[]): number | string {
  const wanted = new Map<string, number>()
  const seen = new Set<string>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    if (owner === undefined || seen.has(owner.uid)) continue
    seen.add(owner.uid)
    const found = findScaled(api, owner, pod.metadata.namespace)
    if (typeof found === 'string') return found
    if (found === undefined) return `found no controllers for pod "${pod.metadata.name}"`
    wanted.set(found.metadata.uid, (found.spec as WorkloadSpec | undefined)?.replicas ?? 1)
  }
  return [...wanted.values()].reduce((sum, count) => sum + count, 0)
}

/** Of a ReplicaSet its Deployment: during a rollout its sets together may have more. */
function findScaled(
  api: Api,
  owner: OwnerReference,
  namespace: string | undefined,
): ApiObject | string | undefined {
  const type = api
    .types()
    .find((one) => one.kind === owner.kind && apiVersionOf(one) === owner.apiVersion)
  if (type === undefined) return undefined
  if (!type.subresources.includes('scale')) {
    const name = type.group === '' ? type.plural : `${type.plural}.${type.group}`
    return `${name} does not implement the scale subresource`
  }
  const object = api.find(type, { namespace, name: owner.name })
  if (object?.metadata.uid !== owner.uid) return undefined
  const top = type.plural === replicaSets.plural ? controllerOf(object) : undefined
  return top?.kind === 'Deployment' ? (findScaled(api, top, namespace) ?? object) : object
}

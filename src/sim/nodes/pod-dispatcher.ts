/**
 * Pods by node. One subscription for the whole cluster routes every change to the kubelet it is for:
 * a thousand kubelets that each saw all pods would make every write a thousand calls.
 */
import type { Api } from '../apiserver/api.ts'
import { keyOf, placeOf } from '../apiserver/object.ts'
import { pods } from '../resources.ts'
import type { SimPod } from './pod.ts'

type PodListener = {
  /** Added, bound or changed. */
  readonly changed: (pod: SimPod) => void
  readonly removed: (pod: SimPod) => void
}

export type PodDispatcher = {
  /** Routes the pods of a node; returns how to end it. Those that are there are not told. */
  readonly route: (nodeName: string, listener: PodListener) => () => void
  /** As they are now, in the order in which they came to the node. */
  readonly podsOf: (nodeName: string) => readonly SimPod[]
}

export function createPodDispatcher(api: Api): PodDispatcher {
  const listeners = new Map<string, PodListener>()
  const byNode = new Map<string, Map<string, SimPod>>()

  const keep = (pod: SimPod, nodeName: string) => {
    const known = byNode.get(nodeName) ?? new Map<string, SimPod>()
    byNode.set(nodeName, known)
    known.set(keyOf(placeOf(pod)), pod)
  }
  for (const object of api.list(pods)) {
    const pod = object as SimPod
    if (pod.spec.nodeName) keep(pod, pod.spec.nodeName)
  }
  api.subscribe(pods, ({ type, object }) => {
    const pod = object as SimPod
    const { nodeName } = pod.spec
    if (!nodeName) return
    if (type === 'DELETED') {
      byNode.get(nodeName)?.delete(keyOf(placeOf(pod)))
      listeners.get(nodeName)?.removed(pod)
    } else {
      keep(pod, nodeName)
      listeners.get(nodeName)?.changed(pod)
    }
  })

  return {
    route(nodeName, listener) {
      listeners.set(nodeName, listener)
      return () => void listeners.delete(nodeName)
    },
    podsOf: (nodeName) => [...(byNode.get(nodeName)?.values() ?? [])],
  }
}

/**
 * Watches over nodes: one whose lease has not moved for 50 s is Unknown, tainted as unreachable, its
 * pods are not ready, and go when they no longer tolerate it. Leases are looked at every 5 s by
 * identity, so that a renewal costs nothing here.
 */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import { createRecorder, type RecordEvent } from '../record-event.ts'
import { leases, nodes, pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import {
  leaseNamespace,
  type NodeCondition,
  notReadyTaint,
  readyOf,
  type SimNode,
  type Taint,
  unreachableTaint,
  unschedulableTaint,
} from './node.ts'
import type { PodDispatcher } from './pod-dispatcher.ts'
import type { SimPod } from './pod.ts'
import { secondsToStay } from './tolerations.ts'

const lookEvery = 5000
const manager = 'kube-controller-manager'
const byStatus = { manager, subresource: 'status' } as const
const none: readonly Taint[] = []

type Watched = {
  lease: unknown
  /** When it last moved, in simulated milliseconds. */
  movedAt: number
  /** Those that drive pods out. */
  taints: readonly Taint[]
  /** Pods that are to go, by uid. */
  readonly leaving: Map<string, () => void>
}

export function startNodeLifecycle(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly dispatcher: PodDispatcher
  /** Silence after which a node counts as lost. */
  readonly graceMillis?: number
  readonly record?: RecordEvent
}): () => void {
  const { api, agenda, dispatcher, graceMillis = 50_000 } = at
  const record = at.record ?? createRecorder({ api, agenda, component: 'node-controller' })
  const watched = new Map<string, Watched>()
  const now = () => timeOf(agenda.wall())

  const look = () => {
    for (const [name, one] of watched) {
      const lease = api.find(leases, { namespace: leaseNamespace, name })
      if (lease !== one.lease) {
        one.lease = lease
        one.movedAt = agenda.now()
      } else if (agenda.now() - one.movedAt >= graceMillis) lose(name)
    }
    crossOut = agenda.at(agenda.now() + lookEvery, look)
  }

  const lose = (name: string) => {
    const node = api.find(nodes, { name }) as SimNode | undefined
    if (node === undefined || readyOf(node)?.status === 'Unknown') return
    const lost = (condition: NodeCondition): NodeCondition => ({
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: now(),
    })
    const conditions = node.status?.conditions?.map(lost) ?? []
    const status = { ...node.status, conditions }
    api.update(nodes, { ...node, status }, byStatus)
    const message = `Node ${name} status is now: NodeNotReady`
    record({ about: node, reason: 'NodeNotReady', message })
    for (const pod of dispatcher.podsOf(name)) markUnready(pod)
  }

  const markUnready = (object: SimPod) => {
    rewrite(api, { of: pods, object, by: byStatus }, (pod) => {
      const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')
      if (ready?.status !== 'True') return pod
      const message = 'Node is not ready'
      record({ about: pod, type: 'Warning', reason: 'NodeNotReady', message })
      const unready = { ...ready, status: 'False' as const, lastTransitionTime: now() }
      const conditions = pod.status?.conditions?.map((one) => (one === ready ? unready : one)) ?? []
      return { ...pod, status: { ...pod.status, conditions } }
    })
  }

  const setTaints = (object: SimNode) =>
    rewrite(api, { of: nodes, object, by: { manager } }, (node) => {
      const next = taintsOf(node, now())
      if (next === (node.spec?.taints ?? none)) return node
      const { taints: _, ...rest } = node.spec ?? {}
      return { ...node, spec: { ...rest, ...(next.length > 0 && { taints: next }) } }
    })

  const changed = (node: SimNode) => {
    const { name } = node.metadata
    let one = watched.get(name)
    if (one === undefined) {
      one = { lease: undefined, movedAt: agenda.now(), taints: none, leaving: new Map() }
      watched.set(name, one)
      const message = `Registered Node ${name} in Controller`
      record({ about: node, reason: 'RegisteredNode', message })
    }
    setTaints(node)
    const taints = node.spec?.taints?.filter(({ effect }) => effect === 'NoExecute') ?? none
    if (taints.length === 0 && one.leaving.size > 0) stay(one)
    one.taints = taints
    if (taints.length > 0) for (const pod of dispatcher.podsOf(name)) evict(pod, one)
  }
  const evict = (pod: SimPod, { taints, leaving }: Watched) => {
    const { uid, namespace, name, deletionTimestamp } = pod.metadata
    if (leaving.has(uid) || deletionTimestamp) return
    const seconds = secondsToStay(pod.spec.tolerations, taints)
    if (seconds === Infinity) return
    const go = () => {
      leaving.delete(uid)
      if (api.find(pods, placeOf(pod))?.metadata.uid !== uid) return
      const message = `Marking for deletion Pod ${namespace}/${name}`
      record({ about: pod, reason: 'TaintManagerEviction', message })
      api.remove(pods, placeOf(pod), { uid })
    }
    leaving.set(uid, agenda.at(agenda.now() + seconds * 1000, go))
  }
  const stay = (one: Watched) => {
    for (const crossOut of one.leaving.values()) crossOut()
    one.leaving.clear()
  }

  for (const node of api.list(nodes)) changed(node as SimNode)
  const unsubscribeNodes = api.subscribe(nodes, ({ type, object }) => {
    if (type === 'DELETED') watched.delete(object.metadata.name)
    else changed(object as SimNode)
  })
  const unsubscribePods = api.subscribe(pods, ({ type, object }) => {
    const pod = object as SimPod
    const one = watched.get(pod.spec.nodeName ?? '')
    if (one === undefined) return
    if (type === 'DELETED') {
      one.leaving.get(pod.metadata.uid)?.()
      one.leaving.delete(pod.metadata.uid)
    } else if (one.taints.length > 0) evict(pod, one)
  })
  let crossOut = agenda.at(agenda.now() + lookEvery, look)

  return () => {
    crossOut()
    unsubscribeNodes()
    unsubscribePods()
    for (const one of watched.values()) stay(one)
  }
}

const conditional = new Set([notReadyTaint, unreachableTaint, unschedulableTaint])

/** With those that follow from the node's state, and others' as they are; the same list if nothing changes. */
export function taintsOf(node: SimNode, now: string): readonly Taint[] {
  const { taints = [], unschedulable } = node.spec ?? {}
  const ready = readyOf(node)?.status
  const key = ready === 'Unknown' ? unreachableTaint : notReadyTaint
  const wanted: readonly Taint[] = [
    ...(unschedulable ? [{ key: unschedulableTaint, effect: 'NoSchedule' as const }] : []),
    ...(ready === 'True' ? [] : [{ key, effect: 'NoSchedule' as const }]),
    // Before its first heartbeat a node has nothing to evict.
    ...(ready === 'True' || ready === undefined ? [] : [{ key, effect: 'NoExecute' as const }]),
  ]
  const isSame = (a: Taint, b: Taint) => a.key === b.key && a.effect === b.effect
  const missing = wanted.filter((one) => !taints.some((other) => isSame(one, other)))
  const kept = taints.filter(
    (one) => !conditional.has(one.key) || wanted.some((other) => isSame(one, other)),
  )
  if (missing.length === 0 && kept.length === taints.length) return node.spec?.taints ?? none
  const dated = (taint: Taint): Taint => ({ ...taint, timeAdded: now })
  return [...kept, ...missing.map(dated)]
}

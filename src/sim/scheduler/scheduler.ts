/**
 * A small kube-scheduler: takes pods without a node in the order of priority, filters and scores nodes
 * on sums that follow every change, and binds. Some pods at a time, so that others get their turn.
 */
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { placeOf } from '../apiserver/object.ts'
import type { SimNode } from '../nodes/node.ts'
import { isEnded, type SimPod, type SimPodCondition } from '../nodes/pod.ts'
import { createRecorder, type RecordEvent } from '../record-event.ts'
import { nodes, pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import type { Extender } from './extender.ts'
import { type Found, findNode } from './find-node.ts'
import { unschedulableMessage } from './messages.ts'
import { createClusterState, type NodeState } from './node-state.ts'
import { choosePreemption } from './preemption.ts'
import { createQueue } from './queue.ts'

const schedulerName = 'default-scheduler'
const manager = 'kube-scheduler'
/** 5,000 pods a simulated second. */
const podsATurn = 50
const turnMillis = 10

type Unfit = Extract<Found, { readonly state: undefined }>

/** Returns how to stop it. */
export function createScheduler(at: {
  readonly api: Api
  readonly agenda: Agenda
  /** Where the first search begins. */
  readonly random: Random
  readonly extenders?: readonly Extender[]
  readonly record?: RecordEvent
}): () => void {
  const { api, agenda, random, extenders = [] } = at
  const { act } = api
  if (act === undefined) throw new Error('starting the scheduler: expected an API that can act')
  const record = at.record ?? createRecorder({ api, agenda, component: schedulerName })
  const cluster = createClusterState()
  let order: readonly NodeState[] | undefined
  let from = Math.floor(random() * 1000)
  let isPlanned = false
  let isStopped = false
  const queue = createQueue(agenda, () => planTurn(0))

  const planTurn = (after: number) => {
    if (isPlanned) return
    isPlanned = true
    agenda.at(agenda.now() + after, turn)
  }
  const turn = () => {
    isPlanned = false
    if (isStopped) return
    for (let i = 0; i < podsATurn; i += 1) {
      const pod = queue.pop()
      if (pod === undefined) return
      schedule(pod)
    }
    planTurn(turnMillis)
  }

  const schedule = (known: SimPod) => {
    const pod = api.find(pods, placeOf(known)) as SimPod | undefined
    if (pod?.metadata.uid !== known.metadata.uid || !pod || !isWaiting(pod)) {
      queue.drop(known.metadata.uid)
      return
    }
    order ??= [...cluster.nodes.values()]
      .filter(({ node }) => node !== undefined)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const found = findNode({ pod, cluster, order, from, extenders })
    if (found.state === undefined) {
      postpone(pod, found)
      return
    }
    from = found.next
    bind(pod, found.state)
  }

  const bind = (pod: SimPod, { name, node }: NodeState) => {
    const { uid, namespace } = pod.metadata
    if (node === undefined) return
    queue.drop(uid)
    const isTaken = extenders.some((extender) => extender.bind?.(pod, node) === true)
    if (!isTaken) assign(pod, name)
    // Counted at once: the next pod of this turn must see it.
    const bound = api.find(pods, placeOf(pod)) as SimPod | undefined
    if (bound) cluster.setPod(bound)
    const message = `Successfully assigned ${namespace}/${pod.metadata.name} to ${name}`
    record({ about: pod, reason: 'Scheduled', message })
  }
  const assign = (pod: SimPod, nodeName: string) => {
    const { name, uid } = pod.metadata
    act(pods, placeOf(pod), {
      subresource: 'binding',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, uid },
        target: { kind: 'Node', name: nodeName },
      },
    })
  }

  const postpone = (object: SimPod, { reasons, forRoom, asked }: Unfit) => {
    const { preemptionPolicy, priority = 0 } = object.spec
    const mayPreempt = preemptionPolicy !== 'Never'
    const message = unschedulableMessage({
      nodes: order?.length ?? 0,
      reasons,
      forRoom: forRoom.length,
      mayPreempt,
    })
    queue.fail(object.metadata.uid)
    record({ about: object, type: 'Warning', reason: 'FailedScheduling', message })
    const nominated = mayPreempt ? preempt(object, { asked, priority, forRoom }) : undefined
    rewrite(api, { of: pods, object, by: { manager, subresource: 'status' } }, (pod) => {
      const old = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
      if (old?.message === message && nominated === undefined) return pod
      const { generation } = pod.metadata
      const conditions = withScheduled(pod, {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message,
        lastProbeTime: null,
        lastTransitionTime:
          (old?.status === 'False' ? old.lastTransitionTime : undefined) ?? timeOf(agenda.wall()),
        ...(generation !== undefined && { observedGeneration: generation }),
      })
      const nominatedNodeName = nominated ?? pod.status?.nominatedNodeName
      const status = { ...pod.status, conditions, ...(nominatedNodeName && { nominatedNodeName }) }
      return { ...pod, status }
    })
  }

  /** The node that will have room once the victims are gone. */
  const preempt = (
    pod: SimPod,
    at: { asked: Unfit['asked']; priority: number; forRoom: Unfit['forRoom'] },
  ): string | undefined => {
    const nominated = cluster.nodes.get(pod.status?.nominatedNodeName ?? '')
    const isUnderWay = [...(nominated?.pods.values() ?? [])].some(
      ({ pod: other }) => api.find(pods, placeOf(other))?.metadata.deletionTimestamp !== undefined,
    )
    const choice = isUnderWay ? undefined : choosePreemption(at.forRoom, at)
    for (const { pod: victim } of choice?.victims ?? []) {
      const message = `Preempted by pod ${pod.metadata.uid} on node ${choice?.state.name}`
      record({ about: victim, reason: 'Preempted', message })
      api.remove(pods, placeOf(victim), { uid: victim.metadata.uid })
    }
    return choice?.state.name
  }

  const podChanged = (pod: SimPod, isDeleted: boolean) => {
    const { uid } = pod.metadata
    if (isDeleted || pod.spec.nodeName || isEnded(pod)) {
      queue.drop(uid)
      const known = cluster.assigned.get(uid)
      if (isDeleted) cluster.removePod(uid)
      else cluster.setPod(pod)
      // Only where its share of a node changed.
      if (cluster.assigned.get(uid) !== known) queue.wake()
    } else if (isWaiting(pod)) queue.put(pod)
    else queue.drop(uid)
  }
  const nodeChanged = (node: SimNode) => {
    const known = cluster.nodes.get(node.metadata.name)?.node
    cluster.setNode(node)
    if (known === undefined) order = undefined
    const isHeartbeat =
      known !== undefined &&
      known.spec === node.spec &&
      known.metadata.labels === node.metadata.labels &&
      known.status?.allocatable === node.status?.allocatable
    if (!isHeartbeat) queue.wake()
  }

  for (const node of api.list(nodes)) nodeChanged(node as SimNode)
  for (const pod of api.list(pods)) podChanged(pod as SimPod, false)
  const unsubscribeNodes = api.subscribe(nodes, ({ type, object }) => {
    if (type !== 'DELETED') nodeChanged(object as SimNode)
    else {
      cluster.removeNode(object.metadata.name)
      order = undefined
    }
  })
  const unsubscribePods = api.subscribe(pods, ({ type, object }) =>
    podChanged(object as SimPod, type === 'DELETED'),
  )
  return () => {
    isStopped = true
    unsubscribeNodes()
    unsubscribePods()
  }
}

const isWaiting = (pod: SimPod): boolean =>
  !pod.spec.nodeName &&
  (pod.spec.schedulerName ?? schedulerName) === schedulerName &&
  (pod.spec.schedulingGates ?? []).length === 0 &&
  pod.metadata.deletionTimestamp === undefined &&
  !isEnded(pod)

const withScheduled = (pod: SimPod, condition: SimPodCondition): readonly SimPodCondition[] => [
  ...(pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled'),
  condition,
]

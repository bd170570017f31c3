import type { Happening } from '../../apis/dashboard.ts'
import type { KubeEvent } from '../../apis/event.ts'
import type { NodeView, PodView } from '../../apis/node-view.ts'
/** Changes as sentences: what an operator reads in the feed. */
import { keyOfPod } from '../../core/pod-name.ts'
import type { Change } from '../../runtime/store.ts'
import type { SeenAllocation, SeenMarket, SeenNode } from './seen.ts'

/** What was decided, and what became of it; `now` is the wall clock, where the API tells no time. */
export function tellAllocation(change: Change<SeenAllocation>, now: number): Happening[] {
  if (change.type === 'deleted') return []
  const { now: allocation } = change
  const before = change.type === 'updated' ? change.before : undefined
  const told: Happening[] = []
  const place = {
    pod: allocation.key,
    ...(allocation.node !== undefined && { node: allocation.node }),
  }
  if (before?.generation !== allocation.generation) {
    // A limit that stays is no news: it is a share only of strict pods.
    const isSame = before?.limit === allocation.limit
    const inWords = ({ request, limit }: SeenAllocation): string =>
      amountsIn({ request, limit: isSame ? undefined : limit })
    const was = before === undefined ? '' : ` (was ${inWords(before)})`
    told.push({
      id: `decision ${allocation.uid} ${allocation.generation}`,
      at: allocation.decidedAt ?? now,
      kind: 'decision',
      text: `${allocation.key} should have ${inWords(allocation)}${was}: ${allocation.reason}`,
      ...place,
    })
  }
  // What became of it before we came is no news.
  if (before !== undefined && isDone(allocation) && outcomeOf(before) !== outcomeOf(allocation)) {
    const { phase, phaseReason, message, applied, key } = allocation
    const id = `outcome ${allocation.uid} ${allocation.generation} ${phase} ${phaseReason}`
    if (phase === 'Applied') {
      const text = `${key} now has ${amountsIn({ request: 0, limit: undefined, ...applied })}`
      told.push({ id: `${id} ${amountsIn(allocation)}`, at: now, kind: 'resize', text, ...place })
    } else if (phase === 'Failed') {
      const text = `${key} could not be resized: ${message || phaseReason}`
      told.push({ id, at: now, kind: 'warning', text, ...place })
    }
  }
  return told
}

const outcomeOf = ({ observedGeneration, phase, phaseReason }: SeenAllocation): string =>
  `${observedGeneration} ${phase} ${phaseReason}`

/** What stands there is about what is desired now. */
const isDone = ({ generation, observedGeneration }: SeenAllocation): boolean =>
  generation === observedGeneration

const amountsIn = ({ request, limit }: Pick<SeenAllocation, 'request' | 'limit'>): string =>
  `a request of ${request}m${limit === undefined ? '' : ` and a limit of ${limit}m`}`

/** That the mode of its market changed. */
export function tellMarket(change: Change<SeenMarket | undefined>): Happening[] {
  if (change.type !== 'updated') return []
  const { key: node, before, now: market } = change
  if (before === undefined || market === undefined || before.mode === market.mode) return []
  const { mode, price, clearedAt } = market
  const at = price === undefined || price === 0 ? '' : ` at a price of ${price} per millicore`
  const text = `${node} went from ${before.mode} to ${mode}${at}: ${meanings[mode]}`
  return [{ id: `market ${node} ${clearedAt} ${mode}`, at: clearedAt, kind: 'node', text, node }]
}

const meanings: Readonly<Record<SeenMarket['mode'], string>> = {
  uncongested: 'there is enough for all needs',
  congested: 'not all needs fit, and the price shares what there is',
  overloaded: 'the floors that owners set do not fit',
}

/** That it came, went, or is no longer ready. */
export function tellNode(change: Change<SeenNode>, now: number): Happening[] {
  const { key: node } = change
  const tell = (what: string, text: string): Happening[] => [
    { id: `node ${node} ${what} ${now}`, at: now, kind: 'node', text, node },
  ]
  if (change.type === 'added') return tell('came', `${node} joined the cluster`)
  if (change.type === 'deleted') return tell('went', `${node} left the cluster`)
  if (change.before.isReady === change.now.isReady) return []
  return change.now.isReady
    ? tell('ready', `${node} is ready again`)
    : tell('lost', `${node} is not ready: ${change.now.message}`)
}

/** That pods began to suffer or no longer do, and who is held back for them. */
export function tellStates(before: NodeView | undefined, now: NodeView, at: number): Happening[] {
  if (before === undefined) return []
  const podOf = new Map(before.pods.map((pod) => [pod.uid, pod]))
  return now.pods.flatMap((pod) => {
    const was = podOf.get(pod.uid)
    if (was === undefined) return []
    const key = keyOfPod(pod)
    const tell = (what: string, text: string): Happening => ({
      id: `${what} ${pod.uid} ${at}`,
      at,
      kind: 'suffering' as const,
      text: `${key} ${text}`,
      node: now.node,
      pod: key,
    })
    return [
      ...(was.state === pod.state ? [] : [tell(pod.state, stateInWords(pod))]),
      ...((was.heldTo === undefined) === (pod.heldTo === undefined)
        ? []
        : [tell('held', heldInWords(pod))]),
    ]
  })
}

function stateInWords(pod: PodView): string {
  const { state, waitedRatio, throttledRatio, p99Millis = 0, targetMillis = 0 } = pod
  const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`
  if (state === 'late') return `is late: p99 ${Math.round(p99Millis)} ms of ${targetMillis} ms`
  if (state === 'waits') return `waits for a CPU ${percent(waitedRatio)} of the time`
  if (state === 'throttled') return `is throttled in ${percent(throttledRatio)} of periods`
  return 'no longer suffers'
}

const heldInWords = ({ heldTo }: PodView): string =>
  heldTo === undefined
    ? 'is no longer held back'
    : `is held to ${heldTo}m, since a pod that has a claim to that CPU suffers`

/** The steps of a resize, which the allocation's own changes tell in fewer words. */
const TOLD_OTHERWISE = new Set(['CPUApplied', 'ResizeStarted', 'ResizeCompleted'])

/** Of pods, nodes and their allocations; undefined for others, and for what is told already. */
export function tellEvent(event: KubeEvent): Happening | undefined {
  const { involvedObject, metadata, type, reason, message, lastTimestamp, count } = event
  const { kind, namespace = '', name } = involvedObject
  if (kind !== 'Pod' && kind !== 'Node' && kind !== 'PodAllocation') return undefined
  if (TOLD_OTHERWISE.has(reason)) return undefined
  const key = kind === 'Node' ? name : `${namespace}/${name}`
  const at = Date.parse(lastTimestamp ?? metadata.creationTimestamp ?? '')
  const times = count > 1 ? ` (${count} times)` : ''
  return {
    id: `event ${metadata.uid ?? ''} ${count}`,
    at: Number.isNaN(at) ? 0 : at,
    kind: type === 'Warning' ? 'warning' : 'kubernetes',
    text: `${key}: ${reason}: ${(message ?? '').slice(0, 500)}${times}`,
    ...(kind === 'Node' ? { node: name } : { pod: key }),
  }
}

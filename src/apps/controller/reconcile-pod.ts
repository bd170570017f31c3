/**
 * One pod and its PodAllocation, which has its name: look, decide, act, and say what became of it.
 *
 *   allocation   original recorded   takes part   ->
 *   yes          -                   yes              what is desired
 *   yes          no                  no               left alone
 *   yes          yes                 no               restored
 *   no           yes                 -                restored, after ten seconds without
 */
import { isPersons, type PodAllocation } from '../../apis/pod-allocation.ts'
import { decideResize } from '../../core/resize/decide.ts'
import { decideRestore } from '../../core/resize/restore.ts'
import type { ResizeDecision, ResizeQuestion, ResizeReason } from '../../core/resize/types.ts'
import type { Millis } from '../../core/units.ts'
import type { Requeue } from '../../runtime/reconcile.ts'
import { keyOf } from '../../runtime/store.ts'
import { type Acting, CHANGED, endRestore, noteAgain, resizePod } from './act.ts'
import { type Asked, circumstancesOf, gather, hasAutoscalers, type Knowledge } from './gather.ts'
import type { MissingAllocations } from './missing-allocations.ts'
import { failed, type Outcome, outcomeOf } from './outcome.ts'
import type { Owners } from './owners.ts'
import { REFUSAL_MILLIS } from './refusals.ts'
import type { SeenPod } from './seen-pod.ts'
import type { Server } from './server.ts'
import type { Standings } from './standings.ts'
import type { Tell } from './tell.ts'
import { quotaOf, roomOn, type WaitingRoom } from './waiting-room.ts'
import { lacksNote, withWitness } from './witness.ts'
import { namesOtherNode, type WrongNodes } from './wrong-node.ts'

export type Reconciling = Knowledge &
  Acting & {
    readonly owners: Owners
    readonly wrongNodes: WrongNodes
    readonly server: () => Server
    readonly waiting: WaitingRoom
    readonly standings: Standings
    readonly missing: MissingAllocations
    readonly say: (allocation: PodAllocation, outcome: Outcome) => void
    /** Of a pod that has no PodAllocation to say it on. */
    readonly tell: Tell
  }

/** What is not heard of is looked at all the same. */
const LOOK_AGAIN_MILLIS = 60_000

export async function reconcilePod(
  on: Reconciling,
  key: string,
  signal: AbortSignal,
): Promise<Requeue> {
  const owners = await ownersOf(on, on.caches.pods.get(key), signal)
  const allocation = liveAllocation(on, key)
  const seen = on.caches.pods.get(key)
  const pod = seen && withWitness(seen, allocation)
  if (allocation === undefined) {
    on.standings.forget(key)
    if (pod?.original === undefined) {
      on.waiting.wait(key, undefined)
      on.standings.noteRestore(key, false)
      return {}
    }
  }
  if (allocation !== undefined && pod !== undefined && namesOtherNode(allocation, pod)) {
    // Else it would be restored, and its own agent could tell nothing.
    if (await on.wrongNodes.replace(allocation, pod, signal)) return {}
  }
  const { tooOld } = on.server()
  if (tooOld !== undefined) {
    if (allocation !== undefined) {
      conclude(on, allocation, failed({ reason: 'ServerTooOld', message: tooOld }, pod))
    }
    return {}
  }
  if (pod !== undefined) {
    on.ledger.takeBackUnanswered(pod)
    on.sent.look(pod)
  }
  const question = ask(on, { allocation, pod, owners })
  const wait = waitForAllocation(on, { pod, allocation, question })
  if (wait > 0) return { requeueAfter: wait }
  const isRestore = pod?.original !== undefined && isOut(allocation, question)
  if (pod !== undefined && lacksNote(pod) && !isRestore && question.mode === 'auto') {
    const isNoted = await noteAgain(on, pod, signal)
    if (isNoted) return { requeueAfter: on.stale.waitFor(pod) || LOOK_AGAIN_MILLIS }
  }
  const decision = isRestore
    ? decideRestore({ ...question, isOtherPod: false }, pod.original)
    : whileHeard(
        on,
        { pod, allocation },
        keptRestored(on, { key, allocation, decision: decideResize(question) }),
      )
  on.waiting.wait(key, thingOf(decision.reason, pod))
  on.standings.noteRestore(key, isRestore && decision.action !== 'refuse')
  const outcome = await carryOut(on, { pod, question, decision, isRestore }, signal)
  if (outcome === CHANGED) return { requeueAfter: pod === undefined ? 0 : on.stale.waitFor(pod) }
  if (allocation !== undefined) conclude(on, allocation, outcome)
  else if (pod !== undefined && outcome.reason === 'Restored') on.tell({ pod }, outcome)
  return requeueOf(decision, outcome)
}

/** What an agent published that does not answer any more is not acted on; what a person did is. */
function whileHeard(
  { caches }: Reconciling,
  { pod, allocation }: Pick<Expecting, 'pod' | 'allocation'>,
  decision: ResizeDecision,
): ResizeDecision {
  const node = pod?.nodeName ?? ''
  const isOurs = allocation === undefined || !isPersons(allocation)
  const silence = decision.action === 'resize' && isOurs ? caches.silentFor(node) : undefined
  if (silence === undefined) return decision
  const message = `keeps what it has: the agent of node ${node} has not answered for ${Math.round(silence / 1000)} s, and what it published last may be out of date`
  return {
    ...decision,
    action: 'wait',
    reason: 'AgentSilent',
    message,
    to: [],
    again: LOOK_AGAIN_MILLIS as Millis,
  }
}

type Expecting = {
  readonly pod: SeenPod | undefined
  readonly allocation: PodAllocation | undefined
  readonly question: ResizeQuestion
}

/** Milliseconds for which the agent may publish it again; who does not take part is not waited for. */
function waitForAllocation(
  { missing }: Reconciling,
  { pod, allocation, question }: Expecting,
): number {
  if (pod === undefined) return 0
  if (allocation === undefined && question.excluded === undefined) return missing.waitFor(pod.uid)
  missing.forget(pod.uid)
  return 0
}

async function ownersOf(
  { caches, owners }: Reconciling,
  pod: SeenPod | undefined,
  signal: AbortSignal,
) {
  return pod !== undefined && hasAutoscalers(caches, pod.namespace) ? owners.of(pod, signal) : []
}

function liveAllocation({ caches }: Reconciling, key: string): PodAllocation | undefined {
  const allocation = caches.allocations.get(key)
  return allocation?.metadata.deletionTimestamp === undefined ? allocation : undefined
}

/** It does not take part, or not any more. */
const isOut = (
  allocation: PodAllocation | undefined,
  { excluded, isOtherPod, managesGuaranteed, pod }: ResizeQuestion,
): boolean =>
  allocation === undefined ||
  isOtherPod ||
  excluded !== undefined ||
  (pod?.qosClass === 'Guaranteed' && !managesGuaranteed)

/** The kubelet's no counts as the server's. */
function ask(on: Reconciling, asked: Asked): ResizeQuestion {
  const question = gather(on, asked)
  const { pod } = asked
  if (pod?.cpu.pending?.state !== 'Infeasible') return question
  const { message } = pod.cpu.pending
  const refused = { values: pod.cpu.spec, reason: 'Infeasible', message } as const
  on.refusals.remember(pod.uid, refused, circumstancesOf(question))
  return gather(on, asked)
}

type Decided = {
  readonly key: string
  readonly allocation: PodAllocation | undefined
  readonly decision: ResizeDecision
}

/** What was said when it was restored stays true while it is left alone. */
function keptRestored(
  { standings }: Reconciling,
  { key, allocation, decision }: Decided,
): ResizeDecision {
  const stood = standings.reasonOf(key) ?? allocation?.status?.reason
  if (decision.reason !== 'Excluded' || stood !== 'Restored') return decision
  return {
    ...decision,
    reason: 'Restored',
    message: `has its original values: ${decision.message}`,
  }
}

const thingOf = (reason: ResizeReason, pod: SeenPod | undefined): string | undefined => {
  if (reason === 'NodeHeadroom') return roomOn(pod?.nodeName ?? '')
  return reason === 'ResourceQuota' ? quotaOf(pod?.namespace ?? '') : undefined
}

type Plan = {
  readonly pod: SeenPod | undefined
  readonly question: ResizeQuestion
  readonly decision: ResizeDecision
  readonly isRestore: boolean
}

async function carryOut(
  on: Reconciling,
  { pod, question, decision, isRestore }: Plan,
  signal: AbortSignal,
): Promise<Outcome | typeof CHANGED> {
  const isResize = decision.action === 'resize'
  const isEnd = isRestore && decision.action === 'done'
  if (pod === undefined || !(isResize || isEnd)) return outcomeOf(decision, pod)
  if (on.stale.waitFor(pod) > 0) return CHANGED
  const deed = { pod, question, decision }
  return isResize ? resizePod(on, deed, signal) : endRestore(on, deed, signal)
}

/** Unless it was deleted meanwhile, and perhaps made anew: then there is nothing to say it on. */
function conclude(on: Reconciling, allocation: PodAllocation, outcome: Outcome): void {
  const now = liveAllocation(on, keyOf(allocation))
  if (now?.metadata.uid !== allocation.metadata.uid) return
  const isNew = on.standings.note(allocation, outcome)
  if (isNew && outcome.reason === 'Cooldown') on.metrics.putOff()
  on.say(allocation, outcome)
}

function requeueOf({ again }: ResizeDecision, { phase }: Outcome): Requeue {
  if (phase === 'Applied') return {}
  if (phase === 'Failed') return { requeueAfter: REFUSAL_MILLIS }
  return { requeueAfter: again ?? LOOK_AGAIN_MILLIS }
}

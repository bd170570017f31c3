/** Carries out one decision, and tells what Kubernetes said to it. */
import { readRefusal } from '../../core/resize/answers.ts'
import { heldBy, ofName } from '../../core/resize/containers.ts'
import type { ResizeDecision, ResizeQuestion } from '../../core/resize/types.ts'
import { type Millicores, sum } from '../../core/units.ts'
import { ApiError } from '../../ports/kube.ts'
import { circumstancesOf } from './gather.ts'
import type { ControllerMetrics } from './metrics.ts'
import type { NodeLedger } from './node-ledger.ts'
import { failed, type Outcome, outcomeOf } from './outcome.ts'
import type { Refusals } from './refusals.ts'
import type { SeenPod } from './seen-pod.ts'
import type { SentResizes } from './sent-resizes.ts'
import type { StaleViews } from './stale-views.ts'
import type { PodWriter } from './write-pod.ts'

export type Acting = {
  readonly writer: PodWriter
  readonly ledger: NodeLedger
  readonly refusals: Refusals
  readonly sent: SentResizes
  readonly stale: StaleViews
  readonly metrics: ControllerMetrics
  /** There is room on the node after all. */
  readonly freed: (node: string) => void
}

export type Deed = {
  readonly pod: SeenPod
  readonly question: ResizeQuestion
  readonly decision: ResizeDecision
}

/** The pod is not what the cache shows: look again when it does. */
export const CHANGED = 'changed'

export async function resizePod(
  on: Acting,
  { pod, question, decision }: Deed,
  signal: AbortSignal,
): Promise<Outcome | typeof CHANGED> {
  const { writer, ledger, refusals, sent, metrics } = on
  const { to } = decision
  // Before anything is waited for: who decides meanwhile counts on this room no more.
  ledger.promise(pod, raiseOf(pod, to))
  let recorded: string | undefined
  try {
    if (!pod.isNoted) recorded = await writer.recordOriginal(pod, signal)
    const version = recorded ?? pod.metadata.resourceVersion ?? ''
    ledger.keep(pod, await writer.resize(pod, { to, version }, signal))
  } catch (error) {
    const refusal = error instanceof ApiError ? readRefusal(error) : undefined
    if (refusal === undefined || refusal.retry === 'later') {
      metrics.resized('failed')
      throw error // it may have been done: the promise stays until it is decided anew
    }
    ledger.takeBack(pod)
    if (pod.nodeName !== undefined) on.freed(pod.nodeName)
    if (refusal.retry === 'conflict') {
      metrics.resized('conflict')
      on.stale.note(pod)
      return CHANGED
    }
    metrics.resized('refused')
    const isUnchanged = pod.original === undefined
    if (recorded !== undefined && isUnchanged)
      await forgetOriginal(writer, atVersion(pod, recorded), signal)
    if (refusal.remember) {
      const { reason, message } = refusal
      refusals.remember(pod.uid, { values: to, reason, message }, circumstancesOf(question))
    }
    return { ...failed(refusal, pod), attempted: true }
  }
  metrics.resized('accepted')
  if (decision.reason === 'StepClamped') metrics.clamped()
  sent.sent(pod, to)
  return { ...outcomeOf(decision, pod), attempted: true }
}

const atVersion = (pod: SeenPod, resourceVersion: string): SeenPod => ({
  ...pod,
  metadata: { ...pod.metadata, resourceVersion },
})

/** Of a pod that was not changed after all; where that fails it only tells what the pod has. */
async function forgetOriginal(writer: PodWriter, pod: SeenPod, signal: AbortSignal): Promise<void> {
  try {
    await writer.dropOriginal(pod, signal)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Only what is beyond all that it keeps from others already. */
function raiseOf({ cpu }: SeenPod, to: ResizeDecision['to']): Millicores {
  const held = heldBy({ ...cpu, hasExclusiveCpus: false })
  return sum(
    to.map(({ name, request = 0 as Millicores }) => {
      const raise = request - (ofName(held, name)?.request ?? 0)
      return Math.max(0, raise) as Millicores
    }),
  )
}

/** Somebody took the note away, or put another in its place; whether the pod will be seen anew. */
export async function noteAgain(
  { writer, stale }: Acting,
  pod: SeenPod,
  signal: AbortSignal,
): Promise<boolean> {
  if (stale.waitFor(pod) > 0) return true
  try {
    await writer.recordOriginal(pod, signal)
  } catch (error) {
    const refusal = error instanceof ApiError ? readRefusal(error) : undefined
    if (refusal === undefined || refusal.retry === 'later') throw error
    if (refusal.retry !== 'conflict') return false // the next resize is refused as well, and says why
    stale.note(pod)
  }
  return true
}

/** The original values are there again: what told of them goes. */
export async function endRestore(
  { writer, metrics, stale }: Acting,
  { pod, decision }: Deed,
  signal: AbortSignal,
): Promise<Outcome | typeof CHANGED> {
  try {
    await writer.dropOriginal(pod, signal)
  } catch (error) {
    const refusal = error instanceof ApiError ? readRefusal(error) : undefined
    if (refusal === undefined || refusal.retry === 'later') throw error
    if (refusal.retry !== 'conflict') return failed(refusal, pod)
    stale.note(pod)
    return CHANGED
  }
  metrics.restored()
  const restored = { ...pod, original: undefined, isNoted: false }
  return { ...outcomeOf(decision, restored), phase: 'Failed' }
}

/**
 * What a resize that the kubelet does not carry out means for what is asked for next: CPU that cannot be
 * had is better left to others. It binds the request, and the limit where that is the share: a strict
 * pod bids for no more than the limit, an elastic one for as much as before, since weights need no
 * resize.
 *
 * Deferred: there is no room now, and the kubelet goes on trying. After 30 s of it a pod is bound to
 * what it has and 5 %, for three minutes; then the whole is asked for again, for 30 s. When the
 * kubelet no longer says it, nothing is bound.
 * Infeasible: never, as things are. A pod is bound to what it has, at once. The word is gone as soon as
 * nobody asks for more, so it is remembered: until the node or the pod is another, and for ten minutes
 * at most. O(1).
 *
 *   said        for      has             bound to
 *   Deferred    20 s     400m/500m       nothing
 *   Deferred    40 s     400m/500m       420m/525m
 *   Deferred    215 s    400m/500m       nothing: asked for again
 *   Infeasible  1 s      400m/500m       400m/500m
 */
import { showMillicores } from '../quantity.ts'
import type { Millicores, Millis } from '../units.ts'
import type { PodAmounts, ResizeBound } from './pod.ts'

/** The kubelet's word on a resize that it has not carried out. */
export type PendingResize = {
  readonly state: 'Deferred' | 'Infeasible'
  readonly message: string
  /** Which resize it is about: another one, another mark. */
  readonly mark: string
  /** By the same clock as `at`. */
  readonly since: Millis
  /** What it has set. */
  readonly actuated: PodAmounts
}

export type ResizeSeen = {
  readonly at: Millis
  readonly pending: PendingResize | undefined
  /** What a refusal depends on: while this is the same, it stands. */
  readonly circumstances: string
}

/** What was infeasible, and when that was first said. */
export type Refusal = Pick<ResizeSeen, 'at' | 'circumstances'> & {
  readonly mark: string
  readonly bound: ResizeBound
}

const PATIENCE_MILLIS = 30_000
const BOUND_MILLIS = 180_000
/** The kubelet may find room for a little, and that it has a little more shows soonest. */
const MORE_RATIO = 1.05
const FORGET_MILLIS = 600_000

export function boundResize(
  before: Refusal | undefined,
  seen: ResizeSeen,
): { readonly bound: ResizeBound | undefined; readonly refusal: Refusal | undefined } {
  const { at, pending, circumstances } = seen
  const isNew = pending?.state === 'Infeasible' && pending.mark !== before?.mark
  const refusal = isNew ? refuse(pending, seen) : before
  const stands =
    refusal?.circumstances === circumstances && Math.abs(at - refusal.at) < FORGET_MILLIS
  return { refusal, bound: stands ? refusal.bound : deferralIn(seen) }
}

function refuse({ mark, message, actuated }: PendingResize, seen: ResizeSeen): Refusal {
  const { at, circumstances } = seen
  const request = showMillicores(actuated.request)
  const reason = `requests no more than the ${request} that it has: the kubelet calls its resize infeasible: ${message}`
  return { at, circumstances, mark, bound: { ...actuated, reason } }
}

function deferralIn({ pending, at }: ResizeSeen): ResizeBound | undefined {
  if (pending?.state !== 'Deferred') return undefined
  const millis = Math.max(0, at - pending.since)
  if (millis % (PATIENCE_MILLIS + BOUND_MILLIS) < PATIENCE_MILLIS) return undefined
  const more = (amount: Millicores): Millicores => Math.round(MORE_RATIO * amount) as Millicores
  const [request, limit] = [more(pending.actuated.request), more(pending.actuated.limit)]
  const reason = `requests no more than ${showMillicores(request)}: the kubelet has deferred its resize for ${Math.round(millis / 1000)} s: ${pending.message}`
  return { request, limit, reason }
}

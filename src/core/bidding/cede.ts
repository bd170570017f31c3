/**
 * What owners give up by their own word: a multiplier below 1, on a pod without a latency target, says
 * that it counts for less than its request within its namespace. While CPU is short it keeps that part of its
 * entitlement, or its `mbcas.io/min-cpu` where that is more, and the rest goes first to the others of the
 * namespace, by what they requested and their multipliers. The sum of a namespace stays, so no other
 * namespace gains or loses, and what is promised of the requests stays. O(n).
 *
 *   one namespace: entitled (multiplier)           secured
 *   2000m (0.2), 500m (1)                      ->  400m, 2100m
 *   2000m (0.2), 500m (1), 500m (3)            ->  400m, 900m, 1700m
 *   2000m (0.2), 500m (0.5)                    ->  2000m, 500m   nobody is there who counts in full
 */
import type { Millicores } from '../units.ts'
import { floorSetOf } from './entitlement.ts'
import type { NodePod } from './pod.ts'
import { byNamespace, requestedBy } from './weights.ts'

export type Own = {
  readonly pod: NodePod
  readonly entitled: Millicores
}

/** In the order given. */
export function cede(all: readonly Own[]): Millicores[] {
  const secured = new Map(all.map(({ pod, entitled }) => [pod.uid, entitled]))
  const places = all.map((own) => Object.assign({ namespace: own.pod.namespace }, own))
  for (const [, members] of byNamespace(places)) {
    const heirs = members.filter(({ pod }) => !countsLess(pod))
    const unit = heirs.reduce((sum, { pod }) => sum + sayOf(pod), 0)
    if (unit === 0 || heirs.length === members.length) continue
    let left = 0
    for (const { pod, entitled } of members) {
      if (!countsLess(pod)) continue
      const keeps = Math.max(keptOf(pod, entitled), Math.min(entitled, floorSetOf(pod)))
      left += entitled - keeps
      secured.set(pod.uid, keeps as Millicores)
    }
    for (const { pod, entitled } of heirs) {
      secured.set(pod.uid, (entitled + Math.floor((left * sayOf(pod)) / unit)) as Millicores)
    }
  }
  return all.map(({ pod, entitled }) => secured.get(pod.uid) ?? entitled)
}

const countsLess = ({ wishes, readyCores }: NodePod): boolean =>
  wishes.priorityMultiplier < 1 && readyCores === undefined

const keptOf = ({ wishes }: NodePod, entitled: Millicores): number =>
  Math.floor(entitled * wishes.priorityMultiplier)

const sayOf = (pod: NodePod): number => requestedBy(pod) * pod.wishes.priorityMultiplier

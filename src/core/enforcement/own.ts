/**
 * What counts as a pod's own in its weight: its entitlement, as its owner's words share it inside the
 * namespace. What was requested decides between namespaces; inside one, those that weigh by their
 * entitlement at this moment (in the lane, or with a latency target) share what is theirs together by
 * requests times multipliers, so that who counts for more goes first also where the other is within what
 * it requested: that is what its owner said. Who does not want CPU now is left out, and nobody else's
 * namespace gains or loses. Without multipliers it is the entitlement itself. Credits are not touched.
 * O(n) per sample.
 *
 *   one namespace: entitled (multiplier)                       own, in CPUs
 *   1000m (1), 1000m (1)                                   ->  1, 1
 *   1000m (4), 1000m (1)                                   ->  1.6, 0.4
 *   1000m (4) that sleeps, 1000m (1)                       ->  1, 1
 *   1000m (4), 1000m (1) outside the lane without a target ->  1, 1
 */
import type { Millicores } from '../units.ts'

export type Owner = {
  readonly id: string
  readonly namespace: string
  readonly entitled: Millicores
  /** What its owner says of it: multiplier and priority. */
  readonly say: number
  /** It wants CPU, and weighs by its entitlement. */
  readonly counts: boolean
}

/** By ID, in CPUs. */
export function ownOf(owners: readonly Owner[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { entitled: number; said: number }>()
  for (const { namespace, entitled, say, counts } of owners) {
    if (!counts) continue
    const sum = sums.get(namespace) ?? { entitled: 0, said: 0 }
    sums.set(namespace, sum)
    sum.entitled += entitled
    sum.said += entitled * say
  }
  return new Map(
    owners.map(({ id, namespace, entitled, say, counts }): [string, number] => {
      const sum = sums.get(namespace)
      if (!counts || sum === undefined || sum.said === 0) return [id, entitled / 1000]
      return [id, (sum.entitled * entitled * say) / sum.said / 1000]
    }),
  )
}

/** The most that any may come to, in CPUs, whoever of them wants CPU. */
export function largestOwn(owners: readonly Owner[]): number {
  const namespaces = new Map<string, { sum: number; most: number; says: Set<number> }>()
  for (const { namespace, entitled, say } of owners) {
    const known = namespaces.get(namespace) ?? { sum: 0, most: 0, says: new Set() }
    namespaces.set(namespace, known)
    known.sum += entitled
    known.most = Math.max(known.most, entitled)
    known.says.add(say)
  }
  let largest = 0
  for (const { sum, most, says } of namespaces.values()) {
    largest = Math.max(largest, says.size > 1 ? sum : most)
  }
  return largest / 1000
}

/**
 * What counts as a pod's own in its weight: its entitlement, as its owner's words share it inside the
 * namespace. What was requested decides between namespaces. Inside one, pods with a latency target come
 * first: they share what they are entitled to, and nine tenths of what all others that work there are,
 * each up to what it wants, by requests times multipliers (water-filling). Those without a target that
 * are in the lane share in the same way what is left, a hundredth at least. Who wants no more than its
 * part keeps its entitlement for its bursts, and what it leaves is shared as well; together they are made
 * to fit what was requested in the namespace. Strict shares are no part of this: they were sold as they are.
 *
 * What a pod wants is known a second late, and a burst is over by then. So a pod without a target yields
 * to a mate with one, also while that mate is calm: in the lane it weighs an eighth (weigh.ts). Pods of
 * other namespaces that weigh by their entitlement could take from it by that in bursts that are over
 * before a sample shows them: beside such pods it does not yield. Credits are not touched. O(n log n) per sample.
 *
 *   one namespace: entitled (multiplier), wants                   own, in CPUs; * yields
 *   1000m (1), 4000m; 1000m (1), 4000m                        ->  1, 1
 *   1000m (4), 4000m; 1000m (1), 4000m                        ->  1.6, 0.4
 *   1000m (4), 200m; 1000m (1), 600m                          ->  1, 1
 *   1000m (4), 200m; 1000m (1), 4000m                         ->  0.74, 1.26
 *   1000m (4), 800m; 1000m (1), 4000m                         ->  1.2, 0.8
 *   1000m with a target, 4000m; 1000m, 4000m                  ->  1.9, 0.01*
 *   1000m with a target, 200m; 1000m, 4000m                   ->  1, 1*
 *   the same, beside another's of 1000m that is in the lane   ->  1, 1
 */
import { byNamespace } from '../bidding/weights.ts'
import type { Millicores } from '../units.ts'

export type Owner = {
  readonly id: string
  readonly namespace: string
  readonly entitled: Millicores
  /** What its owner says of it: multiplier and priority. */
  readonly say: number
  /** A latency target of its own. */
  readonly hasTarget: boolean
  /** It uses CPU. */
  readonly works: boolean
  readonly isInLane: boolean
  readonly isStrict: boolean
  /** In millicores: what it uses and what it waits for, more or less over the last second. */
  readonly wanted: number
}

/** What is wanted is a mean: a burst wants more before that shows. */
const HEADROOM = 1.5
/** Of what pods without a target are entitled to: what they weigh outside the lane comes on top of it. */
const LENT_RATIO = 0.9
/** Of the same: what they keep whatever those with one want. */
const KEPT_RATIO = 0.01

export type Own = {
  /** In CPUs. */
  readonly cores: number
  readonly yields: boolean
}

/** By ID. */
export function ownOf(owners: readonly Owner[]): ReadonlyMap<string, Own> {
  const own = new Map(owners.map(({ id, entitled }) => [id, entitled / 1000]))
  const yielding = new Set<string>()
  const bursters = owners.filter(canBurst)
  for (const [namespace, members] of byNamespace(owners.filter(({ isStrict }) => !isStrict))) {
    if (!areAlike(members)) share(members, own)
    if (!members.some(({ hasTarget }) => hasTarget)) continue
    if (bursters.some((one) => one.namespace !== namespace)) continue
    for (const { id, hasTarget } of members) if (!hasTarget) yielding.add(id)
  }
  return new Map([...own].map(([id, cores]) => [id, { cores, yields: yielding.has(id) }]))
}

const areAlike = (members: readonly Owner[]): boolean =>
  new Set(members.map(({ say, hasTarget }) => `${say} ${hasTarget}`)).size === 1

/** From here on a pod wants CPU: by the mean, since one that pulses may be still in every other sample. */
const WANTS_MILLI = 10

const canBurst = ({ hasTarget, isInLane, wanted }: Owner): boolean =>
  (hasTarget || isInLane) && wanted >= WANTS_MILLI

const sumEntitled = (owners: readonly Owner[]): number =>
  owners.reduce((sum, { entitled }) => sum + entitled, 0)

const weightOf = ({ entitled, say }: Owner): number => entitled * say
/** Who wants least of its part comes first. */
const hungerOf = (one: Owner): number => one.wanted / Math.max(1e-9, weightOf(one))

function share(members: readonly Owner[], own: Map<string, number>): void {
  const working = members.filter(({ works }) => works)
  const first = working.filter(({ hasTarget }) => hasTarget)
  const mates = working.filter(({ hasTarget }) => !hasTarget)
  const others = mates.filter(({ isInLane }) => isInLane)
  const lent = LENT_RATIO * sumEntitled(mates)
  const left = fill(first, sumEntitled(first) + lent, own)
  const keptRatio = lent === 0 ? 1 : Math.max(KEPT_RATIO, Math.min(1, left / lent))
  fill(others, keptRatio * sumEntitled(others), own)
  fit([...first, ...others], sumEntitled(mates) + sumEntitled(first), own)
}

/** Who wants little keeps its entitlement, and what it leaves is shared as well: together no more than all. */
function fit(members: readonly Owner[], pool: number, own: Map<string, number>): void {
  const sum = members.reduce((all, { id }) => all + 1000 * (own.get(id) ?? 0), 0)
  if (sum <= pool) return
  for (const { id } of members) own.set(id, ((own.get(id) ?? 0) * pool) / sum)
}

/** Gives what is left. */
function fill(members: readonly Owner[], pool: number, own: Map<string, number>): number {
  let left = pool
  let said = members.reduce((sum, one) => sum + weightOf(one), 0)
  for (const one of members.toSorted((a, b) => hungerOf(a) - hungerOf(b))) {
    const { id, entitled } = one
    const wanted = HEADROOM * one.wanted
    const part = said > 0 ? (left * weightOf(one)) / said : 0
    const gets = Math.min(wanted, part)
    left -= gets
    said -= weightOf(one)
    own.set(id, (wanted <= part ? Math.max(entitled, gets) : gets) / 1000)
  }
  return left
}

/** The most that any may come to, in CPUs, whoever of them wants CPU. */
export function largestOwn(owners: readonly Owner[]): number {
  let largest = 0
  for (const members of byNamespace(owners).values()) {
    const amounts = members.map(({ entitled }) => entitled)
    largest = Math.max(largest, areAlike(members) ? Math.max(...amounts) : sumEntitled(members))
  }
  return largest / 1000
}

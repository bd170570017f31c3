/**
 * What counts as a pod's own in its weight: its entitlement, as its owner's words share it inside the
 * namespace. What was requested decides between namespaces; inside one, those that weigh by their
 * entitlement at this moment (in the lane, or with a latency target) share what is theirs together by
 * requests times multipliers, each up to what it wants: water-filling. Who wants no more than that keeps
 * its entitlement, which takes nothing from anybody, so that a mate which counts for more and wants little
 * makes nobody lighter beside other namespaces. Where all count alike it is the entitlement itself.
 * Credits are not touched. O(n log n) per sample.
 *
 *   one namespace: entitled (multiplier), wants              own, in CPUs
 *   1000m (1), 4000m; 1000m (1), 4000m                   ->  1, 1
 *   1000m (4), 4000m; 1000m (1), 4000m                   ->  1.6, 0.4
 *   1000m (4), 200m;  1000m (1), 1000m                   ->  1, 1
 *   1000m (4), 1200m; 1000m (1), 4000m                   ->  1.2, 0.8
 */
import type { Millicores } from '../units.ts'

export type Owner = {
  readonly id: string
  readonly namespace: string
  readonly entitled: Millicores
  /** What its owner says of it: multiplier and priority. */
  readonly say: number
  /** It weighs by its entitlement. */
  readonly counts: boolean
  /** In millicores: what it uses and what it waits for. */
  readonly wanted: number
}

/** By ID, in CPUs. */
export function ownOf(owners: readonly Owner[]): ReadonlyMap<string, number> {
  const own = new Map(owners.map(({ id, entitled }) => [id, entitled / 1000]))
  for (const members of byNamespace(owners.filter(({ counts }) => counts))) {
    if (new Set(members.map(({ say }) => say)).size > 1) share(members, own)
  }
  return own
}

const weightOf = ({ entitled, say }: Owner): number => entitled * say
/** Who wants least of its part comes first. */
const hungerOf = (one: Owner): number => one.wanted / Math.max(1e-9, weightOf(one))

function share(members: readonly Owner[], own: Map<string, number>): void {
  let left = members.reduce((sum, { entitled }) => sum + entitled, 0)
  let said = members.reduce((sum, one) => sum + weightOf(one), 0)
  for (const one of members.toSorted((a, b) => hungerOf(a) - hungerOf(b))) {
    const { id, wanted, entitled } = one
    const part = said > 0 ? (left * weightOf(one)) / said : 0
    const gets = Math.min(wanted, part)
    left -= gets
    said -= weightOf(one)
    own.set(id, (wanted <= part ? Math.max(entitled, gets) : gets) / 1000)
  }
}

function byNamespace(owners: readonly Owner[]): Iterable<readonly Owner[]> {
  const groups = new Map<string, Owner[]>()
  for (const owner of owners) {
    const group = groups.get(owner.namespace)
    if (group === undefined) groups.set(owner.namespace, [owner])
    else group.push(owner)
  }
  return groups.values()
}

/** The most that any may come to, in CPUs, whoever of them wants CPU. */
export function largestOwn(owners: readonly Owner[]): number {
  let largest = 0
  for (const members of byNamespace(owners)) {
    const amounts = members.map(({ entitled }) => entitled)
    const isAlike = new Set(members.map(({ say }) => say)).size === 1
    const sum = amounts.reduce((all, one) => all + one, 0)
    largest = Math.max(largest, isAlike ? Math.max(...amounts) : sum)
  }
  return largest / 1000
}

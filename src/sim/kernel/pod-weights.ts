/**
 * By which weights containers compete. Pods share the node by their own shares, and the containers of
 * a pod share by theirs what is the pod's; what one of them leaves goes to the rest of the pod, and
 * only then to others. Pods compete with each other directly, without the level of their QoS classes;
 * a container whose pod has no group competes like a pod, by its own shares.
 *
 * Method: the level of the node (share.ts) if every pod were one container; then, in a pod that gets
 * less than it wants, the level at which its containers use up its part. Weights by these two levels
 * make one sharing among all containers give the same. Where a pod has all it wants, a container may
 * go as far as the pod's weight reaches beyond what the others of the pod use. A pod of one container
 * has its own shares, exactly. O(n log n).
 *
 *   1 CPU beside another pod of 1024 shares that wants it all; a pod of 1024 shares
 *   containers' shares and millicores wanted   they get
 *   256, 1000; 768, 1000                       125, 375
 *   256, 1000; 768, 10                         490, 10
 */
import { type Claim, createLevels, type Wish } from './share.ts'

export type PodShares = { readonly cpu: { readonly shares: number } }

type Node = {
  readonly claims: readonly Claim[]
  /** `pods[i]` is the pod of `claims[i]`, whose weight is the container's shares. */
  readonly pods: readonly (PodShares | undefined)[]
  readonly capacityMilli: number
}

export function weighByPod({ claims, pods, capacityMilli }: Node): Claim[] {
  const members = new Map<PodShares, Claim[]>()
  let isSingle = true
  for (const [i, claim] of claims.entries()) {
    const pod = pods[i]
    if (pod === undefined) continue
    const known = members.get(pod)
    if (known === undefined) members.set(pod, [claim])
    else known.push(claim)
    isSingle &&= known === undefined
  }
  const podWeight = (claim: Claim, i: number): number => pods[i]?.cpu.shares ?? claim.weight
  if (isSingle) return claims.map((claim, i) => ({ ...claim, weight: podWeight(claim, i) }))

  const alone = claims.filter((_, i) => pods[i] === undefined)
  const level = createLevels([...alone, ...Array.from(members, asOne)])(capacityMilli)
  const weights = new Map<Claim, number>()
  for (const [pod, all] of members) {
    if (all.length === 1) continue
    for (const [claim, weight] of weighMembers(pod, all, level)) weights.set(claim, weight)
  }
  return claims.map((claim, i) => ({ ...claim, weight: weights.get(claim) ?? podWeight(claim, i) }))
}

const meanOf = (claims: readonly Claim[]): number =>
  claims.reduce((sum, { meanMilli }) => sum + meanMilli, 0)

const asOne = ([{ cpu }, members]: [PodShares, Claim[]]): Wish => ({
  weight: cpu.shares,
  meanMilli: meanOf(members),
})

/** Of the pod's weight: what is left when the others use all of it is no weight at all. */
const LEAST_PART = 1e-6

function weighMembers(
  { cpu: { shares } }: PodShares,
  members: readonly Claim[],
  level: number,
): [Claim, number][] {
  const wanted = meanOf(members)
  if (wanted > shares * level) {
    const within = createLevels(members)(shares * level)
    return members.map((claim) => [claim, (claim.weight * within) / level])
  }
  return members.map((claim) => {
    const rest = shares - (wanted - claim.meanMilli) / level
    return [claim, Math.max(shares * LEAST_PART, rest)]
  })
}

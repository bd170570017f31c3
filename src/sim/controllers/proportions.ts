/**
 * How the ReplicaSets of a Deployment that is scaled in the middle of a rollout share the difference:
 * each keeps its part of the whole, and the largest takes what rounding leaves over.
 *
 *   wanted 10, surge 3   old 8, new 5   scaled to 15   -> old 11, new 7
 *                                       scaled to 5    -> old 5, new 3
 */
type Portion = {
  readonly id: string
  readonly replicas: number
  /** The most pods that the Deployment could have when this set was last sized. */
  readonly most: number
}

/** Oldest first. Returns all sizes by id. */
export function shareOut(
  portions: readonly Portion[],
  { wanted, maxSurge }: { readonly wanted: number; readonly maxSurge: number },
): Map<string, number> {
  const allowed = wanted > 0 ? wanted + maxSurge : 0
  const toAdd = allowed - portions.reduce((sum, { replicas }) => sum + replicas, 0)
  // Of sets of one size the newer grows first, and the older shrinks first.
  const ordered = (toAdd > 0 ? portions.toReversed() : portions).toSorted(
    (a, b) => b.replicas - a.replicas,
  )
  const sizes = new Map(ordered.map(({ id, replicas }) => [id, replicas]))
  let left = toAdd
  for (const { id, replicas, most: before } of ordered) {
    if (left === 0) break
    const share = before === 0 ? 0 : Math.round((replicas * allowed) / before) - replicas
    const part = toAdd > 0 ? Math.min(share, left) : Math.max(share, left)
    sizes.set(id, replicas + part)
    left -= part
  }
  const [largest] = ordered
  if (largest) sizes.set(largest.id, Math.max(0, (sizes.get(largest.id) ?? 0) + left))
  return sizes
}

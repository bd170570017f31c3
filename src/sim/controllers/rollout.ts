/**
 * How large the ReplicaSets of a Deployment should be next, so that a change of the template reaches all
 * pods while at most `maxSurge` pods are too many and at most `maxUnavailable` too few.
 *
 *   wanted 4, surge 1, unavailable 1   old 4 available, new 0         -> old 3, new 1
 *                                      old 3 available, new 1 ready   -> old 2, new 2
 *                                      old 3 available, new 1 waiting -> as it is
 */
export type Sized = {
  readonly id: string
  readonly replicas: number
  /** Pods that are available. */
  readonly available: number
}

type Rollout = {
  readonly wanted: number
  readonly maxSurge: number
  readonly maxUnavailable: number
  readonly fresh: Sized
  /** Oldest first. */
  readonly old: readonly Sized[]
}

/** Sizes that change, by id. */
export function nextSizes({
  wanted,
  maxSurge,
  maxUnavailable,
  fresh,
  old,
}: Rollout): Map<string, number> {
  const sizes = new Map<string, number>()
  const total = fresh.replicas + sum(old.map(({ replicas }) => replicas))
  const room = wanted + maxSurge - total
  const grown =
    fresh.replicas > wanted
      ? wanted
      : fresh.replicas + Math.max(0, Math.min(wanted - fresh.replicas, room))
  if (grown !== fresh.replicas) sizes.set(fresh.id, grown)

  const least = wanted - maxUnavailable
  let mayGo = total - least - (fresh.replicas - fresh.available)
  if (mayGo <= 0) return sizes
  const left = new Map(old.map(({ id, replicas }) => [id, replicas]))
  const shrink = ({ id }: Sized, by: number) => left.set(id, (left.get(id) ?? 0) - by)

  // Those that do not serve go first, and cost nothing.
  for (const set of old) {
    const broken = Math.min(Math.max(0, set.replicas - set.available), mayGo)
    shrink(set, broken)
    mayGo -= broken
  }
  let spare = fresh.available + sum(old.map(({ available }) => available)) - least
  for (const set of old) {
    const serving = Math.min(left.get(set.id) ?? 0, Math.max(0, spare))
    shrink(set, serving)
    spare -= serving
  }
  for (const { id, replicas } of old) {
    const size = left.get(id) ?? 0
    if (size !== replicas) sizes.set(id, size)
  }
  return sizes
}

/** A number, or a share of the wanted pods: surge is rounded up, unavailability down. */
export function bounds(
  {
    maxSurge = '25%',
    maxUnavailable = '25%',
  }: { maxSurge?: number | string; maxUnavailable?: number | string },
  wanted: number,
): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const surge = countOf(maxSurge, wanted, Math.ceil)
  const unavailable = countOf(maxUnavailable, wanted, Math.floor)
  // Both 0 would never move.
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export const countOf = (
  value: number | string,
  of: number,
  round: (count: number) => number,
): number => (typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

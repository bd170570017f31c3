/**
 * Who runs how fast when a node's CPUs do not suffice: by weight (cpu.shares), and what one cannot
 * use goes to the others (water-filling).
 *
 * Each has a peak, its speed while it runs if nobody hinders it, and a mean, what it can use over
 * time: less than the peak if its quota ends its turns early. Its speed is what it gets at its peak
 * among the others at their means. So all get together the smaller of the CPUs and the sum of means:
 * who is held back by the CPUs gets its share in either view, and who is held back by its quota gets
 * its mean, in turns at the speed found here. That the others' turns are spread evenly is an
 * approximation: where many begin a turn at once, a full node is given out too much until the turns
 * have evened out: a few hundredths, seldom up to a tenth. To take every turn as a change would cost
 * 20 sharings a second a container.
 *
 * Speeds are whole millicores, those held back by the CPUs rounded by running totals, so that nothing
 * is lost. O(n log n): one sorting, then a search for each.
 *
 *   2 CPUs; weight, peak and mean            speeds
 *   1, 2000, 2000; 3, 2000, 2000             500, 1500
 *   1, 2000, 500;  1, 2000, 2000             1000, 1500   the first for 50 of every 100 ms
 *   1, 100, 100;   1, 3000, 3000             100, 1900
 */
export type Claim = Wish & { readonly peakMilli: number }

export type Wish = { readonly weight: number; readonly meanMilli: number }

export function shareCpus(claims: readonly Claim[], capacityMilli: number): number[] {
  const level = createLevels(claims)
  const common = level(capacityMilli)
  let exact = 0
  let given = 0
  return claims.map((claim) => {
    const { weight, peakMilli, meanMilli } = claim
    const share = weight * common
    if (share < meanMilli) {
      exact += share
      const speed = Math.round(exact) - given
      given += speed
      return speed
    }
    return Math.floor(Math.min(peakMilli, weight * level(capacityMilli, claim)))
  })
}

/**
 * Finds the level at which everyone's smaller of mean and weight x level add up to the capacity;
 * infinite if they do not reach it. `eager` is one who takes up to its peak instead.
 */
export function createLevels(claims: readonly Wish[]): (capacity: number, eager?: Wish) => number {
  const sorted = claims.toSorted((a, b) => a.meanMilli / a.weight - b.meanMilli / b.weight)
  const ends = sorted.map(({ meanMilli, weight }) => meanMilli / weight)
  // Before index i: the means of all that are full by then; from i on: the weights of the rest.
  const full = [0]
  for (const [i, { meanMilli }] of sorted.entries()) full.push((full[i] ?? 0) + meanMilli)
  const open = Array.from({ length: sorted.length + 1 }, () => 0)
  for (let i = sorted.length - 1; i >= 0; i--) {
    open[i] = (open[i + 1] ?? 0) + (sorted[i]?.weight ?? 0)
  }
  return (capacity, eager) => {
    const own = eager === undefined ? 0 : eager.meanMilli / eager.weight
    const takenAt = (level: number, i: number): number => {
      const taken = (full[i] ?? 0) + (open[i] ?? 0) * level
      return eager === undefined ? taken : taken + Math.max(0, level - own) * eager.weight
    }
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (takenAt(ends[middle] ?? 0, middle) < capacity) low = middle + 1
      else high = middle
    }
    const isOver = eager !== undefined && (ends[low] ?? Infinity) > own
    const weight = (open[low] ?? 0) + (isOver ? eager.weight : 0)
    const fixed = (full[low] ?? 0) - (isOver ? eager.meanMilli : 0)
    return weight === 0 ? Infinity : (capacity - fixed) / weight
  }
}

/** A rise that an item wishes for; `distance` is how far it is from its target. */
export type Wish = { readonly id: string; readonly wish: number; readonly distance: number }

/**
 * Shares `free` whole units in proportion to wishes that sum to more, or grants them all.
 *
 * Each gets its quota rounded down; what is left goes one each to the largest remainders, ties to
 * the larger distance, then by id, so that the order of the wishes does not matter. A quota is
 * below its wish, so rounding up never exceeds the wish. Products are whole and exact in BigInt:
 * two numbers of bytes overflow a double.
 *
 *   10 to wishes of 10, 20, 30  ->  2, 3, 5
 *   1 to wishes of 5, 5         ->  1, 0
 *   90 to wishes of 10, 20, 30  ->  10, 20, 30
 */
export function shareFree(free: number, wishes: readonly Wish[]): number[] {
  const wished = wishes.reduce((sum, { wish }) => sum + wish, 0)
  if (wished <= free) return wishes.map(({ wish }) => wish)
  const quotas = wishes.map(({ id, wish, distance }, i) => {
    const product = BigInt(wish) * BigInt(free)
    const remainder = Number(product % BigInt(wished))
    return { i, id, distance, remainder, down: Number(product / BigInt(wished)) }
  })
  const shares = quotas.map(({ down }) => down)
  const left = free - shares.reduce((a, b) => a + b, 0)
  const first = quotas.toSorted(
    (a, b) => b.remainder - a.remainder || b.distance - a.distance || (a.id < b.id ? -1 : 1),
  )
  for (const { i } of first.slice(0, left)) shares[i] = (shares[i] ?? 0) + 1
  return shares
}

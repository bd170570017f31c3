/**
 * Jain's index of fairness: 1 if all fare alike, 1/n if one has all.
 *
 * Method: (sum x)^2 / (n sum x^2). O(n).
 *
 * Reference: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness and Discrimination for Resource
 * Allocation in Shared Computer Systems", DEC-TR-301, 1984.
 *
 *   shares          index
 *   1, 1, 1         1
 *   1, 0, 0         0.333
 *   1, 0.5          0.9
 */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((all, share) => all + share, 0)
  const squares = shares.reduce((all, share) => all + share ** 2, 0)
  return squares === 0 ? 1 : sum ** 2 / (shares.length * squares)
}

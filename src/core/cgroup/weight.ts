/**
 * cpu.shares (v1, 2 to 262144) and cpu.weight (v2, 1 to 10000). The kubelet converts by a straight
 * line, and so did the runtimes; runc since 1.3.2 and crun since 1.23 bend it, so that the defaults
 * meet (1024 -> 100). The kubelet's groups (pods) and the runtime's (containers) may follow two
 * different rules on one node, and under the quadratic one the ratio of two weights is not that of
 * the requests. We write by the line, which keeps ratios.
 *
 *   shares   linear   quadratic
 *   2        1        1
 *   102      4        17
 *   1024     39       100
 *   2048     79       174
 *   262144   10000    10000
 */
const SHARES = { least: 2, most: 262_144 }
const STEPS = { shares: SHARES.most - SHARES.least, weight: 9999 }

export const clampShares = (shares: number): number =>
  Math.min(SHARES.most, Math.max(SHARES.least, Math.round(shares)))

/** What the least weight comes to among others, in shares: on v2 every group has it on top of its own. */
export const leastShares = { v1: SHARES.least, v2: STEPS.shares / STEPS.weight }

/** What a kubelet writes for a request (MilliCPUToShares). */
export const requestShares = (millicores: number): number =>
  clampShares(Math.floor((millicores * 1024) / 1000))

export const weightOfShares = (shares: number): number =>
  1 + Math.floor(((clampShares(shares) - SHARES.least) * STEPS.weight) / STEPS.shares)

/** The least shares that give the weight, so that a weight survives the way there and back. */
export const sharesOfWeight = (weight: number): number =>
  weight === 0 ? 0 : SHARES.least + Math.ceil(((weight - 1) * STEPS.shares) / STEPS.weight)

/** ConvertCPUSharesToCgroupV2Value in opencontainers/cgroups. */
function bentWeightOfShares(shares: number): number {
  const clamped = clampShares(shares)
  if (clamped === SHARES.least) return 1
  if (clamped === SHARES.most) return 10_000
  const log = Math.log2(clamped)
  return Math.ceil(10 ** ((log * log + 125 * log) / 612 - 7 / 34))
}

export const conversions = { linear: weightOfShares, quadratic: bentWeightOfShares }

/**
 * cpu.shares (v1, 2 to 262144) and cpu.weight (v2, 1 to 10000), by the kubelet's straight line: it
 * keeps the ratio of groups that compete. runc since 1.3.2 bends it instead, so that the defaults meet
 * (1024 -> 100), for containers alone: only siblings compete, and pods' siblings are the kubelet's.
 *
 *   shares   weight
 *   2        1
 *   1024     39
 *   2048     79
 *   262144   10000
 */
const SHARES = { least: 2, most: 262_144 }
const STEPS = { shares: SHARES.most - SHARES.least, weight: 9999 }

export const clampShares = (shares: number): number =>
  Math.min(SHARES.most, Math.max(SHARES.least, Math.round(shares)))

export const weightOfShares = (shares: number): number =>
  1 + Math.floor(((clampShares(shares) - SHARES.least) * STEPS.weight) / STEPS.shares)

/** The least shares that give the weight, so that a weight survives the way there and back. */
export const sharesOfWeight = (weight: number): number =>
  weight === 0 ? 0 : SHARES.least + Math.ceil(((weight - 1) * STEPS.shares) / STEPS.weight)

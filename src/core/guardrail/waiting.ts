/**
 * How much of its waiting for a CPU a pod has because of others.
 *
 * The kernel counts every thread that could run and does not, also those that wait behind threads of
 * their own pod. While a pod has 1.7 of 2 CPUs, others use no more than the 0.3 that are left, however
 * many of its threads wait; and of those 0.3 it may claim only what it is short of its entitlement.
 * Each sample is judged by itself, since bursts and pauses have nothing to do with each other; then
 * they are averaged over about a second. O(1) per sample.
 *
 *   CPUs  entitled  used  waited      lost to others  owed to it
 *   2     1         1.7   8       ->  0.3             0
 *   2     1         0.5   8       ->  1.5             0.5
 *   2     1         0.5   0.2     ->  0.2             0.2
 */
export type Waiting = {
  /** Of the time in which it wanted to run, what it waited while others could have used the CPU. */
  readonly waitedRatio: number
  readonly usedCores: number
  /** What it waited for meanwhile within its entitlement. */
  readonly owedCores: number
}

export type WaitingSample = {
  readonly seconds: number
  /** Of the machine. */
  readonly cpus: number
  readonly entitledCores: number
  readonly usedCores: number
  /** By all its threads together. */
  readonly waitedCores: number
}

export const noWaiting: Waiting = { waitedRatio: 0, usedCores: 0, owedCores: 0 }

const MEAN_SECONDS = 1

export function stepWaiting(before: Waiting, sample: WaitingSample): Waiting {
  const { seconds, cpus, entitledCores, usedCores, waitedCores } = sample
  const lostCores = Math.min(waitedCores, Math.max(0, cpus - usedCores))
  const waitedRatio = lostCores === 0 ? 0 : lostCores / (usedCores + lostCores)
  const owedCores = Math.min(lostCores, Math.max(0, entitledCores - usedCores))
  const part = -Math.expm1(-seconds / MEAN_SECONDS)
  const over = (mean: number, now: number): number => mean + part * (now - mean)
  return {
    waitedRatio: over(before.waitedRatio, waitedRatio),
    usedCores: over(before.usedCores, usedCores),
    owedCores: over(before.owedCores, owedCores),
  }
}

/**
 * It waits for as long as it runs, although within its entitlement: weights do not help it. A request of
 * a few milliseconds waits a third of its time for a slice of somebody else to end, at any weight.
 */
export const isOwed = ({ usedCores, owedCores }: Waiting): boolean =>
  owedCores > 0 && owedCores >= usedCores

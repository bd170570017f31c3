/**
 * Whether a pod suffers: it is late (p99 above its target), or it waits for a CPU. Beside idle CPU
 * nobody suffers from what others have. Throttling counts only where a quota is a share that was sold
 * (strict): elsewhere a quota is a ceiling that somebody set.
 *
 * Latency that is missing, too old or no number counts as not measured.
 *
 *   node   throttled  waited of wanted  p99 of target        verdict
 *   full   0          0.4               none             ->  waits
 *   full   0          0.1               150 of 100 ms    ->  late
 *   idle   0          0.4               150 of 100 ms    ->  well
 *   idle   0.1        0                 none             ->  throttled
 */
export type Latency = {
  readonly p99Millis: number
  readonly targetMillis: number
  /** Since it was measured. */
  readonly ageMillis: number
}

export type Signals = {
  /** Of the last 20 periods; 0 for a pod that is not held to a share. */
  readonly throttledRatio: number
  /** Of the time that it wanted to run, what it waited while others ran. */
  readonly waitedRatio: number
  readonly latency: Latency | undefined
  /** Of the node. */
  readonly hasIdleCpu: boolean
}

export const verdictStates = ['well', 'waits', 'late', 'throttled'] as const
export type VerdictState = (typeof verdictStates)[number]

export type Verdict = {
  readonly state: VerdictState
  /** p99 over its target; undefined where it is not known. */
  readonly slowRatio: number | undefined
}

/** A pod that shares a full CPU with one other waits for half of the time; that is its share. */
export const WAITED_RATIO = 0.25
/** Two turns of Prometheus' usual 15 s. */
export const OLDEST_LATENCY_MILLIS = 30_000

export const isSuffering = ({ state }: Pick<Verdict, 'state'>): boolean => state !== 'well'

/** `threshold` is of throttled periods. */
export function judge(signals: Signals, threshold: number): Verdict {
  const slowRatio = slowRatioOf(signals.latency)
  return { state: stateOf(signals, { threshold, slowRatio }), slowRatio }
}

type Compared = { readonly threshold: number; readonly slowRatio: number | undefined }

function stateOf(
  { throttledRatio, waitedRatio, hasIdleCpu }: Signals,
  { threshold, slowRatio = 0 }: Compared,
): VerdictState {
  if (throttledRatio > threshold) return 'throttled'
  if (hasIdleCpu) return 'well'
  if (slowRatio > 1) return 'late'
  return waitedRatio > WAITED_RATIO ? 'waits' : 'well'
}

export function slowRatioOf(latency: Latency | undefined): number | undefined {
  if (latency === undefined || !(latency.ageMillis <= OLDEST_LATENCY_MILLIS)) return undefined
  const ratio = latency.p99Millis / latency.targetMillis
  return ratio >= 0 && ratio < Infinity ? ratio : undefined
}

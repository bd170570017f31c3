/**
 * The constants of the control law by sampling interval and by period of enforcement. They were found
 * at 100 ms, 250 ms and 1 s on the real kernel with its usual period of 100 ms; between these they go
 * evenly with the logarithm of the interval, outside they stay.
 *
 * A quota of a longer period is a deeper bucket: a surge runs on what it holds until the law has seen
 * it, so less has to be kept ready. By the law of the bucket the weight of the variance falls with the
 * depth; head-room and peak were found at 1 s, and go evenly with the logarithm in between.
 *
 *   interval  varianceWeight  headroomRatio  peakRatio  fallRatio  holdSeconds
 *   100 ms    2               0.15           0.5        1          0.5
 *   250 ms    3               0.2            0.8        0.2        1.25
 *   1 s       3               0.3            1.2        0.1        5
 *
 *   period    varianceWeight  headroomRatio  peakRatio
 *   100 ms    x 1             x 1            x 1
 *   1 s       x 0.1           x 0.6          x 0.3
 */
export type LawSettings = {
  /** How rarely the bucket may run dry: about once in e^varianceWeight. */
  readonly varianceWeight: number
  /** Quota above demand, whatever the variance. */
  readonly headroomRatio: number
  /** Quota for the remembered peak of demand: what on/off loads come back to. */
  readonly peakRatio: number
  /** The most that quota falls by at once. */
  readonly fallRatio: number
  /** So long after throttling or a fall quota does not fall: five samples, or five seconds. */
  readonly holdSeconds: number
}

type Row = { readonly seconds: number; readonly settings: Omit<LawSettings, 'holdSeconds'> }

const FINE: Row = {
  seconds: 0.1,
  settings: { varianceWeight: 2, headroomRatio: 0.15, peakRatio: 0.5, fallRatio: 1 },
}
const MIDDLE: Row = {
  seconds: 0.25,
  settings: { varianceWeight: 3, headroomRatio: 0.2, peakRatio: 0.8, fallRatio: 0.2 },
}
const COARSE: Row = {
  seconds: 1,
  settings: { varianceWeight: 3, headroomRatio: 0.3, peakRatio: 1.2, fallRatio: 0.1 },
}

/** The kernel's usual period, and the longest. */
const PERIODS = { usual: 0.1, longest: 1 }
const DEEPEST = { headroomRatio: 0.6, peakRatio: 0.3 }

export function lawSettings(
  samplingSeconds: number,
  periodSeconds: number = PERIODS.usual,
): LawSettings {
  const depth = Math.min(PERIODS.longest, Math.max(PERIODS.usual, periodSeconds)) / PERIODS.usual
  const deep = Math.log(depth) / Math.log(PERIODS.longest / PERIODS.usual)
  const isFine = samplingSeconds < MIDDLE.seconds
  const low = isFine ? FINE : MIDDLE
  const high = isFine ? MIDDLE : COARSE
  const part = Math.log(samplingSeconds / low.seconds) / Math.log(high.seconds / low.seconds)
  const ratio = Math.min(1, Math.max(0, part))
  const between = (name: keyof Row['settings']): number =>
    low.settings[name] + (high.settings[name] - low.settings[name]) * ratio
  return {
    varianceWeight: between('varianceWeight') / depth,
    headroomRatio: between('headroomRatio') * (1 + (DEEPEST.headroomRatio - 1) * deep),
    peakRatio: between('peakRatio') * (1 + (DEEPEST.peakRatio - 1) * deep),
    fallRatio: between('fallRatio'),
    holdSeconds: 5 * Math.min(samplingSeconds, COARSE.seconds),
  }
}

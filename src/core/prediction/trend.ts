/**
 * Where demand is going: a Kalman filter of its level and velocity.
 *
 * Objective: the demand some seconds ahead, of least expected squared error if demand drifts, its
 * velocity wanders and measurements are noisy. Model: level' = velocity + drift, velocity' = wander,
 * measured = level + noise; a measurement over dt seconds has the variance of one second over dt, as
 * counts of arrivals do, so that the sampling interval does not change the course.
 *
 * Method: covariances are in units of the noise's variance, which is learnt from the innovations: what
 * is measured in other units gives the same course in those units, and gains do not depend on the
 * data. Innovations beyond `GATE` deviations are taken as far as the gate only; three in a row on one
 * side are no outliers but a new level, and the filter starts there. So it does after a gap.
 * O(1), about 0.1 us.
 *
 * Reference: R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems", 1960;
 * Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation", 2001, 5.4
 * (innovation gating) and 6.3 (nearly constant velocity).
 *
 *   measured every second               level  velocity  in 2 s
 *   20 x 0.3                            0.3    0         0.3
 *   0.1, 0.2, ... 2.0                   2      0.1       2.2
 *   20 x 0.3, then 0.9 once             0.3    0         0.3     no noise seen: gated wholly
 *   20 x 0.3, then 0.9 three times      0.9    0         0.9     a new level
 */
import type { Millis } from '../units.ts'

/** Of the level each second, in variances of a measurement over one second. */
const DRIFT = 0.1
/** Of the velocity each second: a ramp shows in some 5 s. */
const WANDER = 0.01
const GATE = 3
const SHIFT_AFTER = 3
/** So many innovations teach the noise's variance before any is gated; later the last few dozen. */
const UNGATED = 5
const NOISE_MEMORY = 40
/** After so long nothing that was known of the course holds. */
const LONGEST_GAP_SECONDS = 30

export type Measurement = { readonly at: Millis; readonly cores: number }

export type Trend = {
  readonly at: Millis
  readonly level: number
  /** Cores a second. */
  readonly velocity: number
  /** Of a measurement over one second, in cores squared. */
  readonly noise: number
  /** Innovations that the noise was learnt from. */
  readonly innovations: number
  /** In units of the noise: of the level, of both, of the velocity. */
  readonly covariance: readonly [number, number, number]
  /** Gated in a row: above the level if positive, else below. */
  readonly gated: number
  /** What was made of the last measurement. */
  readonly reason: string
}

export function startTrend({ at, cores }: Measurement, reason = 'the first measurement'): Trend {
  return {
    at,
    level: cores,
    velocity: 0,
    noise: 0,
    innovations: 0,
    covariance: [1, 0, WANDER],
    gated: 0,
    reason,
  }
}

/** A measurement at or before the last one says nothing new and is left out. */
export function followTrend(before: Trend, measurement: Measurement): Trend {
  const { at, cores } = measurement
  const seconds = (at - before.at) / 1000
  if (!(seconds > 0)) return { ...before, reason: 'not later than the last measurement: left out' }
  if (seconds > LONGEST_GAP_SECONDS) {
    return startTrend(measurement, `started anew after ${seconds.toFixed(0)} s without measurement`)
  }
  const [p00, p01, p11] = spread(before.covariance, seconds)
  const expected = before.level + before.velocity * seconds
  const measured = 1 / seconds
  const total = p00 + measured
  const innovation = cores - expected
  const limit = before.innovations < UNGATED ? Infinity : GATE * Math.sqrt(total * before.noise)
  const isGated = Math.abs(innovation) > limit
  const gated = isGated ? countGated(before.gated, innovation) : 0
  if (Math.abs(gated) >= SHIFT_AFTER) {
    const { noise, innovations } = before
    const reason = `${SHIFT_AFTER} measurements beyond ${GATE} deviations: a new level`
    return { ...startTrend(measurement, reason), noise, innovations }
  }
  const taken = isGated ? Math.sign(innovation) * limit : innovation
  const innovations = Math.min(before.innovations + 1, NOISE_MEMORY)
  return {
    at,
    level: expected + (p00 / total) * taken,
    velocity: before.velocity + (p01 / total) * taken,
    noise: before.noise + ((taken * taken) / total - before.noise) / innovations,
    innovations,
    covariance: [(p00 * measured) / total, (p01 * measured) / total, p11 - (p01 * p01) / total],
    gated,
    reason: isGated ? `beyond ${GATE} deviations: taken as far as these` : 'as expected',
  }
}

/** Cores, never negative. */
export const predictDemand = ({ level, velocity }: Trend, secondsAhead: number): number =>
  Math.max(0, level + velocity * secondsAhead)

/** How uncertain the level is as time passes without a measurement. */
function spread(
  [p00, p01, p11]: Trend['covariance'],
  seconds: number,
): readonly [number, number, number] {
  const wander = WANDER * seconds
  return [
    p00 + (2 * p01 + p11 * seconds) * seconds + DRIFT * seconds + (wander * seconds ** 2) / 3,
    p01 + p11 * seconds + (wander * seconds) / 2,
    p11 + wander,
  ]
}

const countGated = (before: number, innovation: number): number =>
  Math.sign(before) === Math.sign(innovation)
    ? before + Math.sign(innovation)
    : Math.sign(innovation)

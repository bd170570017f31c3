/** How a pod does, and what it did, moved on by a sample of its containers. */
import { ratesBetween } from '../../core/demand/rates.ts'
import { isInLane } from '../../core/enforcement/lane.ts'
import { type Lived, stepStanding } from '../../core/enforcement/standing.ts'
import { isSuffering, slowRatioOf } from '../../core/guardrail/signals.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import { type Charge, isNew, type Measured, type PodStanding } from './charge.ts'

export type Moment = Pick<Lived, 'latency' | 'cpus' | 'hasIdleCpu' | 'throttledRatio'> & {
  readonly measured: readonly Measured[]
  readonly now: Millis
}

/**
 * By the time since the pod was last judged: its containers are not all looked at alike, and every
 * moment counts once.
 */
export function stepPod({ decision, standing }: Charge, moment: Moment): PodStanding {
  const { measured, latency, cpus, now } = moment
  const seconds = secondsOf(measured)
  if (seconds === 0 || measured.every((one) => isNew(one) && one.dropped !== undefined)) {
    return standing
  }
  const { secured: entitled, given, enforcement } = decision
  const usedCores = measured.reduce((sum, one) => sum + coresOf(one, cpus), 0)
  const stepped = stepStanding(standing, {
    ...moment,
    seconds,
    usedCores,
    waitedCores: measured.reduce((sum, { waitedCores }) => sum + waitedCores, 0),
    periods: { ...worstOf(measured.filter(isGood)), seconds },
    entitled,
    given,
    isStrict: enforcement === 'strict',
  })
  const isBad = isSuffering(stepped.verdict)
  const isShort = (slowRatioOf(latency) ?? 0) > 1 && !isInLane(stepped.credits)
  return {
    ...standing,
    ...stepped,
    used: Math.round(usedCores * 1000) as Millicores,
    badSince: isBad ? (standing.badSince ?? now) : undefined,
    shortAt: isShort ? now : standing.shortAt,
  }
}

const isGood = (one: Measured): boolean => isNew(one) && one.dropped === undefined

function secondsOf(measured: readonly Measured[]): number {
  const from = Math.max(...measured.map(({ spell }) => spell.from.atMicros))
  const to = Math.max(...measured.map(({ spell }) => spell.to.atMicros))
  return (to - from) / 1_000_000
}

/** Meanwhile; as it last was where that is not known. */
function coresOf({ rates, spell }: Measured, cpus: number): number {
  const meanwhile = ratesBetween(spell.from, spell.to, cpus)
  return ('rates' in meanwhile ? meanwhile.rates : rates).usageCores
}

type Periods = Pick<Measured['rates'], 'periods' | 'throttledPeriods' | 'throttledRatio'>
const none: Periods = { periods: 0, throttledPeriods: 0, throttledRatio: 0 }

const worstOf = (measured: readonly Measured[]): Periods =>
  measured
    .map(({ rates }): Periods => rates)
    .reduce((a, b) => (b.throttledRatio >= a.throttledRatio ? b : a), none)

/** What its containers did since they were last counted. */
export function sampleOf(measured: readonly Measured[]) {
  const total = {
    demandCores: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledSeconds: 0,
    waitedSeconds: 0,
    burstPeriods: 0,
  }
  for (const one of measured) {
    const { level, rates, waitedCores } = one
    total.demandCores += level.estimate
    if (!isGood(one)) continue
    total.periods += rates.periods
    total.throttledPeriods += rates.throttledPeriods
    total.throttledSeconds += rates.throttledCores * rates.seconds
    total.waitedSeconds += waitedCores * rates.seconds
    total.burstPeriods += rates.burstPeriods
  }
  return total
}

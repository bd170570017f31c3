/** How a pod does, moved on by a sample of its containers. */
import { isInLane } from '../../core/enforcement/lane.ts'
import { type Lived, stepStanding } from '../../core/enforcement/standing.ts'
import { isSuffering, slowRatioOf } from '../../core/guardrail/signals.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { Charge, Measured, PodStanding } from './charge.ts'

export type Moment = Pick<Lived, 'latency' | 'cpus' | 'hasIdleCpu' | 'throttledRatio'> & {
  readonly measured: readonly Measured[]
  readonly now: Millis
}

export function stepPod({ decision, standing }: Charge, moment: Moment): PodStanding {
  const { measured, latency, now } = moment
  if (measured.some(({ dropped }) => dropped !== undefined)) return standing
  const { entitled, given, enforcement } = decision
  const usedCores = measured.reduce((sum, { rates }) => sum + rates.usageCores, 0)
  const stepped = stepStanding(standing, {
    ...moment,
    seconds: Math.max(...measured.map(({ rates }) => rates.seconds)),
    usedCores,
    waitedCores: measured.reduce((sum, { waitedCores }) => sum + waitedCores, 0),
    periods: worstOf(measured),
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

const worstOf = (measured: readonly Measured[]): Measured['rates'] =>
  measured.map(({ rates }) => rates).reduce((a, b) => (b.throttledRatio > a.throttledRatio ? b : a))

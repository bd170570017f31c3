/** Our law with the forecast of demand; and with more or less quota at all times, to compare with. */
import {
  followTrend,
  predictDemand,
  startTrend,
  type Trend,
} from '../../../src/core/prediction/trend.ts'
import { toMillicores } from '../../../src/core/rivals/law.ts'
import type { Millicores } from '../../../src/core/units.ts'
import type { OurState } from './ours.ts'
import type { JudgedLaw, Observed } from './pass.ts'

/** As far as the quota may be from what is wanted before it is written: our law's own dead band. */
const riseRatio = 1.075
const fallRatio = 0.85

type Scaled<More> = { readonly own: OurState; readonly more: More; readonly quota: Millicores }

type Scaling<More> = {
  readonly more: More
  /** What the law's quota is multiplied by. */
  readonly scale: (
    more: More,
    seen: { readonly own: OurState; readonly observed: Observed },
  ) => { readonly more: More; readonly ratio: number }
}

function scaled<More>(
  law: JudgedLaw<OurState>,
  { more: first, scale }: Scaling<More>,
): JudgedLaw<Scaled<More>> {
  return {
    ...law,
    start: (quota, at) => ({ own: law.start(quota, at), more: first, quota }),
    decide(before, observed) {
      const own = law.decide(before.own, observed).state
      const { more, ratio } = scale(before.more, { own, observed })
      const wanted = own.quota * ratio
      const isNear = wanted <= riseRatio * before.quota && wanted >= fallRatio * before.quota
      const quota = isNear ? before.quota : toMillicores(wanted / 1000)
      return { state: { own, more, quota }, quota }
    },
  }
}

export const evenly = (law: JudgedLaw<OurState>, ratio: number): JudgedLaw<Scaled<undefined>> =>
  scaled(law, { more: undefined, scale: (more) => ({ more, ratio }) })

/** Until a raise has its effect. */
const aheadSeconds = 1
/** The most that a forecast may raise a quota. */
const mostRatio = 1.5

/** A raise for where demand will be. To cut in advance as well was worse than none on both counts. */
export const withTrend = (law: JudgedLaw<OurState>): JudgedLaw<Scaled<Trend | undefined>> =>
  scaled<Trend | undefined>(law, {
    more: undefined,
    scale(before, { own, observed }) {
      // Throttled use only says what the quota was; the law's demand is not hidden by it.
      const cores = observed.throttledPeriods > 0 ? own.demandCores : observed.usageCores
      const measurement = { at: observed.at, cores }
      const more = before === undefined ? startTrend(measurement) : followTrend(before, measurement)
      const forecast = predictDemand(more, aheadSeconds)
      const ratio = Math.max(1, Math.min(forecast / own.demandCores, mostRatio))
      return { more, ratio: Number.isNaN(ratio) ? 1 : ratio }
    },
  })

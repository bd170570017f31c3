/** Our law as the bench judges it. */
import { type LawState, startLaw, stepLaw } from '../../../src/core/demand/law.ts'
import { lawSettings } from '../../../src/core/demand/settings.ts'
import { toMillicores } from '../../../src/core/rivals/law.ts'
import { type Millicores, millis } from '../../../src/core/units.ts'
import { cpus, type JudgedLaw } from './pass.ts'

export type OurState = {
  readonly law: LawState
  /** What the law wants; others may have made more or less of it. */
  readonly quota: Millicores
  /** Not hidden by the limit. */
  readonly demandCores: number
}

export function ours(every: number): JudgedLaw<OurState> {
  const settings = lawSettings(every / 1000)
  return {
    name: `ours ${every} ms`,
    every: millis(every),
    burstRatio: 1,
    start: (quota) => ({ law: startLaw, quota, demandCores: 0 }),
    decide(before, observed) {
      const sample = {
        seconds: observed.seconds,
        usageCores: observed.usageCores,
        throttledPeriods: observed.throttledPeriods,
        throttledCores: observed.throttledCores,
        quotaCores: before.quota / 1000,
        parallelism: 1,
        floorCores: 0,
        ceilingCores: cpus,
      }
      const step = stepLaw(before.law, sample, settings)
      if ('dropped' in step) throw new Error(`stepping our law: ${step.dropped}`)
      const quota = toMillicores(step.quotaCores)
      return { state: { law: step.state, quota, demandCores: step.demandCores }, quota }
    },
  }
}

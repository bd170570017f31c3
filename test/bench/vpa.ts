/** The table of the real node: static limits, no limits, VPA itself and MBCAS on real pods. */
import { writeFileSync } from 'node:fs'

import { real, realCluster, skipUnless } from '../real.ts'
import type { Bench } from './bench.ts'
import { rawLines } from './raw-lines.ts'
import { untilStopped } from './until-stopped.ts'
import { arms, moreArms } from './vpa/arms.ts'
import { compete, type Outcome, secondsOf } from './vpa/contest.ts'
import { type Options, readOptions } from './vpa/options.ts'
import { notesOf, report } from './vpa/report.ts'

export const vpa: Bench = {
  name: 'vpa',
  about: 'a real node under static limits, no limits, VPA 1.8.1 and MBCAS; --quick, --arms, ...',
  async run(flags) {
    const options = readOptions(flags)
    const reason = whyNot()
    if (reason !== undefined) {
      console.log(`\nThe real node cannot be measured here: ${reason}`)
      return
    }
    const { plan } = options
    const minutes = Math.ceil(secondsOf(plan) / 60)
    console.log(
      `\n${plan.arms.length} arms, ${plan.repeats} repeats, seed ${plan.seed}: ` +
        `about ${minutes} minutes\n`,
    )
    tell(
      await untilStopped('the cluster, groups and processes', async (stopping) =>
        compete(plan, stopping),
      ),
      options,
    )
  },
}

/** Why it cannot run here, with the remedy, if so. */
export const whyNot = (): string | undefined =>
  skipUnless(...realCluster, real.vpa, real.metricsServer) || undefined

function tell({ passes, failed, histories }: Outcome, { plan, out }: Options): void {
  const names = [...arms, ...moreArms].map(({ name }) => name)
  console.log(report(passes, names).join('\n'))
  console.log(notesOf(plan, passes).join('\n'))
  if (out !== undefined) {
    const { arms, ...settings } = plan
    const told = { arms: arms.map(({ name }) => name), histories: Object.fromEntries(histories) }
    writeFileSync(out, rawLines({ ...settings, ...told }, passes))
  }
  if (failed.length === 0) return
  const causes = failed.map(({ where, error }) => new Error(`running ${where}`, { cause: error }))
  throw new AggregateError(causes, `${failed.length} passes failed`)
}

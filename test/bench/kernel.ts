/** The proof on the kernel: services beside hogs and beside each other, arm by arm, in real groups. */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

import { cpuCgroup } from '../kubernetes/cgroups.ts'
import type { Bench } from './bench.ts'
import { arms, moreArms } from './kernel/arm.ts'
import { compete, countOf, groupPrefix, type Outcome, secondsOf } from './kernel/contest.ts'
import { type Options, readOptions } from './kernel/options.ts'
import { notesOf, report, reportVerdicts } from './kernel/report.ts'
import { summarise } from './kernel/summary.ts'
import { judge } from './kernel/verdict.ts'
import { rawLines } from './raw-lines.ts'
import { untilStopped } from './until-stopped.ts'

export const kernel: Bench = {
  name: 'kernel',
  about:
    'services beside a hog and beside each other on this kernel, arm by arm; --quick, --arms, ...',
  async run(flags) {
    const options = readOptions(flags)
    const reason = whyNot()
    if (reason !== undefined) {
      console.log(`\nThe arms cannot be measured on this kernel: ${reason}`)
      return
    }
    const { plan } = options
    const minutes = Math.ceil(secondsOf(plan) / 60)
    console.log(`\n${countOf(plan)} passes, seed ${plan.seed}: up to ${minutes} minutes\n`)
    tell(
      await untilStopped('the groups and processes', async (stopping) => compete(plan, stopping)),
      options,
    )
  },
}

/** Why groups cannot be made here, if so. */
export function whyNot(): string | undefined {
  try {
    const probe = cpuCgroup(`${groupPrefix}-${process.pid}-probe`)
    mkdirSync(probe)
    rmdirSync(probe)
    return undefined
  } catch (error) {
    return `it needs root and a CPU cgroup: ${(error as Error).message}`
  }
}

function tell({ passes, runsAgain, failed }: Outcome, { plan, out }: Options): void {
  const names = [...arms, ...moreArms].map(({ name }) => name)
  const summaries = summarise(passes, names)
  console.log(report(summaries).join('\n'))
  console.log(reportVerdicts(judge(passes, summaries)).join('\n'))
  console.log([...notesOf(plan), `Passes run again as others disturbed: ${runsAgain}.`].join('\n'))
  if (out !== undefined) {
    const { scenes, arms, ...settings } = plan
    const names = { scenes: scenes.map(({ name }) => name), arms: arms.map(({ name }) => name) }
    writeFileSync(out, rawLines({ ...settings, ...names }, passes))
  }
  if (failed.length === 0) return
  const causes = failed.map(({ where, error }) => new Error(`running ${where}`, { cause: error }))
  throw new AggregateError(causes, `${failed.length} passes failed`)
}

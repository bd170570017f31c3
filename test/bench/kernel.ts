/** The proof on the kernel: MBCAS and the laws of others under the same load, in real groups. */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

import { cpuCgroup } from '../kubernetes/cgroups.ts'
import type { Bench } from './bench.ts'
import { ours } from './kernel/arm.ts'
import { compete, type Outcome, secondsOf } from './kernel/contest.ts'
import { type Options, readOptions } from './kernel/options.ts'
import { drawArms } from './kernel/picture.ts'
import { notesOf, report } from './kernel/report.ts'
import { type ArmSummary, judge, summarise } from './kernel/summary.ts'
import { untilStopped } from './until-stopped.ts'

export const kernel: Bench = {
  name: 'kernel',
  about:
    'MBCAS beside static limits, VPA, Koordinator and Captain on this kernel; --quick, --arms, ...',
  async run(flags) {
    const options = readOptions(flags)
    const reason = whyNot()
    if (reason !== undefined) {
      console.log(`\nThe laws cannot be measured on this kernel: ${reason}`)
      return
    }
    const { plan } = options
    const minutes = (secondsOf(plan) / 60).toFixed(0)
    console.log(`\n${plan.arms.length} arms on this kernel: up to ${minutes} minutes\n`)
    tell(
      await untilStopped('the groups and processes', async (stopping) => compete(plan, stopping)),
      options,
    )
  },
}

/** Why groups cannot be made here, if so. */
export function whyNot(): string | undefined {
  try {
    const probe = cpuCgroup(`mbcas-kernel-bench-${process.pid}-probe`)
    mkdirSync(probe)
    rmdirSync(probe)
    return undefined
  } catch (error) {
    return `it needs root and a CPU cgroup: ${(error as Error).message}`
  }
}

function tell({ contestants, runsAgain, failed }: Outcome, { plan, out, svg }: Options): void {
  const summaries = summarise(contestants, ours.name)
  const verdicts = judge(summaries)
  console.log(report(summaries, verdicts).join('\n'))
  console.log(
    ['', ...notesOf(plan), `Passes run again as others disturbed: ${runsAgain}.`].join('\n'),
  )
  if (out !== undefined) {
    const passes = contestants.map(({ arm, passes, stepSeconds }) => ({
      name: arm.name,
      stepSeconds,
      passes: passes.map(({ latencies, ...figures }) => ({
        requests: latencies.length,
        ...figures,
      })),
    }))
    const { arms, ...settings } = plan
    const names = arms.map(({ name }) => name)
    const all = { plan: { arms: names, ...settings }, summaries, verdicts, passes }
    writeFileSync(out, `${JSON.stringify(all, null, 2)}\n`)
  }
  if (svg !== undefined) writeFileSync(svg, drawArms(summaries.map(dotOf)))
  if (failed.length === 0) return
  const causes = failed.map(({ name, error }) => new Error(`running ${name}`, { cause: error }))
  throw new AggregateError(causes, `${failed.map(({ name }) => name).join(', ')} failed`)
}

const dotOf = ({ name, isOurs, means }: ArmSummary) => ({
  name,
  isOurs,
  quota: means.allowedCores,
  p99: means.p99,
})

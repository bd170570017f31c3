/** Programs that nobody here wrote beside batch work: what a request is worth, arm by arm. */
import { writeFileSync } from 'node:fs'

import { real, skipUnless } from '../real.ts'
import type { Bench } from './bench.ts'
import { whyNot as whyNoGroups } from './kernel.ts'
import { arms } from './programs/arm.ts'
import { compete, type Outcome, secondsOf } from './programs/contest.ts'
import { type Options, readOptions } from './programs/options.ts'
import { report, reportVerdicts } from './programs/report.ts'
import { scenes } from './programs/scene.ts'
import { summarise } from './programs/summary.ts'
import { judge } from './programs/verdict.ts'
import { rawLines } from './raw-lines.ts'
import { untilStopped } from './until-stopped.ts'

export const programs: Bench = {
  name: 'programs',
  about:
    'PostgreSQL, Redis and nginx beside stress-ng and a compiler, arm by arm; --quick, --scene, ...',
  async run(flags) {
    const options = readOptions(flags)
    const reason = whyNot()
    if (reason !== undefined) {
      console.log(`\nThe programs cannot be measured here: ${reason}`)
      return
    }
    const { plan } = options
    const minutes = Math.ceil(secondsOf(plan) / 60)
    console.log(
      `\n${plan.scenes.length} scenes, ${plan.arms.length} arms, ${plan.repeats} repeats, ` +
        `seed ${plan.seed}: about ${minutes} minutes\n`,
    )
    tell(
      await untilStopped('the groups, processes and files', async (stopping) =>
        compete(plan, stopping),
      ),
      options,
    )
  },
}

/** Why it cannot run here, with the remedy, if so. */
export function whyNot(): string | undefined {
  return skipUnless(real.root, real.programs) || whyNoGroups()
}

function tell({ runs, failed, sizes }: Outcome, { plan, json }: Options): void {
  const names = arms.map(({ name }) => name)
  const summaries = summarise(runs, names)
  const verdicts = judge(summaries, { ours: 'MBCAS', isBursty })
  console.log(report(summaries).join('\n'))
  console.log(reportVerdicts(verdicts).join('\n'))
  console.log(`Seed ${plan.seed}; the runs, with what others used, are on stderr.`)
  if (json !== undefined) {
    const { lengths, repeats, seed } = plan
    writeFileSync(
      json,
      rawLines({ lengths, repeats, seed, sizes: Object.fromEntries(sizes) }, runs),
    )
  }
  if (failed.length === 0) return
  const causes = failed.map(({ where, error }) => new Error(`running ${where}`, { cause: error }))
  throw new AggregateError(causes, `${failed.length} runs failed`)
}

const isBursty = (scene: string, service: string): boolean =>
  scenes.find(({ name }) => name === scene)?.services.find(({ name }) => name === service)?.shape
    .bursts !== undefined

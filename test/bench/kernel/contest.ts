/** All arms over the same loads: paired by their seeds, in an order drawn anew for every repeat. */
import { seededRandom, shuffle } from '../../../src/core/random.ts'
import type { Arm } from './arm.ts'
import type { PassFigures } from './pass.ts'
import type { Disturbance } from './trace.ts'
import { prepareTrials, type Settings, stepRunSeconds, type Trials } from './trial.ts'

export type Plan = Settings & {
  readonly arms: readonly Arm[]
  readonly repeats: number
  /** Passes that may be run again because others used the machine. */
  readonly spareRuns: number
}

export type Contestant = {
  readonly arm: Pick<Arm, 'name' | 'isOurs'>
  /** One a repeat, in the order of the repeats. */
  readonly passes: readonly PassFigures[]
  readonly stepSeconds: readonly number[]
}

export type Outcome = {
  readonly contestants: readonly Contestant[]
  readonly runsAgain: number
  /** Arms that failed, and why: they are in no table. */
  readonly failed: readonly { readonly name: string; readonly error: unknown }[]
}

/** A pass during which others and the host took more of the machine is run again, once. */
const mostDisturbedRatio = 0.15
/** To start and to end the processes of a run. */
const setUpSeconds = 2.5

/** The longest that it should take: with all passes that may be run again. */
export function secondsOf({ arms, repeats, passSeconds, step, spareRuns }: Plan): number {
  const passes = arms.length * repeats + spareRuns
  const steps = arms.length * (stepRunSeconds(step) + setUpSeconds)
  return passes * (passSeconds + setUpSeconds) + steps
}

type Entry = { readonly arm: Arm; passes: PassFigures[]; stepSeconds: number[]; error?: unknown }
type Talk = { readonly say: (line: string) => void; readonly signal: AbortSignal }

export async function compete(plan: Plan, { say, signal }: Talk): Promise<Outcome> {
  const { arms, repeats } = plan
  const entries = arms.map((arm): Entry => ({ arm, passes: [], stepSeconds: [] }))
  const { runPass, runStep } = prepareTrials(plan, signal)
  const random = seededRandom(plan.seed)
  let runsAgain = 0
  let runs = 0

  const runQuietly: Trials['runPass'] = async (arm, repeat) => {
    const figures = await runPass(arm, repeat)
    if (disturbedIn(figures) <= mostDisturbedRatio || runsAgain >= plan.spareRuns) return figures
    runsAgain += 1
    say(`${arm.name} again, as others used ${percent(disturbedIn(figures))} of the machine`)
    const again = await runPass(arm, repeat)
    return disturbedIn(again) < disturbedIn(figures) ? again : figures
  }

  /** What fails once in an hour must not cost the hour: it is tried again, and then left out. */
  const tryTwice = async (where: string, entry: Entry, work: () => Promise<string>) => {
    for (const isLast of [false, true]) {
      try {
        say(`${where}: ${await work()}`)
        return
      } catch (error) {
        if (signal.aborted) throw error
        say(`${where}, ${isLast ? 'left out' : 'again'}, as it failed: ${String(error)}`)
        if (isLast) entry.error = error
      }
    }
  }

  const inTurn = async (title: string, work: (entry: Entry) => Promise<string>) => {
    const order = [...entries]
    shuffle(order, random)
    for (const entry of order) {
      runs += 1
      const where = `[${runs}/${arms.length * (repeats + 1)}] ${title}, ${entry.arm.name}`
      if (entry.error === undefined) await tryTwice(where, entry, async () => work(entry))
    }
  }

  await inTurn('step', async (entry) => {
    entry.stepSeconds = await runStep(entry.arm)
    return `${entry.stepSeconds.map((seconds) => seconds.toFixed(1)).join(' ')} s`
  })
  for (let repeat = 1; repeat <= repeats; repeat++) {
    await inTurn(`repeat ${repeat}`, async ({ arm, passes }) => {
      const figures = await runQuietly(arm, repeat)
      passes.push(figures)
      return describe(figures)
    })
  }
  return {
    contestants: entries.filter(({ error }) => error === undefined),
    runsAgain,
    failed: entries.flatMap(({ arm: { name }, error }) =>
      error === undefined ? [] : { name, error },
    ),
  }
}

const disturbedIn = ({
  disturbance: { stealRatio, othersRatio },
}: {
  readonly disturbance: Disturbance
}): number => stealRatio + othersRatio

const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`

const describe = ({ p99, allowedCores, disturbance }: PassFigures): string =>
  [
    `p99 ${p99.toFixed(0)} ms`,
    `quota ${allowedCores.toFixed(2)} cores`,
    `others ${percent(disturbance.othersRatio)}`,
    `steal ${percent(disturbance.stealRatio)}`,
  ].join(', ')

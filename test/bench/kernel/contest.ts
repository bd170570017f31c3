/** All arms in all scenes over the same loads: paired by seeds, in an order drawn anew every time. */
import { seededRandom, shuffle } from '../../../src/core/random.ts'
import { openStage } from '../programs/stage.ts'
import type { Arm } from './arm.ts'
import { mostDisturbedRatio, spareRatio } from './frozen.ts'
import type { PassFigures } from './pass.ts'
import { runPass } from './run.ts'
import type { Lengths, Scene } from './scene.ts'

export const groupPrefix = 'mbcas-kernel-bench'

export type Plan = {
  readonly scenes: readonly Scene[]
  readonly arms: readonly Arm[]
  readonly repeats: number
  readonly lengths: Lengths
  readonly seed: number
}

export type Repeated = PassFigures & { readonly repeat: number; readonly isAgain: boolean }

export type Outcome = {
  readonly passes: readonly Repeated[]
  readonly runsAgain: number
  /** Passes that failed twice, and why: they are in no table. */
  readonly failed: readonly { readonly where: string; readonly error: unknown }[]
}

/** To start and to end the processes of a pass. */
const setUpSeconds = 2

const armsIn = ({ arms }: Plan, { hasAlone }: Scene): Arm[] =>
  arms.filter(({ hasHogs }) => hasHogs || hasAlone)

const spareRuns = (plan: Plan): number => Math.ceil(spareRatio * countOf(plan))

export const countOf = (plan: Plan): number =>
  plan.scenes.reduce((sum, scene) => sum + armsIn(plan, scene).length * plan.repeats, 0)

/** With all passes that may be run again. */
export function secondsOf(plan: Plan): number {
  const passes = plan.scenes.map((scene) => {
    const each = scene.secondsOf(plan.lengths) + setUpSeconds
    return armsIn(plan, scene).length * plan.repeats * each
  })
  return passes.reduce((sum, seconds) => sum + seconds, 0) * (1 + spareRatio)
}

type Talk = { readonly say: (line: string) => void; readonly signal: AbortSignal }

export async function compete(plan: Plan, { say, signal }: Talk): Promise<Outcome> {
  const stage = openStage(groupPrefix)
  const random = seededRandom(plan.seed)
  const passes: Repeated[] = []
  const failed: { where: string; error: unknown }[] = []
  let runsAgain = 0

  const runQuietly = async (pass: Parameters<typeof runPass>[0], repeat: number) => {
    const figures = await runPass(pass)
    const isQuiet = disturbedIn(figures) <= mostDisturbedRatio
    if (isQuiet || runsAgain >= spareRuns(plan)) return { ...figures, repeat, isAgain: false }
    runsAgain += 1
    say(`${pass.arm.name} again, as others used ${percent(disturbedIn(figures))} of the machine`)
    const again = await runPass(pass)
    const calmer = disturbedIn(again) < disturbedIn(figures) ? again : figures
    return { ...calmer, repeat, isAgain: true }
  }

  /** What fails once in an hour must not cost the hour: it is tried again, and then left out. */
  const tryTwice = async (where: string, work: () => Promise<Repeated>) => {
    for (const isLast of [false, true]) {
      try {
        const figures = await work()
        passes.push(figures)
        return say(`${where}: ${describe(figures)}`)
      } catch (error) {
        if (signal.aborted) throw error
        say(`${where}, ${isLast ? 'left out' : 'again'}, as it failed: ${String(error)}`)
        if (isLast) failed.push({ where, error })
      }
    }
  }

  try {
    let count = 0
    for (const { repeat, scene, arm } of turnsOf(plan, random)) {
      count += 1
      const where = `[${count}/${countOf(plan)}] ${scene.name}, ${arm.name}`
      const seed = plan.seed + repeat
      const pass = { scene, arm, lengths: plan.lengths, seed, stage, signal }
      await tryTwice(where, async () => runQuietly(pass, repeat))
    }
  } finally {
    await stage.close()
  }
  return { passes, runsAgain, failed }
}

function* turnsOf(plan: Plan, random: () => number) {
  for (let repeat = 1; repeat <= plan.repeats; repeat += 1) {
    for (const scene of plan.scenes) {
      const order = armsIn(plan, scene)
      shuffle(order, random)
      for (const arm of order) yield { repeat, scene, arm }
    }
  }
}

const disturbedIn = ({ stealRatio, othersRatio }: PassFigures): number => stealRatio + othersRatio

const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`

const describe = ({ groups, othersRatio, stealRatio }: PassFigures): string =>
  [
    ...groups.map(({ name, calm, usedCores }) => {
      const p99 = calm === undefined ? '' : ` p99 ${calm.p99.toFixed(0)} ms,`
      return `${name}${p99} ${usedCores.toFixed(2)} cores`
    }),
    `others ${percent(othersRatio)}`,
    `steal ${percent(stealRatio)}`,
  ].join('; ')

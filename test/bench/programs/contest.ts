/** All arms in all scenes over the same loads, in an order drawn anew for every repeat. */
import { seededRandom, shuffle } from '../../../src/core/random.ts'
import type { Arm } from './arm.ts'
import { calibrate } from './calibrate.ts'
import type { RunFigures } from './figures.ts'
import { runOnce } from './run.ts'
import type { Lengths, Scene } from './scene.ts'
import { openStage } from './stage.ts'

export type Plan = {
  readonly scenes: readonly Scene[]
  readonly arms: readonly Arm[]
  readonly repeats: number
  readonly lengths: Lengths
  readonly seed: number
}

export type Repeated = RunFigures & { readonly repeat: number }
export type Outcome = {
  readonly runs: readonly Repeated[]
  /** Runs that failed twice, and why: they are in no table. */
  readonly failed: readonly { readonly where: string; readonly error: unknown }[]
  readonly sizes: ReadonlyMap<string, number>
}

type Talk = { readonly say: (line: string) => void; readonly signal: AbortSignal }

/** To start and to end the processes of a run. */
const setUpSeconds = 2

export function secondsOf({ scenes, arms, repeats, lengths }: Plan): number {
  const { warmSeconds, seconds } = lengths
  return scenes.length * arms.length * repeats * (warmSeconds + seconds + setUpSeconds)
}

export async function compete(plan: Plan, { say, signal }: Talk): Promise<Outcome> {
  const { scenes, arms, repeats, lengths, seed } = plan
  const stage = openStage()
  const runs: Repeated[] = []
  const sizes = new Map<string, number>()
  const failed: { where: string; error: unknown }[] = []
  const random = seededRandom(seed)

  /** What fails once in hours must not cost the hours: it is tried again, and then left out. */
  const tryTwice = async (where: string, work: () => Promise<void>) => {
    for (const isLast of [false, true]) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) throw error
        say(`${where}, ${isLast ? 'left out' : 'again'}, as it failed: ${String(error)}`)
        if (isLast) failed.push({ where, error })
      }
    }
  }

  try {
    for (const service of scenes.flatMap(({ services }) => services)) {
      const { name } = service.program
      signal.throwIfAborted()
      if (sizes.has(name)) continue
      const size = await calibrate(service, stage)
      sizes.set(name, size)
      say(`${name}: a request of size ${size} takes what is wanted of it`)
    }
    const all = repeats * scenes.length * arms.length
    let count = 0
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      for (const scene of scenes) {
        const order = [...arms]
        shuffle(order, random)
        for (const arm of order) {
          count += 1
          const where = `[${count}/${all}] ${scene.name}, ${arm.name}`
          const run = { scene, arm, lengths, seed: seed + repeat, sizes, stage, signal }
          await tryTwice(where, async () => {
            const figures = await runOnce(run)
            runs.push({ ...figures, repeat })
            say(`${where}: ${describe(figures)}`)
          })
        }
      }
    }
  } finally {
    await stage.close()
  }
  return { runs, failed, sizes }
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`

const describe = ({ services, batchCores, othersRatio, stealRatio }: RunFigures): string =>
  [
    ...services.map(({ name, p99, usedCores }) => {
      const used = `${usedCores.toFixed(2)} cores`
      return `${services.length > 1 ? `${name} ` : ''}p99 ${p99.toFixed(0)} ms with ${used}`
    }),
    ...(batchCores === undefined ? [] : [`batch ${batchCores.toFixed(2)} cores`]),
    `others ${percent(othersRatio)}`,
    `steal ${percent(stealRatio)}`,
  ].join(', ')

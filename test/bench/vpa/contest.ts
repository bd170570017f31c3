/** All arms over the same loads, in an order drawn anew for every repeat. */
import { seededRandom, shuffle } from '../../../src/core/random.ts'
import type { Arm } from './arm.ts'
import { armNames, arms } from './arms.ts'
import { type BenchNode, cpus, openBenchNode } from './bench-node.ts'
import { type Evaluation, openEvaluation } from './evaluation.ts'
import type { PassFigures } from './figures.ts'
import { windowsPerPass } from './frozen.ts'
import { runPass } from './run.ts'
import { type Activities, addUp } from './sampler.ts'

export type Plan = {
  readonly arms: readonly Arm[]
  readonly repeats: number
  readonly seconds: number
  readonly settleSeconds: number
  readonly drainSeconds: number
  readonly seed: number
}

export type Repeated = PassFigures & { readonly repeat: number }

export type Outcome = {
  readonly passes: readonly Repeated[]
  /** Passes that failed twice, and why: they are in no table. */
  readonly failed: readonly { readonly where: string; readonly error: unknown }[]
  /** Cores of each workload, window by window, of which the history was made. */
  readonly histories: ReadonlyMap<string, readonly number[]>
}

/** To start and to end the pods of a pass. */
const setUpSeconds = 6
const startSeconds = 20

/** With the pass whose use becomes VPA's history. */
export function secondsOf(plan: Plan): number {
  const { arms, repeats, seconds, settleSeconds, drainSeconds } = plan
  const pass = setUpSeconds + settleSeconds + seconds + drainSeconds
  return startSeconds + (arms.length * repeats + 1) * pass
}

type Talk = { readonly say: (line: string) => void; readonly signal: AbortSignal }

export async function compete(plan: Plan, { say, signal }: Talk): Promise<Outcome> {
  const { seconds, settleSeconds, drainSeconds, seed, repeats } = plan
  const evaluation = await openEvaluation({ cpus, seconds })
  const node: BenchNode = await openBenchNode({ seconds, say })
  const passes: Repeated[] = []
  const failed: { where: string; error: unknown }[] = []
  const { loadGroup } = node
  const common = { evaluation, seconds, settleSeconds, drainSeconds, loadGroup, signal }

  /** What fails once in half an hour must not cost the half hour: it is tried again, and then left out. */
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
    const recorded = await runPass({
      ...common,
      arm: unlimited(),
      settleSeconds: 0, // nobody acts
      seed,
      node: { ...node, histories: new Map() },
    })
    const histories = windowsOf(recorded.activities, { evaluation, seconds })
    say(`without limits, for VPA's history: ${describe(recorded.figures)}`)
    let count = 0
    for (const { repeat, arm } of turnsOf(plan)) {
      count += 1
      const where = `[${count}/${repeats * plan.arms.length}] ${arm.name}`
      const pass = { ...common, arm, seed: seed + repeat, node: { ...node, histories } }
      await tryTwice(where, async () => ({ ...(await runPass(pass)).figures, repeat }))
    }
    return { passes, failed, histories }
  } finally {
    await node.close()
  }
}

function unlimited(): Arm {
  const found = arms.find(({ name }) => name === armNames.unlimited)
  if (found === undefined) throw new Error('expected an arm without limits')
  return found
}

function* turnsOf({ repeats, seed, arms }: Plan) {
  const random = seededRandom(seed)
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const order = [...arms]
    shuffle(order, random)
    for (const arm of order) yield { repeat, arm }
  }
}

type Recorded = { readonly evaluation: Evaluation; readonly seconds: number }

/** Of each pod of a workload on average, as VPA adds up what the pods of one VPA use. */
function windowsOf(
  activities: Activities,
  { evaluation, seconds }: Recorded,
): Map<string, readonly number[]> {
  const length = seconds / windowsPerPass
  return new Map(
    evaluation.workloads.map(({ workload: { name, replicas } }) => {
      const own = activities.get(name) ?? []
      const windows = Array.from({ length: windowsPerPass }, (_, i) => {
        const within = own.slice(Math.round(i * length), Math.round((i + 1) * length))
        return addUp(within).usedMicros / 1e6 / within.length / replicas
      })
      return [name, windows]
    }),
  )
}

const describe = ({ services, requestedCores, usedCores, changes, othersRatio }: PassFigures) =>
  [
    ...services.flatMap(({ name, overall }) =>
      overall === undefined ? [] : `${name} p99 ${overall.p99.toFixed(0)} ms`,
    ),
    `requested ${requestedCores.toFixed(2)}, used ${usedCores.toFixed(2)}`,
    `${changes} changes`,
    `others ${(othersRatio * 100).toFixed(0)} %`,
  ].join('; ')

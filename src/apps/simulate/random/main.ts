/** `mbcas simulate --random`: many scenarios drawn at random, each under all controllers. */
import { availableParallelism } from 'node:os'

import { terminalWidth } from '../../../adapters/terminal/width.ts'
import { readScenario } from '../../../apis/read-scenario.ts'
import { type ArmName, armNames } from '../../../core/comparison/arm-names.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import { overallVerdicts } from '../../../core/comparison/overall-verdicts.ts'
import { type ArmOverall, overallOf } from '../../../core/comparison/overall.ts'
import { summaryOf } from '../../../core/comparison/summary.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { visibleJson } from '../../../core/visible.ts'
import { overallTable } from '../../cli/overall-table.ts'
import { parseArms } from '../arms.ts'
import type { Shown, SimulateFlags } from '../flags.ts'
import { compareScenario } from '../in-threads/main.ts'
import type { Progress } from '../progress.ts'
import { setApart } from './apart.ts'
import { drawnSeconds, drawScenario, type ScenarioDocument } from './draw.ts'

export async function simulateMany(
  flags: SimulateFlags & { readonly random: number },
  progress: Progress,
): Promise<Shown> {
  const { random: count, seed = 1, apart = false, compare, output, duration } = flags
  if (duration !== undefined) throw refusing('--duration', `all last ${drawnSeconds.duration} s`)
  if (output === 'html') throw refusing('-o html', 'replay one of them from -o json for its page')
  const arms = compare === undefined ? armNames : parseArms(compare)
  const drawn = `${count} scenarios drawn from seed ${seed}${apart ? ', a namespace for each workload' : ''}`
  const onProgress = (done: number): void => progress.show(`${drawn}: ${done} done`)
  const view = await playRandom({ count, seed, apart, arms, onProgress })
  return {
    text: output === 'json' ? formatRandom(view) : overallTable(view, terminalWidth()),
    played: `${drawn}: ${drawnSeconds.duration / 60} simulated minutes each under ${arms.join(', ')}`,
  }
}

const refusing = (flag: string, because: string): InvalidInput =>
  new InvalidInput(`expected no ${flag} with --random: ${because}`)

type RandomOrder = {
  readonly count: number
  readonly seed: number
  /** Each workload in a namespace of its own. */
  readonly apart: boolean
  readonly arms: readonly ArmName[]
  readonly onProgress: (done: number) => void
}

type Played = {
  /** What `mbcas simulate -f` plays again. */
  readonly scenario: ScenarioDocument
  readonly arms: readonly ArmResult[]
}

export type RandomView = {
  readonly seed: number
  readonly overall: readonly ArmOverall[]
  readonly verdicts: readonly string[]
  readonly scenarios: readonly Played[]
}

/** As many scenarios at once as there are CPUs. */
export async function playRandom(order: RandomOrder): Promise<RandomView> {
  const { count, seed, apart, arms, onProgress } = order
  const documents = Array.from({ length: count }, (_, i) => {
    const drawn = drawScenario(seed, i)
    return apart ? setApart(drawn) : drawn
  })
  const results: ArmResult[][] = []
  let [next, done] = [0, 0]
  const playOn = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      results[i] = await playOne(documents[i] as ScenarioDocument, arms)
      onProgress((done += 1))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, playOn))
  const summaries = results.map((arms, i) => summaryOf(documents[i]?.name ?? '', arms))
  return {
    seed,
    overall: overallOf(summaries),
    verdicts: overallVerdicts(summaries),
    scenarios: documents.map((scenario, i) => ({ scenario, arms: results[i] ?? [] })),
  }
}

async function playOne(document: ScenarioDocument, arms: readonly ArmName[]): Promise<ArmResult[]> {
  const { name } = document
  const scenario = readScenario(document, name)
  const duration = drawnSeconds.duration * 1000
  const { seed } = scenario
  const view = await compareScenario({ scenario, name, arms, seed, duration, parallel: 1 })
  return [...view.arms]
}

const formatRandom = (view: RandomView): string => `${visibleJson(JSON.stringify(view, null, 1))}\n`

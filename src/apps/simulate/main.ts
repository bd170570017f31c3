/** `mbcas simulate`: a scenario under several controllers, each on a cluster of its own with the same load. */
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

import { checkReplaceable, replaceFile } from '../../adapters/replace-file.ts'
import { blaming, type OpenedScenario, openScenario } from '../../adapters/scenario.ts'
import { terminalWidth } from '../../adapters/terminal/width.ts'
import { nameOf } from '../../adapters/text-file.ts'
import type { ComparisonView } from '../../apis/dashboard.ts'
import { mostPodsOf } from '../../apis/read-scenario.ts'
import type { ArmName, ScenarioFile } from '../../apis/scenario-file.ts'
import type { ArmResult } from '../../core/comparison/arm-result.ts'
import { parseDuration } from '../../core/duration.ts'
import { InvalidInput } from '../../core/errors.ts'
import { visibleJson } from '../../core/visible.ts'
import { scenarioStart } from '../../sim/scenario.ts'
import { comparisonTable } from '../cli/comparison-table.ts'
import { measuredSeconds } from './arm/main.ts'
import { parseArms } from './arms.ts'
import { compareArms } from './compare.ts'
import { createProgress } from './progress.ts'
import { reportPage } from './report/page.ts'
import type { ArmNews, ArmOrder } from './worker/main.ts'

export type SimulateFlags = {
  /** A scenario, or the name of one in examples/scenarios. */
  readonly file: string
  readonly compare?: string
  readonly output: 'table' | 'json' | 'html'
  /** Where the result goes; else standard output. */
  readonly out?: string
  readonly seed?: number
  readonly duration?: string
}

const day = 86_400_000

/** The exit code. */
export async function runSimulate(flags: SimulateFlags): Promise<number> {
  const { out } = flags
  if (out !== undefined) writing(out, () => checkReplaceable(out)) // not only when it is all done
  const opened = await openScenario(flags.file)
  const { scenario, name, path } = opened
  const order = orderOf(flags, opened)
  const progress = createProgress({
    isTTY: process.stderr.isTTY,
    write: (text) => void process.stderr.write(text),
  })
  const began = performance.now()
  const onProgress = ({ progress: ratio = 0, arms }: ComparisonView): void =>
    progress.show(
      `${name}: ${Math.floor(ratio * 100)} %, ${arms.length} of ${order.arms.length} arms done`,
    )
  const view = await blaming(path, async () =>
    compareScenario({ ...order, scenario, name, onProgress }),
  )
  const text = show(view, { flags, scenario, order })
  if (out === undefined) process.stdout.write(text)
  else writing(out, () => replaceFile(out, text, 0o644))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const where = out === undefined ? '' : `, written to ${out}`
  const played = `${spanOf(order.duration)} under ${order.arms.join(', ')}`
  progress.end(`${name}: ${played} in ${seconds} s${where}`)
  return 0
}

const spanOf = (millis: number): string =>
  millis % 60_000 === 0
    ? `${millis / 60_000} simulated minutes`
    : `${millis / 1000} simulated seconds`

type Order = { readonly arms: readonly ArmName[]; readonly seed: number; readonly duration: number }

function orderOf(flags: SimulateFlags, { scenario, path }: OpenedScenario): Order {
  const duration =
    flags.duration === undefined
      ? scenario.duration
      : parseDuration(flags.duration, { flag: '--duration', min: 1, max: 366 * day })
  if (duration === undefined) {
    throw new InvalidInput(`${nameOf(path)}: expected a duration in it, or --duration, got neither`)
  }
  if (measuredSeconds(scenario, duration) === 0) {
    throw new InvalidInput(
      `${nameOf(path)}: expected at least 10s after the warm-up of ${scenario.warmUp / 1000}s, got a duration of ` +
        `${duration / 1000}s: give a longer --duration`,
    )
  }
  checkCost(scenario, { duration, name: nameOf(path) })
  return {
    arms: flags.compare === undefined ? scenario.compare : parseArms(flags.compare),
    seed: flags.seed ?? scenario.seed,
    duration,
  }
}

/** At some ten thousand a second that is hours: what is more has a digit too many. */
const MOST_POD_SECONDS = 100_000_000

function checkCost(
  scenario: ScenarioFile,
  { duration, name }: { readonly duration: number; readonly name: string },
): void {
  const pods = Math.max(1, mostPodsOf(scenario))
  const cost = (pods * duration) / 1000
  if (cost <= MOST_POD_SECONDS) return
  throw new InvalidInput(
    `${name}: expected at most ${MOST_POD_SECONDS} pods times seconds, got ${pods} pods for ` +
      `${duration / 1000} s: give a shorter --duration, or fewer replicas`,
  )
}

export type ScenarioComparison = Order & {
  readonly scenario: ScenarioFile
  readonly name: string
  readonly onProgress?: (view: ComparisonView) => void
  /** More gives way to other threads, 0 to 19; 0 if not told. */
  readonly niceness?: number
  /** How many arms at once; as many as there are CPUs if not told. */
  readonly parallel?: number
  readonly signal?: AbortSignal
}

/** In threads of their own: this one stays free. Rejects with the signal's reason if it is aborted. */
export async function compareScenario(given: ScenarioComparison): Promise<ComparisonView> {
  const { scenario, name, arms, seed, duration, onProgress, niceness = 0, signal } = given
  return compareArms({
    scenario: name,
    arms,
    parallel: given.parallel ?? availableParallelism(),
    onProgress,
    play: async (arm, tell) =>
      playInThread({ scenario, arm, seed, duration, niceness }, { tell, signal }),
  })
}

type Ears = {
  readonly tell: (ratio: number) => void
  readonly signal: AbortSignal | undefined
}

async function playInThread(order: ArmOrder, { tell, signal }: Ears): Promise<ArmResult> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('worker/main.js', import.meta.url), { workerData: order })
  const stop = (): void => void worker.terminate()
  signal?.addEventListener('abort', stop)
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (news: ArmNews) => {
        if ('result' in news) resolve(news.result)
        else if ('refusal' in news) reject(new InvalidInput(news.refusal))
        else tell(news.ratio)
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        reject(signal?.reason ?? new Error(`playing ${order.arm}: its thread ended early`))
      })
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

type Showing = {
  readonly flags: SimulateFlags
  readonly scenario: ScenarioFile
  readonly order: Order
}

function show(view: ComparisonView, { flags, scenario, order }: Showing): string {
  if (flags.output === 'json') return formatComparison(view)
  if (flags.output === 'table') return comparisonTable(view, terminalWidth())
  const { seed, duration } = order
  return reportPage({ view, scenario, seed, start: scenarioStart, duration })
}

/** Columns of numbers stay on one line each. */
const formatComparison = (view: ComparisonView): string =>
  `${visibleJson(JSON.stringify(view, null, 2)).replace(/\[[-\d.,\s]+\]/g, (list) => list.replace(/\s+/g, ''))}\n`

function writing(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new InvalidInput(`--out ${path}: ${(error as Error).message}`, { cause: error })
  }
}

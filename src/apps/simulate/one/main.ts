/** One scenario, from a file, under several controllers. */
import { blaming, type OpenedScenario, openScenario } from '../../../adapters/scenario.ts'
import { terminalWidth } from '../../../adapters/terminal/width.ts'
import { nameOf } from '../../../adapters/text-file.ts'
import type { ComparisonView } from '../../../apis/dashboard.ts'
import { mostPodsOf } from '../../../apis/read-scenario.ts'
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmName } from '../../../core/comparison/arm-names.ts'
import { parseDuration } from '../../../core/duration.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { visibleJson } from '../../../core/visible.ts'
import { scenarioStart } from '../../../sim/scenario.ts'
import { comparisonTable } from '../../cli/comparison-table.ts'
import { measuredSeconds } from '../arm/main.ts'
import { parseArms } from '../arms.ts'
import type { Shown, SimulateFlags } from '../flags.ts'
import { compareScenario } from '../in-threads/main.ts'
import type { Progress } from '../progress.ts'
import { reportPage } from '../report/page.ts'

const day = 86_400_000

export async function simulateOne(
  flags: SimulateFlags & { readonly file: string },
  progress: Progress,
): Promise<Shown> {
  const opened = await openScenario(flags.file)
  const { scenario, name, path } = opened
  const order = orderOf(flags, opened)
  const onProgress = ({ progress: ratio = 0, arms }: ComparisonView): void =>
    progress.show(
      `${name}: ${Math.floor(ratio * 100)} %, ${arms.length} of ${order.arms.length} arms done`,
    )
  const view = await blaming(path, async () =>
    compareScenario({ ...order, scenario, name, onProgress }),
  )
  return {
    text: show(view, { flags, scenario, order }),
    played: `${name}: ${spanOf(order.duration)} under ${order.arms.join(', ')}`,
  }
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

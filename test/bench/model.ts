/** The model of the kernel's CPU bandwidth control: its error beside the real one, and its cost. */
import { table, wrap } from '../../src/apps/cli/show.ts'
import type { Bench } from './bench.ts'
import { type Comparison, compare, summarise } from './model/compare.ts'
import { printCosts } from './model/cost.ts'
import { measureQuietly, whyNot } from './model/measure.ts'
import { readRecorded } from './model/recorded.ts'
import { type Measured, settings } from './model/setting.ts'

export const model: Bench = {
  name: 'model',
  about: `the model of CPU bandwidth control beside the real kernel in ${settings.length} settings, and its cost`,
  async run() {
    const reason = whyNot()
    console.log(
      reason === undefined
        ? '\nThe model beside the real kernel (3 to 6 minutes)\n'
        : `\nThe model beside the recorded kernel, as this one cannot be measured: ${reason}\n`,
    )
    print(reason === undefined ? await measureAll() : readRecorded())
    printCosts()
  },
}

async function measureAll(): Promise<Measured[]> {
  const all: Measured[] = []
  for (const setting of settings) all.push(await measureQuietly(setting))
  return all
}

function print(measured: readonly Measured[]): void {
  const rows = measured.flatMap(compare)
  const lines = table(
    [
      { title: 'SETTING', align: 'left' },
      { title: 'USAGE', align: 'right' },
      { title: 'MODEL', align: 'right' },
      { title: 'ERROR', align: 'right' },
      { title: 'WAITED', align: 'right' },
      { title: 'MODEL', align: 'right' },
      { title: 'ERROR', align: 'right' },
      { title: 'PERIODS', align: 'right' },
      { title: 'THROTTLED', align: 'right' },
    ],
    rows.map(cellsOf),
  )
  const noise = measured.map(({ stealRatio, othersRatio }) => stealRatio + othersRatio)
  const latency = rows.flatMap(({ latencyError }) => latencyError ?? [])
  const notes = [
    `Usage: ${errors(rows.map(({ usageError }) => usageError))}. Waited for quota: ${errors(rows.map(({ throttledError }) => throttledError))}.`,
    `Requests answered within any bucket: off by at most ${percent(Math.max(...latency))} of all.`,
    `Milliseconds in about 5 s; periods and throttled ones as real/model. Others used ${percent(Math.min(...noise))} to ${percent(Math.max(...noise))} of the machine: what they took of the time in which a group might run makes the model's threads slower by as much.`,
  ]
  console.log([...lines, '', ...notes.flatMap((note) => wrap(note, 100, 0))].join('\n'))
}

function cellsOf({ name, real, model, usageError, throttledError }: Comparison): string[] {
  const millis = (micros: number) => (micros / 1000).toFixed(0)
  return [
    name,
    millis(real.usageMicros),
    millis(model.usageMicros),
    percent(usageError),
    millis(real.throttledMicros),
    millis(model.throttledMicros),
    percent(throttledError),
    `${real.periods}/${model.periods}`,
    `${real.throttledPeriods}/${model.throttledPeriods}`,
  ]
}

function errors(all: readonly number[]): string {
  const { worst, mean } = summarise(all)
  return `worst ${percent(worst)}, mean ${percent(mean)}`
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

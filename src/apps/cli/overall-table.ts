import type { ArmOverall } from '../../core/comparison/overall.ts'
import { whatDiffers } from '../../core/comparison/what-differs.ts'
import { type Column, table, wrap } from './show.ts'

type Overall = {
  readonly overall: readonly ArmOverall[]
  readonly verdicts: readonly string[]
}

const figures: readonly { readonly title: string; readonly show: (arm: ArmOverall) => string }[] = [
  { title: 'MISSED', show: ({ missedRatio }) => percent(missedRatio) },
  { title: 'NOBODY BETTER', show: ({ unbeaten, withTargets }) => `${unbeaten} of ${withTargets}` },
  { title: 'WORK', show: ({ workRatio }) => percent(workRatio) },
  {
    title: 'LEAST WORK',
    show: ({ leastWorkRatio: ratio }) => (ratio === undefined ? '-' : percent(ratio)),
  },
  { title: 'KEPT', show: ({ keptRatio }) => percent(keptRatio) },
  { title: 'PROMISED', show: ({ promisedCores }) => promisedCores.toFixed(2) },
  { title: 'TOO MUCH', show: ({ overPromised }) => String(overPromised) },
]

/** Many comparisons for a person: a line an arm, then what that means. */
export function overallTable({ overall, verdicts }: Overall, width: number): string {
  const columns: Column[] = [
    { title: 'ARM', align: 'left' },
    ...figures.map(({ title }) => ({ title, align: 'right' }) as const),
  ]
  const rows = overall.map((arm) => [arm.name].concat(figures.map(({ show }) => show(arm))))
  const differs = whatDiffers(overall.map(({ name }) => name))
  const said = differs === '' ? verdicts : [...verdicts, differs]
  const words = said.flatMap((verdict) => wrap(verdict, width, 2))
  return `${[...table(columns, rows), ...(words.length > 0 ? [''] : []), ...words].join('\n')}\n`
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

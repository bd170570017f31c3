import type { ComparisonView } from '../../apis/dashboard.ts'
import { figures, missedByWorkload, showFigure } from '../../core/comparison/figures.ts'
import { whatDiffers } from '../../core/comparison/what-differs.ts'
import { table, wrap } from './show.ts'

/** A comparison for a person: an arm a column, then what that means. */
export function comparisonTable({ arms, verdicts }: ComparisonView, width: number): string {
  const columns = [
    { title: '', align: 'left' },
    ...arms.map(({ name }) => ({ title: name.toUpperCase(), align: 'right' }) as const),
  ] as const
  const [missed = [], ...others] = figures.map((figure) =>
    [figure.what].concat(arms.map((arm) => showFigure(figure, arm))),
  )
  const parts = missedByWorkload(arms).map(({ what, texts }) => [`  ${what}`].concat(texts))
  const differs = whatDiffers(arms.map(({ name }) => name))
  const said = differs === '' ? verdicts : [...verdicts, differs]
  const words = said.flatMap((verdict) => wrap(verdict, width, 2))
  const lines = table(columns, [missed, ...parts, ...others])
  return `${[...lines, ...(words.length > 0 ? [''] : []), ...words].join('\n')}\n`
}

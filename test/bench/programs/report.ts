/** The tables of the bench, at most 100 columns wide. */
import { table } from '../../../src/apps/cli/show.ts'
import type { ArmSummary } from './summary.ts'
import type { Verdict } from './verdict.ts'

const columnsOf = (titles: readonly string[], left: number) =>
  titles.map((title, i) => ({ title, align: i < left ? ('left' as const) : ('right' as const) }))

const millis = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
const times = (value: number | undefined): string => value?.toFixed(2) ?? '-'

export const report = (summaries: readonly ArmSummary[]): string[] =>
  [...new Set(summaries.map(({ scene }) => scene))].flatMap((scene) =>
    reportScene(
      scene,
      summaries.filter((one) => one.scene === scene),
    ),
  )

function reportScene(scene: string, rows: readonly ArmSummary[]): string[] {
  const hasMany = new Set(rows.map(({ service }) => service)).size > 1
  const titles = ['ARM', 'P50', 'P99', 'X ALONE', 'X BY HAND', 'BATCH', 'OF BY HAND']
  const figures = table(columnsOf(titles, 1), rows.map(rowOf(hasMany)))
  const all = rows.map(
    (row) => `  ${nameOf(row, hasMany).padEnd(14)} ${row.p99s.map(millis).join(' ')}`,
  )
  const title = `${scene}: medians in ms, batch in cores`
  return [title, '', ...figures, '', 'P99 of each repeat', '', ...all, '']
}

const nameOf = ({ arm, service }: ArmSummary, hasMany: boolean): string =>
  hasMany ? `${arm}, ${service}` : arm

const rowOf =
  (hasMany: boolean) =>
  (row: ArmSummary): string[] => [
    nameOf(row, hasMany),
    millis(row.p50),
    millis(row.p99),
    times(row.toAlone),
    times(row.toByHand),
    times(row.batchCores),
    times(row.batchToByHand),
  ]

export const reportVerdicts = (verdicts: readonly Verdict[]): string[] =>
  verdicts.length === 0
    ? []
    : [
        'MBCAS and its aims',
        '',
        ...table(
          columnsOf(['SCENE', 'SERVICE', 'FIGURE', 'VALUE', 'AIM', 'MET'], 3),
          verdicts.map(({ scene, service, figure, value, aim, isMet }) => [
            scene,
            service,
            figure,
            value.toFixed(2),
            aim,
            isMet ? 'yes' : 'no',
          ]),
        ),
        '',
      ]

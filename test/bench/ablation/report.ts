import { table } from '../../../src/apps/cli/show.ts'
import { BEHIND_RATIO } from '../../../src/core/comparison/overall.ts'
import { meanOf } from '../statistics.ts'
import type { Arm } from './arms.ts'
import type { Played } from './play.ts'

export type ArmPlayed = { readonly arm: Arm; readonly played: readonly Played[] }

const columns = [
  { title: 'ARM', align: 'left' },
  ...['MISSED', 'BETTER', 'WORSE', 'WORK', 'KEPT', 'PROMISED', 'CHANGES', 'OVERSOLD'].map(
    (title) => ({ title, align: 'right' }) as const,
  ),
] as const

export const describeArms = (all: readonly ArmPlayed[]): string =>
  table(
    columns,
    all.map((one) =>
      cellsOf(
        one,
        all.find(({ arm }) => arm.name === one.arm.beside),
      ),
    ),
  ).join('\n')

function cellsOf({ arm, played }: ArmPlayed, beside: ArmPlayed | undefined): string[] {
  const mean = (read: (one: Played) => number | undefined): number =>
    meanOf(played.flatMap((one) => read(one) ?? []))
  const gains = played.flatMap((one, i) => {
    const other = beside?.played[i]?.missedRatio
    return one.missedRatio === undefined || other === undefined ? [] : other - one.missedRatio
  })
  const count = (isSo: (gain: number) => boolean): string =>
    beside === undefined ? '' : String(gains.filter(isSo).length)
  return [
    arm.name,
    percent(mean(({ missedRatio }) => missedRatio)),
    count((gain) => gain > BEHIND_RATIO),
    count((gain) => gain < -BEHIND_RATIO),
    percent(mean(({ workRatio }) => workRatio)),
    percent(mean(({ keptRatio }) => keptRatio)),
    mean(({ promisedCores }) => promisedCores).toFixed(2),
    mean(({ changes }) => changes).toFixed(0),
    arm.config.enforcement === 'strict' ? percent(mean(({ oversoldRatio }) => oversoldRatio)) : '',
  ]
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(2)} %`

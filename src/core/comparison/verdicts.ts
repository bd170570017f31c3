/**
 * What a comparison's table says, in words: beside each rival who misses fewer targets, who does more
 * of the work and who promises less, then every figure in which another arm is ahead. Nothing is left out in our favour.
 */
import type { ArmResult } from './arm-result.ts'
import {
  compareBy,
  type Figure,
  figures,
  missed,
  promised,
  showFigure,
  workDone,
} from './figures.ts'

export const ourArm = 'mbcas'

export function verdictsOf(arms: readonly ArmResult[]): string[] {
  const ours = arms.find(({ name }) => name === ourArm)
  if (ours === undefined) return []
  const rivals = arms.filter((arm) => arm !== ours)
  const hasTargets = missed.read(ours) !== undefined
  return [
    ...(hasTargets ? rivals.map((rival) => standing(ours, rival)) : []),
    ...figures.flatMap((figure) => whoIsAhead(figure, { ours, rivals })),
  ]
}

function standing(ours: ArmResult, rival: ArmResult): string {
  const missing = compareBy(missed, ours, rival)
  const work = compareBy(workDone, ours, rival)
  const promising = compareBy(promised, ours, rival)
  const amounts = [missed, workDone, promised].map(
    (figure) => `${figure.what} ${showFigure(figure, ours)} against ${showFigure(figure, rival)}`,
  )
  const targets = choose(missing, ['fewer targets than', 'as many targets as', 'more targets than'])
  const done = choose(work, ['more', 'as much', 'less'])
  const promise = choose(promising, ['less CPU', 'as much CPU', 'more CPU'])
  return `${ours.name} misses ${targets} ${rival.name}, does ${done} of the work and promises ${promise}: ${amounts.join(', ')}.`
}

type Words = readonly [less: string, same: string, more: string]

const choose = (order: number, [less, same, more]: Words): string =>
  order < 0 ? less : order > 0 ? more : same

type Field = { readonly ours: ArmResult; readonly rivals: readonly ArmResult[] }

function whoIsAhead(figure: Figure, { ours, rivals }: Field): string[] {
  const ahead = rivals
    .filter((rival) => compareBy(figure, rival, ours) < 0)
    .toSorted((a, b) => compareBy(figure, a, b))
    .map((rival) => `${rival.name} (${showFigure(figure, rival)})`)
  if (ahead.length === 0) return []
  return [
    `Ahead of ${ours.name} (${showFigure(figure, ours)}) in ${figure.what}: ${ahead.join(', ')}.`,
  ]
}

/** The table of the bench, and the figures in which MBCAS is not ahead, in words. */
import { table, wrap } from '../../../src/apps/cli/show.ts'
import { armNames } from './arms.ts'
import { behindIn, type Gap, spreadOf, type Spread } from './compare.ts'
import type { Plan, Repeated } from './contest.ts'
import { type Figure, figuresIn } from './figure-list.ts'

const width = 100

export function report(passes: readonly Repeated[], names: readonly string[]): string[] {
  const [first] = passes
  if (first === undefined) return ['no pass was measured']
  const figures = figuresIn(first)
  const present = names.filter((name) => passes.some(({ arm }) => arm === name))
  const columns = [
    { title: 'FIGURE', align: 'left' as const },
    ...present.map((name) => ({ title: name.toUpperCase(), align: 'right' as const })),
  ]
  const rows = figures.map((figure) => [
    figure.name,
    ...present.map((arm) => show(spreadOf(passes, arm, figure), figure)),
  ])
  return [
    'medians of the repeats, with the least and the most of them',
    '',
    ...table(columns, rows),
    '',
    ...sentences(passes, figures, present),
  ]
}

function show(spread: Spread | undefined, { digits }: Figure): string {
  if (spread === undefined) return '-'
  const [median, low, high] = [spread.median, spread.low, spread.high].map((one) =>
    one.toFixed(digits),
  )
  return low === high ? (median ?? '') : `${median} (${low}-${high})`
}

function sentences(
  passes: readonly Repeated[],
  figures: readonly Figure[],
  present: readonly string[],
): string[] {
  const { ours } = armNames
  if (!present.includes(ours)) return []
  const rivals = present.filter((name) => name !== ours)
  const behind = behindIn(passes, figures, { ours, rivals })
  return rivals.flatMap((rival) => {
    const own = behind.filter((gap) => gap.rival === rival)
    const clear = own.filter(({ isBeyondChance }) => isBeyondChance)
    const unclear = own.filter(({ isBeyondChance }) => !isBeyondChance)
    if (own.length === 0) return [`${ours} is behind ${rival} in no figure.`, '']
    const sure =
      clear.length === 0
        ? `${ours} is behind ${rival} in no figure beyond chance.`
        : `${ours} is behind ${rival} in ${clear.map(word).join('; ')}.`
    const unsure =
      unclear.length === 0
        ? ''
        : ` Within chance, it is also behind in ${unclear.map(word).join('; ')}.`
    return wrap(`${sure}${unsure}`, width, 0).concat('')
  })
}

/** Ratios are ours over the rival's. */
function word({ figure, gap, isRatio }: Gap): string {
  const { mean, low, high } = gap
  const shown = (value: number): string =>
    isRatio ? Math.exp(value).toFixed(2) : value.toPrecision(2)
  const range = low === undefined || high === undefined ? '' : `, ${shown(low)} to ${shown(high)}`
  const by = isRatio ? `${shown(mean)} times` : `by ${shown(mean)}`
  return `${figure} (${by}${range})`
}

/** What the figures mean, for who reads only this. */
export function notesOf({ repeats, seed, seconds }: Plan, passes: readonly Repeated[]): string[] {
  const others = Math.max(
    0,
    ...passes.map(({ othersRatio, stealRatio }) => othersRatio + stealRatio),
  )
  const notes = [
    `${repeats} repeats from seed ${seed}; each arm gets the same requests, and arms come in an order drawn anew for each repeat. Latency in ms from the intended moment of a request until its answer is read; missed are those above the target of examples/scenarios/evaluation.yaml (gateway 100 ms, workers 250 ms) or without an answer. A pass is ${seconds} s with phases of 2:5:5:3. Throttled periods and seconds and waiting are sums over all pods, waiting that of all their tasks, for a CPU or for quota. CPU in cores on average: requested by specs, used by pods, used by the programs of the arm. Changes are writes of requests or limits in the pods' specs, and values of weight and quota that changed in the kernel under load, as four samples per second show. Resizes not done are pods whose kubelet has no room for what their spec says at the end.`,
    'How far behind is repeat by repeat: the ratio of ours to theirs (geometric mean), or the difference where one of them is 0, each with its 95 % interval (Student); more is better only of what the noise got. Within chance means that the interval contains no difference.',
    `Others and the host of this machine used up to ${(others * 100).toFixed(0)} % of it in a pass.`,
  ]
  return notes.flatMap((note) => wrap(note, width, 0))
}

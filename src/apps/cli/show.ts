/** How the terminal shows things: fixed widths, units, bars from block characters. */
import { visible } from '../../core/visible.ts'
import { type Emphasis, type Paint, plain } from './paint.ts'

export { showMillicores } from '../../core/quantity.ts'

export const showPrice = (price: number): string => String(Number(price.toPrecision(4)))

export const showShare = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`

const steps = [
  { unit: 's', millis: 1000, upTo: 120_000 },
  { unit: 'm', millis: 60_000, upTo: 7_200_000 },
  { unit: 'h', millis: 3_600_000, upTo: 172_800_000 },
  { unit: 'd', millis: 86_400_000, upTo: Infinity },
]

/** In the largest unit that keeps two digits: 119s, 2m, 47h, 2d. */
export function showAge(millis: number): string {
  const age = Math.max(0, millis)
  const step = steps.find(({ upTo }) => age < upTo)
  return step === undefined ? '' : `${Math.floor(age / step.millis)}${step.unit}`
}

/** `1 pod`, `2 pods`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

export type Column = {
  readonly title: string
  readonly align: 'left' | 'right'
  /** Gives way where the table would be too wide. */
  readonly shrinks?: boolean
}

export type Cell = string | { readonly text: string; readonly emphasis: Emphasis }

type TableOptions = { readonly width?: number; readonly paint?: Paint }

const gap = 2
const narrowest = 8

/** The first line has the titles. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { width = Infinity, paint = plain }: TableOptions = {},
): string[] {
  const cells: readonly (readonly Cell[])[] = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map((_, i) =>
    cells.reduce((widest, row) => Math.max(widest, textOf(row[i]).length), 0),
  )
  const excess = widths.reduce((sum, one) => sum + one + gap, -gap) - width
  const fitted = columns.map(({ shrinks }, i) => {
    const own = widths[i] ?? 0
    return shrinks === true && excess > 0 ? Math.max(Math.min(own, narrowest), own - excess) : own
  })
  return cells.map((row) =>
    columns
      .map(({ align }, i) => {
        const text = shorten(textOf(row[i]), fitted[i] ?? 0)
        const space = ' '.repeat((fitted[i] ?? 0) - text.length)
        const cell = row[i]
        const painted = typeof cell === 'object' ? paint(text, cell.emphasis) : text
        return align === 'left' ? painted + space : space + painted
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

const textOf = (cell: Cell | undefined): string =>
  visible(typeof cell === 'object' ? cell.text : (cell ?? ''))

export function shorten(text: string, width: number): string {
  const shown = visible(text)
  return shown.length <= width ? shown : `${shown.slice(0, Math.max(0, width - 1))}…`
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of `width` characters, filled to `ratio`; the unfilled part is dotted. */
export function bar(ratio: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, ratio)) * width * 8)
  const text = '█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? '')
  return text.padEnd(width, '·')
}

const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** One character a ratio, the newest last. */
export const sparkline = (ratios: readonly number[]): string =>
  ratios
    .map((ratio) => heights[Math.round(Math.min(1, Math.max(0, ratio)) * (heights.length - 1))])
    .join('')

/** Breaks a text of others, or about them, into lines of at most `width`, all but the first indented by `indent`. */
export function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of visible(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line.trim() !== '') {
      lines.push(line)
      line = ' '.repeat(indent) + word
    } else line = longer
  }
  return [...lines, line]
}

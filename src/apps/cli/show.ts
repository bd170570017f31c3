/** How the terminal shows things: fixed widths, units, bars from block characters. */
import type { Millicores } from '../../core/units.ts'

export const showMillicores = (amount: Millicores | number): string => `${amount}m`

export type Column = { readonly title: string; readonly align: 'left' | 'right' }

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const cells = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map((_, i) =>
    cells.reduce((width, row) => Math.max(width, row[i]?.length ?? 0), 0),
  )
  return cells.map((row) =>
    columns
      .map(({ align }, i) => {
        const text = row[i] ?? ''
        return align === 'left' ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0)
      })
      .join('  ')
      .trimEnd(),
  )
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of `width` characters, filled to `ratio`; the unfilled part is dotted. */
export function bar(ratio: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, ratio)) * width * 8)
  const text = '█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? '')
  return text.padEnd(width, '·')
}

/** Breaks a text into lines of at most `width`, all but the first indented by `indent`. */
export function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line.trim() !== '') {
      lines.push(line)
      line = ' '.repeat(indent) + word
    } else line = longer
  }
  return [...lines, line]
}

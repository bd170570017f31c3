/** What a command has to say, in the form that was asked for. */
import { visible, visibleJson } from '../../core/visible.ts'
import { forTerminal, type Paint } from './paint.ts'
import { wrap } from './show.ts'

export const outputFormats = ['table', 'wide', 'json', 'yaml', 'name'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** How a text is to look. */
export type Style = {
  /** Columns; a wide text does not mind. */
  readonly width: number
  readonly isWide: boolean
  readonly paint: Paint
}

export type View = {
  /** The same for programs: stable, amounts in millicores, times as RFC 3339. */
  readonly data: unknown
  /** As kubectl names objects, such as pod/web. */
  readonly names: readonly string[]
  readonly text: (style: Style) => string
}

export type Rendering = {
  readonly format: OutputFormat
  readonly width: number
  readonly paint: Paint
  readonly formatYaml: (value: unknown) => string
  /** One of many: JSON on one line each, YAML as documents. */
  readonly isRepeated: boolean
}

/** Ends with a line break, unless it is empty. */
export function render({ data, names, text }: View, rendering: Rendering): string {
  const { format, width, paint, formatYaml, isRepeated } = rendering
  switch (format) {
    case 'json':
      return `${formatJson(data, isRepeated ? 0 : 2)}\n`
    case 'yaml':
      return `${isRepeated ? '---\n' : ''}${formatYaml(data)}`
    case 'name':
      return names.map((name) => `${visible(name)}\n`).join('')
    case 'wide':
      return forTerminal(text({ width: Infinity, isWide: true, paint }), paint)
    case 'table':
    default:
      return forTerminal(text({ width, isWide: false, paint }), paint)
  }
}

export const formatJson = (value: unknown, indent = 2): string =>
  visibleJson(JSON.stringify(value, null, indent))

const wordWidth = 11

/** A word and what is to be said about it, wrapped beside it. */
export function row(word: string, text: string, { width, paint }: Style): string[] {
  const lines = wrap(text, width - wordWidth, 0)
  return lines.map((line, i) =>
    i === 0
      ? `  ${paint(word, 'strong')}${' '.repeat(Math.max(1, wordWidth - 2 - word.length))}${line}`
      : `${' '.repeat(wordWidth)}${line}`,
  )
}

export const linesOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

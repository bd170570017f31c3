/** Colour as emphasis: everything is said in words, too. */
import { visible, visibleLines } from '../../core/visible.ts'

export type Emphasis = 'strong' | 'faint' | 'bad' | 'warning' | 'good' | 'chosen'

export type Paint = (text: string, emphasis: Emphasis) => string

/** Of ECMA-48; the sixteen colours follow the reader's own theme. */
const codes: Readonly<Record<Emphasis, number>> = {
  strong: 1,
  faint: 2,
  bad: 31,
  warning: 33,
  good: 32,
  chosen: 7,
}

export const plain: Paint = (text) => text

export const coloured: Paint = (text, emphasis) =>
  `\u001B[${codes[emphasis]}m${visible(text)}\u001B[0m`

const own = new RegExp(`\u001B\\[(?:0|${Object.values(codes).join('|')})m`)

/** The last thing before a terminal: of all that could command it, only our own colours are left. */
export function forTerminal(text: string, paint: Paint): string {
  if (paint === plain) return visibleLines(text)
  const parts = text.split(new RegExp(`(${own.source})`))
  return parts.map((part, i) => (i % 2 === 1 ? part : visibleLines(part))).join('')
}

type Environment = Readonly<Record<string, string | undefined>>

/** `NO_COLOR` (no-color.org) wins over `FORCE_COLOR`, and both over what the output is. */
export function paintFor(env: Environment, isTerminal: boolean): Paint {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: terminal = '' } = env
  if (none !== '') return plain
  if (forced !== '') return ['0', 'false'].includes(forced) ? plain : coloured
  return isTerminal && terminal !== 'dumb' ? coloured : plain
}

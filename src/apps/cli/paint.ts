/** Colour as emphasis: everything is said in words, too. */
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

export const coloured: Paint = (text, emphasis) => `\u001B[${codes[emphasis]}m${text}\u001B[0m`

type Environment = Readonly<Record<string, string | undefined>>

/** `NO_COLOR` (no-color.org) wins over `FORCE_COLOR`, and both over what the output is. */
export function paintFor(env: Environment, isTerminal: boolean): Paint {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: terminal = '' } = env
  if (none !== '') return plain
  if (forced !== '') return ['0', 'false'].includes(forced) ? plain : coloured
  return isTerminal && terminal !== 'dumb' ? coloured : plain
}

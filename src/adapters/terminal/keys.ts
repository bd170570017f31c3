/** What terminals send for keys that are no characters. */
const names: Readonly<Record<string, string>> = {
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-d',
  '\r': 'enter',
  '\n': 'enter',
  '\u001B': 'escape',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u001B[A': 'up',
  '\u001B[B': 'down',
  '\u001B[C': 'right',
  '\u001B[D': 'left',
  '\u001BOA': 'up',
  '\u001BOB': 'down',
  '\u001BOC': 'right',
  '\u001BOD': 'left',
  '\u001B[5~': 'page-up',
  '\u001B[6~': 'page-down',
  '\u001B[H': 'home',
  '\u001B[F': 'end',
  '\u001B[1~': 'home',
  '\u001B[4~': 'end',
}

/** A sequence of ECMA-48 or of a keypad, or one character. */
const escape = '\u001B'
const key = new RegExp(`${escape}\\[[0-9;?]*[@-~]|${escape}O[A-Z]|[^]`, 'gu')

/** The keys of one read, which may be several; a sequence that is not known is left out. */
export const keysIn = (text: string): string[] =>
  (text.match(key) ?? []).flatMap((one) => {
    const name = names[one]
    if (name !== undefined) return [name]
    return one.startsWith(escape) ? [] : [one]
  })

/**
 * Text of others, as it may stand on a terminal: what would move the cursor, colour, hide or turn around what
 * is beside it is shown instead of done.
 *
 *   text              visible
 *   a ESC [2J         a\x1b[2J
 *   a LF b            a\nb, on one line
 *   a U+202E b        a\u202eb
 */

/**
 * Controls (C0, DEL, C1), and of Unicode what has no shape of its own: soft hyphen, zero width, direction
 * (as in "Trojan Source", CVE-2021-42574), line ends, annotations, tags, and halves of pairs.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what it is about
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|\p{Surrogate}/gu

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

/** On one line: line breaks are shown, too. */
export const visible = (text: string): string => text.replace(hidden, show)

/** Line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(hidden, (sign) => (sign === '\n' ? sign : show(sign)))

function show(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code > 0xff_ff) return `\\u{${code.toString(16)}}`
  const hex = code.toString(16)
  return short[sign] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`)
}

/** In JSON, and between double quotes in YAML, it means the same as before; line breaks stay. */
export const visibleJson = (json: string): string =>
  json.replace(hidden, (sign) =>
    sign === '\n'
      ? sign
      : Array.from(
          { length: sign.length },
          (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`,
        ).join(''),
  )

export const hasHidden = (text: string): boolean => text.search(hidden) >= 0

/** The beginning of what may be megabytes, and how long it is. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}... (${text.length} characters)`
}

/** A line for each fault, each of them short enough to be read: of a refusal, which repeats what came. */
export function boundedLines(text: string, { lines: most = 50, width = 1000 } = {}): string {
  const lines = text.split('\n')
  const shown = lines.slice(0, most).map((line) => cut(line, width))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`and ${left} more lines`] : [])].join('\n')
}

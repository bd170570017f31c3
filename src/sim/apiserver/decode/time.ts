/** Times as Go reads them by a layout: in UTC, whole seconds (Time) or six digits (MicroTime). */
import { timeOf } from '../../timestamps.ts'
import { Unreadable } from './unreadable.ts'

type TimeFormat = 'date-time' | 'micro-time'

const layouts: Readonly<Record<TimeFormat, string>> = {
  'date-time': '2006-01-02T15:04:05Z07:00',
  'micro-time': '2006-01-02T15:04:05.000000Z07:00',
}
/** Nearly all there are: canonical, and of a day that every month has. */
const common: Readonly<Record<TimeFormat, RegExp>> = {
  'date-time': /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z$/,
  'micro-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{6}Z$/,
}

/** The parts of a layout, each with what it accepts. */
const date: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
]
const zone = ['Z07:00', /^(?:Z|[+-]\d\d:\d\d)/] as const
const parts: Readonly<Record<TimeFormat, readonly (readonly [string, RegExp])[]>> = {
  // Go reads a fraction of a second even where the layout has none.
  'date-time': [...date, ['', /^(?:[.,]\d+)?/], zone],
  'micro-time': [...date, ['.000000', /^[.,]\d{6}(?!\d)/], zone],
}

export function readTime(text: string, format: TimeFormat): string {
  if (common[format].test(text)) return text
  let at = 0
  for (const [part, accepts] of parts[format]) {
    const found = accepts.exec(text.slice(at))
    if (!found) {
      const why = `cannot parse ${JSON.stringify(text.slice(at))} as ${JSON.stringify(part)}`
      throw new Unreadable(
        `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layouts[format])}: ${why}`,
      )
    }
    at += found[0].length
  }
  if (at < text.length) {
    const extra = JSON.stringify(text.slice(at))
    throw new Unreadable(`parsing time ${JSON.stringify(text)}: extra text: ${extra}`)
  }
  checkRange(text)
  return inUtc(text, format)
}

function checkRange(text: string): void {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    text.match(/\d+/g)?.map(Number) ?? []
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const wrong =
    month < 1 || month > 12
      ? 'month'
      : day < 1 || day > days
        ? 'day'
        : hour > 23
          ? 'hour'
          : minute > 59
            ? 'minute'
            : second > 59
              ? 'second'
              : undefined
  if (wrong !== undefined) {
    throw new Unreadable(`parsing time ${JSON.stringify(text)}: ${wrong} out of range`)
  }
}

function inUtc(text: string, format: TimeFormat): string {
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? ''
  const time = timeOf(Date.parse(text.replace(/[.,]\d+/, '')))
  return format === 'date-time' ? time : time.replace('Z', `.${fraction}Z`)
}

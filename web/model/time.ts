/** Moments and stretches of time in words. Times are milliseconds since 1970, shown in local time. */
export type Span = { readonly from: number; readonly to: number }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What the charts may show, up to now. */
export const ranges = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '1h': HOUR,
  '6h': 6 * HOUR,
} as const
export type RangeName = keyof typeof ranges
export const defaultRange: RangeName = '15m'
export const isRange = (name: string): name is RangeName => Object.hasOwn(ranges, name)

/** `12 s`, `3 min`, `2 h`, `5 d`. */
export function span(millis: number): string {
  if (millis < MINUTE) return `${Math.round(millis / SECOND)} s`
  if (millis < HOUR) return `${Math.round(millis / MINUTE)} min`
  if (millis < DAY) return `${Math.round(millis / HOUR)} h`
  return `${Math.round(millis / DAY)} d`
}

/** `12 s ago`; what is newer than `now` knows, or hardly older, is `now`. */
export const ago = (at: number, now: number): string =>
  now - at < SECOND ? 'now' : `${span(now - at)} ago`

const two = (value: number): string => String(value).padStart(2, '0')

/** `14:03:22`. */
export function clock(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
}

/** `2026-11-16 14:03:22`. */
export function dateAndClock(at: number): string {
  const date = new Date(at)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${clock(at)}`
}

/** The stretch of this length around a moment, for a link to it. */
export const around = (moment: number, length: number): Span => ({
  from: Math.round(moment - length / 2),
  to: Math.round(moment + length / 2),
})

/** The same middle, so many times as long; a second at least. */
export function zoomed({ from, to }: Span, factor: number): Span {
  return around((from + to) / 2, Math.max(SECOND, (to - from) * factor))
}

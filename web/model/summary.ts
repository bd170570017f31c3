/** What a chart shows, for those who cannot see it. */
import { unknown } from './format.ts'
import { clock, type Span, span } from './time.ts'

export type Told = {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly write: (value: number) => string
}

/** `used 430m, between 210m and 890m`. */
function summarizeLine({ name, values, write }: Told): string {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return `${name} ${unknown}`
  const [least, most] = known.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [last, last],
  )
  return least === most
    ? `${name} ${write(last)} throughout`
    : `${name} ${write(last)}, between ${write(least)} and ${write(most)}`
}

export function summarize(title: string, { from, to }: Span, lines: readonly Told[]): string {
  const when = `${span(to - from)} until ${clock(to)}`
  return `${title}, ${when}: ${lines.map(summarizeLine).join('; ')}.`
}

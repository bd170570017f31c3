import { InvalidInput } from './errors.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export type DurationFlag = { readonly flag: string; readonly min: number; readonly max: number }

/** Milliseconds of a text such as 250ms, 1s or 1.5m; min and max are milliseconds too. */
export function parseDuration(text: string, { flag, min, max }: DurationFlag): number {
  const [, number = 'none', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  const duration = Math.round(Number(number) * (units[unit] ?? 0)) // NaN is in no range
  if (duration >= min && duration <= max) return duration
  const range = `from ${show(min)} to ${show(max)}`
  throw new InvalidInput(
    `${flag}: expected a duration such as 250ms or 15s, ${range}, got ${JSON.stringify(text)}`,
  )
}

const show = (duration: number): string =>
  duration % 1000 === 0 ? `${duration / 1000}s` : `${duration}ms`

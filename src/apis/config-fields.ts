/** Kinds of keys of configuration files: written as people do, converted once. */
import * as v from 'valibot'

import { parseDuration } from '../core/duration.ts'
import { InvalidInput } from '../core/errors.ts'
import { parseMillicores, QuantityError } from '../core/quantity.ts'
import { type Millicores, type Millis, millis } from '../core/units.ts'

/** What the reference page shows as default where the schema cannot say it. */
export const shown = (text: string) => ({ default: text })

/** Undefined where the text is no such thing. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    const isExpected = [InvalidInput, QuantityError, RangeError].some(
      (kind) => error instanceof kind,
    )
    if (!isExpected) throw error
    return undefined
  }
}

export function duration(description: string, { min, max }: { min: string; max: string }) {
  const whole = { flag: description, min: 0, max: Infinity }
  const limits = { min: parseDuration(min, whole), max: parseDuration(max, whole) }
  const read = (text: string): number => parseDuration(text, { flag: description, ...limits })
  const wanted = `a duration from ${min} to ${max}`
  return v.pipe(
    v.string(wanted),
    v.check((text) => attempt(() => read(text)) !== undefined, wanted),
    v.transform((text): Millis => millis(read(text))),
    v.title(`duration, ${min} to ${max}`),
    v.description(description),
  )
}

/** As Kubernetes means it: a bare number counts CPUs. */
export function cpu(description: string, least: Millicores) {
  const wanted = `CPU of at least ${least}m, such as 100m, 0.5 or 2`
  return v.pipe(
    v.union([v.string(), v.number()], wanted),
    v.check((value) => (attempt(() => parseMillicores(String(value))) ?? -1) >= least, wanted),
    v.transform((value) => parseMillicores(String(value))),
    v.title(least > 0 ? `quantity of CPU, ${least}m or more` : 'quantity of CPU'),
    v.description(description),
  )
}

export function number(description: string, { min, max }: { min: number; max: number }) {
  const wanted = `a number from ${min} to ${max}`
  return v.pipe(
    v.number(wanted),
    v.minValue(min, wanted),
    v.maxValue(max, wanted),
    v.title(`number, ${min} to ${max}`),
    v.description(description),
  )
}

export function wholeNumber(description: string, { min, max }: { min: number; max: number }) {
  const wanted = `a whole number from ${min} to ${max}`
  return v.pipe(
    v.number(wanted),
    v.integer(wanted),
    v.minValue(min, wanted),
    v.maxValue(max, wanted),
    v.title(`whole number, ${min} to ${max}`),
    v.description(description),
  )
}

export const ratio = (description: string) => number(description, { min: 0, max: 1 })

export const onOff = (description: string) =>
  v.pipe(v.boolean('true or false'), v.title('true or false'), v.description(description))

export const text = (description: string, wanted: string) =>
  v.pipe(v.string(wanted), v.description(description))

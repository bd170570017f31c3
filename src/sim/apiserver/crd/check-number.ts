/** The bounds of a number, told as kube-openapi tells them. */
import type { Schema } from './schema.ts'

type Fault = {
  readonly detail: string
  /** Told of the whole object: the check of a format's range knows no field. */
  readonly isOfRoot?: true
  /** What is shown, if not the number itself. */
  readonly value?: number
}

export function checkNumber(value: number, schema: Schema, path: string): readonly Fault[] {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const faults: Fault[] = []
  const ranged = (of: number, what: string): void => {
    const wanted = wantedRange(of, schema)
    if (wanted !== undefined) {
      faults.push({ isOfRoot: true, detail: `${what} value must be of type ${wanted} in ${path}` })
    }
  }
  const say = (detail: string): void =>
    void faults.push({ detail: `${path} in body should be ${detail}` })

  ranged(value, 'Checked')
  if (multipleOf !== undefined) {
    ranged(multipleOf, 'MultipleOf')
    // Of integers the factor is taken as one, too, and 0.5 is none.
    const factor = Number.isInteger(value) ? Math.trunc(multipleOf) : multipleOf
    if (factor <= 0) {
      const detail = `factor MultipleOf declared for ${path} must be positive: ${factor}`
      faults.push({ value: factor, detail })
    } else if (!isMultiple(value, factor)) say(`a multiple of ${multipleOf}`)
  }
  if (minimum !== undefined) {
    ranged(minimum, 'Minimum boundary')
    if (exclusiveMinimum ? value <= minimum : value < minimum) {
      say(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
    }
  }
  if (maximum !== undefined) {
    ranged(maximum, 'Maximum boundary')
    if (exclusiveMaximum ? value >= maximum : value > maximum) {
      say(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
    }
  }
  return faults
}

function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0
  const times = value / of
  const off = Math.abs(times - Math.round(times))
  return off <= 1e-9 * Math.max(1, Math.abs(times)) // 0.3 is three times 0.1
}

/** What the value should have been, where it is beyond the type and its format. */
function wantedRange(value: number, { type, format }: Schema): string | undefined {
  if (type === 'integer') {
    const bound = format === 'int32' ? 2 ** 31 : 2 ** 63
    if (Number.isInteger(value) && value >= -bound && value < bound) return undefined
    return format === 'int32' || format === 'int64'
      ? `integer with format ${format}`
      : 'integer (default format)'
  }
  const isTooLarge = type === 'number' && format === 'float' && !Number.isFinite(Math.fround(value))
  return isTooLarge ? 'number with format float' : undefined
}

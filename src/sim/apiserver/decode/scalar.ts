/** Scalars of built-in kinds as Go reads and writes them again: the canonical form, or an error. */
import { formatQuantity, parseQuantity, QuantityError } from '../../../core/quantity.ts'
import type { ScalarShape } from '../shape.ts'
import { readTime } from './time.ts'
import { Unreadable, WrongType } from './unreadable.ts'

export function readScalar(value: unknown, { type, format }: ScalarShape): unknown {
  if (type === 'string') return readString(value, format)
  if (type === 'integer') return readInteger(value, format ?? 'int64')
  if (type === 'int-or-string') {
    return typeof value === 'string' ? value : readInteger(value, 'int32')
  }
  if (typeof value !== type) throw new WrongType(value, type === 'boolean' ? 'bool' : 'float64')
  return value
}

function readString(value: unknown, format: string | undefined): unknown {
  if (format === 'quantity') return readQuantity(value)
  if (typeof value !== 'string')
    throw new WrongType(value, format === 'byte' ? '[]uint8' : 'string')
  if (format === 'byte') return readBase64(value)
  return format === 'date-time' || format === 'micro-time' ? readTime(value, format) : value
}

const largest: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 }

function readInteger(value: unknown, format: string): number {
  if (typeof value !== 'number') throw new WrongType(value, format)
  const limit = largest[format] ?? Infinity
  if (!Number.isInteger(value) || value >= limit || value < -limit) {
    throw new WrongType(value, format, { showsValue: true })
  }
  return value
}

/** Most quantities there are, which are canonical already. */
const CANONICAL = /^(?:0|[1-9]\d{0,2}(?:[mkMGTPE]|[KMGTPE]i)?)$/
const FORM = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
/** Stricter than what the message says, as Go's own scanner is: a second dot ends the number. */
const SCANNED = /^[+-]?\d*\.?\d*[eEinumkKMGTP]*[-+]?\d*$/

function readQuantity(value: unknown): string {
  if (typeof value === 'string' && CANONICAL.test(value)) return value
  const text =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined
  try {
    if (text !== undefined) return formatQuantity(parseQuantity(text))
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error
    if (text !== '' && SCANNED.test(text ?? '')) {
      throw new Unreadable("unable to parse quantity's suffix", { cause: error })
    }
  }
  throw new Unreadable(`quantities must match the regular expression '${FORM}'`)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function readBase64(value: string): string {
  const text = /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, '') : value
  if (BASE64.test(text)) return text
  const legal = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0
  throw new Unreadable(`illegal base64 data at input byte ${legal}`)
}

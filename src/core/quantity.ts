/**
 * Kubernetes quantities, with exactly the grammar and the rounding of `ParseQuantity` in
 * k8s.io/apimachinery/pkg/api/resource; test/oracles/quantity holds its answers.
 *
 *   text     nanos            millicores  canonical
 *   1.5      1_500_000_000    1500        1500m
 *   0.5Ki    512_000_000_000  512000      512      binary suffixes begin at 1024
 *   0.1n     1                1           1n       some of a resource is never rounded to none
 *
 * We differ only where Kubernetes gives a wrong value or none:
 *   - it prints 1000E as "1"; we print "1000E"
 *   - its exponents wrap around at 32 bits, and 1e-100000000 keeps it busy for over a minute; we
 *     refuse those beyond 1000
 *   - its integers overflow; we refuse what is no safe integer
 *   - it counts -1.5 as -2 bytes, but -1.00000000001 as 0; we round away from 0 always
 */
import { bytes, millicores, type Bytes, type Millicores } from './units.ts'

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** An exact amount, and the family of suffixes that it was and will be written with. */
export type Quantity = { readonly nanos: bigint; readonly format: QuantityFormat }

/** A text that is no quantity; `position` is the character, from 1, where it stops being one. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError'
  readonly position: number

  constructor(text: string, { offset, expected }: { offset: number; expected: string }) {
    const got = offset < text.length ? quote(text.slice(offset)) : 'nothing'
    const position = offset + 1
    super(
      `parsing quantity ${quote(text)}: expected ${expected}, got ${got} at character ${position}`,
    )
    this.position = position
  }
}

const ONE = 1_000_000_000n
const MILLI = 1_000_000n
/** Of BinarySI only: Kubernetes caps it at the largest int64, the decimal formats not at all. */
const BINARY_CAP = (2n ** 63n - 1n) * ONE
/** Far beyond any resource, and small enough that a hostile text cannot fill the memory. */
const LARGEST_EXPONENT = 1000

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] // from 10 ** -9, in steps of 1000
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] // from 1, in steps of 1024
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?/
const EXPONENT = /^[eE]([+-]?\d+)$/

/** What a suffix multiplies by: `10 ** ten * 2 ** two`. */
type Scale = { readonly format: QuantityFormat; readonly ten: number; readonly two: number }

export function parseQuantity(text: string): Quantity {
  const [number = '', sign = '', whole = '', fraction = ''] = NUMBER.exec(text) ?? []
  const scale = scaleOf(text.slice(number.length))
  const digits = whole + fraction
  if (digits === '' && (text === '' || !scale || !isZeroWithoutDigits(scale))) {
    throw new QuantityError(text, { offset: sign.length, expected: 'a number such as 1 or 0.5' })
  }
  if (!scale) {
    const expected = 'a suffix such as m, k, Ki or e3'
    throw new QuantityError(text, { offset: number.length, expected })
  }
  if (Math.abs(scale.ten) > LARGEST_EXPONENT) {
    const expected = `an exponent from -${LARGEST_EXPONENT} to ${LARGEST_EXPONENT}`
    throw new QuantityError(text, { offset: number.length, expected })
  }

  const power = scale.ten - fraction.length + 9
  const mantissa = BigInt(digits) << BigInt(scale.two) // no digits are 0n
  let size =
    power >= 0 ? mantissa * 10n ** BigInt(power) : divideUp(mantissa, 10n ** BigInt(-power))
  if (scale.format === 'BinarySI' && size > BINARY_CAP) size = BINARY_CAP
  const isPart = size > 0n && size < ONE // which no binary suffix can write
  return {
    nanos: sign === '-' ? -size : size,
    format: scale.format === 'BinarySI' && isPart ? 'DecimalSI' : scale.format,
  }
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = DECIMAL.indexOf(suffix)
  if (decimal >= 0) return { format: 'DecimalSI', ten: 3 * decimal - 9, two: 0 }
  const binary = BINARY.indexOf(suffix)
  if (binary >= 0) return { format: 'BinarySI', ten: 0, two: 10 * binary }
  const exponent = EXPONENT.exec(suffix)
  if (exponent) return { format: 'DecimalExponent', ten: Number(exponent[1]), two: 0 }
  return undefined
}

/**
 * Kubernetes reads "m", "-", "." and "e3" as 0, because only its parser of large and of small
 * numbers looks for a digit, and that one is chosen by the suffix.
 */
const isZeroWithoutDigits = ({ ten, two }: Scale): boolean => ten >= -9 && two <= 40

/** Canonical: no fraction, the largest suffix that keeps the value whole. */
export function formatQuantity({ nanos, format }: Quantity): string {
  const isBinary = nanos % ONE === 0n && magnitude(nanos) >= 1024n * ONE
  if (format === 'BinarySI' && isBinary) {
    return withSuffix(nanos / ONE, { step: 1024n, suffixes: BINARY })
  }
  if (format === 'DecimalExponent') return withExponent(nanos)
  return withSuffix(nanos, { step: 1000n, suffixes: DECIMAL })
}

type Suffixes = { readonly step: bigint; readonly suffixes: readonly string[] }

function withSuffix(amount: bigint, { step, suffixes }: Suffixes): string {
  if (amount === 0n) return '0'
  let i = 0
  while (amount % step === 0n && i < suffixes.length - 1) {
    amount /= step
    i += 1
  }
  return `${amount}${suffixes[i] ?? ''}`
}

function withExponent(nanos: bigint): string {
  if (nanos === 0n) return '0'
  let exponent = -9
  while (nanos % 1000n === 0n) {
    nanos /= 1000n
    exponent += 3
  }
  return exponent === 0 ? `${nanos}` : `${nanos}e${exponent}`
}

/** As `MilliValue()`: parts of a millicore count as a whole one. */
export const millicoresOf = (quantity: Quantity): Millicores =>
  millicores(countOf(quantity, { unit: MILLI, name: 'millicores' }))

/** As `Value()`: parts of a byte count as a whole one. */
export const bytesOf = (quantity: Quantity): Bytes =>
  bytes(countOf(quantity, { unit: ONE, name: 'bytes' }))

/**
 * Of what no number holds, the largest that one does. For amounts that are there already, in objects
 * that Kubernetes takes: who reads them must not stop at them. What a user writes for us is refused.
 */
export const cappedMillicoresOf = (quantity: Quantity): Millicores =>
  millicoresOf({ ...quantity, nanos: within(quantity.nanos, MILLI) })
export const cappedBytesOf = (quantity: Quantity): Bytes =>
  bytesOf({ ...quantity, nanos: within(quantity.nanos, ONE) })

function within(nanos: bigint, unit: bigint): bigint {
  const most = BigInt(Number.MAX_SAFE_INTEGER) * unit
  return nanos > most ? most : nanos < -most ? -most : nanos
}

function countOf(quantity: Quantity, { unit, name }: { unit: bigint; name: string }): number {
  const count = divideUp(magnitude(quantity.nanos), unit)
  if (count > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(
      `converting quantity ${quote(formatQuantity(quantity))}: ` +
        `expected at most ${Number.MAX_SAFE_INTEGER} ${name}, got more`,
    )
  }
  return quantity.nanos < 0n ? -Number(count) : Number(count)
}

const COMMON_CPU = /^\d{1,12}m?$/

export function parseMillicores(text: string): Millicores {
  // Nearly all that pods ask for; six times as fast without big integers.
  if (COMMON_CPU.test(text)) {
    return millicores(text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000)
  }
  return millicoresOf(parseQuantity(text))
}

export const parseCappedMillicores = (text: string): Millicores =>
  COMMON_CPU.test(text) ? parseMillicores(text) : cappedMillicoresOf(parseQuantity(text))

export const parseBytes = (text: string): Bytes => bytesOf(parseQuantity(text))

/** For sentences, in which `4` beside `925m` would be two units. */
export const showMillicores = (amount: number): string => `${amount}m`

/** As Kubernetes writes it: 4000 millicores are `4`. */
export const formatMillicores = (amount: Millicores): string =>
  formatQuantity({ nanos: BigInt(amount) * MILLI, format: 'DecimalSI' })

export const formatBytes = (amount: Bytes): string =>
  formatQuantity({ nanos: BigInt(amount) * ONE, format: 'BinarySI' })

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Of a value that is not negative. */
const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by

/** Short enough for an event, whatever came. */
const quote = (text: string): string =>
  text.length > 40 ? `${JSON.stringify(text.slice(0, 40))}...` : JSON.stringify(text)

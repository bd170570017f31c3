/**
 * Every figure of the page in its words. What is not known is `–`, never 0.
 *
 *   cpu(430) = 430m      cpu(12_500) = 12.5 cores      ratio(0.034) = 3.4 %
 */
export const unknown = '–'

type Maybe = number | null | undefined
type Numeric = (value: number) => string

const orUnknown =
  (write: Numeric) =>
  (value: Maybe): string =>
    value === undefined || value === null || !Number.isFinite(value) ? unknown : write(value)

/** From here on millicores are harder to read than cores. */
const CORES_FROM = 10_000

export const cpu = orUnknown((millicores) =>
  Math.abs(millicores) < CORES_FROM ? `${Math.round(millicores)}m` : `${cores(millicores)} cores`,
)

const cores: Numeric = (millicores) =>
  Math.abs(millicores) < 1_000_000
    ? (millicores / 1000).toFixed(1)
    : grouped(Math.round(millicores / 1000))

export const ratio = orUnknown((value) => {
  const percent = value * 100
  const digits = percent !== 0 && Math.abs(percent) < 9.95 ? 1 : 0
  return `${percent.toFixed(digits)} %`
})

/** Of a price or a payment: three figures that count. */
export const money = orUnknown((value) => {
  if (value === 0) return '0'
  return Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3)))
})

export const latency = orUnknown((millis) => {
  if (millis >= 1000) return `${(millis / 1000).toFixed(2)} s`
  return millis > 0 && millis < 10 ? `${millis.toFixed(1)} ms` : `${Math.round(millis)} ms`
})

export const whole = orUnknown((value) => grouped(Math.round(value)))

/** `1 pod`, `2 pods`. */
export const count = (value: number, noun: string): string =>
  `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`

const grouped: Numeric = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

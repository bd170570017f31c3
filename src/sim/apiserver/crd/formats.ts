/** The string formats that the real server checks; it takes all others without a look. */
import { isIP, isIPv4, isIPv6 } from 'node:net'

import { memberOf } from '../members.ts'

type Check = (text: string) => boolean

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const hostname =
  /^([a-zA-Z0-9\p{L}]([a-zA-Z0-9-\p{L}]*[a-zA-Z0-9\p{L}])?)(\.[a-zA-Z0-9\p{L}]([a-zA-Z0-9-\p{L}]*[a-zA-Z0-9\p{L}])?)*$/u

const isHostname: Check = (text) =>
  hostname.test(text) && text.length <= 255 && text.split('.').every((part) => part.length <= 63)

const isDate: Check = (text) => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (Number(year) < 100) date.setUTCFullYear(Number(year))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/

const isDateTime: Check = (text) => {
  const [date = '', rest, ...more] = text.toLowerCase().split('t')
  return isDate(date) && rest !== undefined && more.length === 0 && time.test(rest)
}

const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const durationUnits =
  /^(?:ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)$/i

/** Go's own form, or Scala's: `22 ns`, `3 days`. */
const isDuration: Check = (text) =>
  goDuration.test(text) ||
  [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => durationUnits.test(unit))

const isCidr: Check = (text) => {
  const [address = '', bits = '', ...more] = text.split('/')
  if (more.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  const family = isIP(withoutZeros(address))
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Go took 010.0.0.1 once, and the check still does. */
const withoutZeros = (text: string): string => text.replace(/(^|\.)0+(?=\d)/g, '$1')

const isEmail: Check = (text) => {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim()
  return /^[^\s@<>(),:;"[\]\\.]+(\.[^\s@<>(),:;"[\]\\.]+)*@[^\s@<>(),:;"[\]\\.]+(\.[^\s@<>(),:;"[\]\\.]+)*$/.test(
    address,
  )
}

const isUri: Check = (text) =>
  text.startsWith('/')
    ? !/[\s\p{Cc}]/u.test(text)
    : /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/.test(text) &&
      !/%(?![0-9A-Fa-f]{2})/.test(text) &&
      !/^\w+:\/\/[^/?#]*:(?!\d*(?:[/?#]|$))/.test(text)

/** The weighted digits of an ISBN sum to a multiple. */
const isIsbn10: Check = (text) => {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = Array.from(digits).reduce(
    (total, digit, i) => total + (digit === 'X' ? 10 : Number(digit)) * (i + 1),
    0,
  )
  return sum % 11 === 0
}
const isIsbn13: Check = (text) => {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  return (
    Array.from(digits).reduce(
      (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
      0,
    ) %
      10 ===
    0
  )
}

const isCreditCard: Check = (text) => {
  const digits = text.replace(/\D+/g, '')
  const known =
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/
  if (!known.test(digits)) return false
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, i) => {
      const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

const name = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

/** By name without dashes, as the real server looks them up. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && (isIPv4(withoutZeros(text)) || isIPv6(text)),
  ipv6: (text) => text.includes(':') && isIPv6(text),
  cidr: isCidr,
  mac: matches(
    /^(?:[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4})$/,
  ),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && name.test(text),
  k8slongname: (text) => text.length <= 253 && text.split('.').every((part) => name.test(part)),
}

/** Undefined where the real server does not know the format of a string. */
export const checkOfFormat = (format: string): Check | undefined =>
  memberOf(checks, format.replaceAll('-', ''))

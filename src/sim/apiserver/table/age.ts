/**
 * How long ago, as kubectl prints it: two or three significant figures.
 *
 *   119 s -> 119s    9 min 5 s -> 9m5s    179 min -> 179m    7 h 59 min -> 7h59m
 *   47 h -> 47h      7 d 23 h -> 7d23h    700 d -> 700d      2 y 1 d -> 2y1d
 */
const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** Below which the text is a count of `unit` and, where `rest` is given, what is left over in it. */
const steps: readonly { below: number; unit: Unit; rest?: Unit }[] = [
  { below: 2 * minute, unit: 's' },
  { below: 10 * minute, unit: 'm', rest: 's' },
  { below: 3 * hour, unit: 'm' },
  { below: 8 * hour, unit: 'h', rest: 'm' },
  { below: 2 * day, unit: 'h' },
  { below: 8 * day, unit: 'd', rest: 'h' },
  { below: 2 * year, unit: 'd' },
  { below: 8 * year, unit: 'y', rest: 'd' },
  { below: Infinity, unit: 'y' },
]

type Unit = keyof typeof seconds
const seconds = { s: 1, m: minute, h: hour, d: day, y: year }

export function printAge(millis: number): string {
  const total = Math.trunc(millis / 1000)
  if (total < -1) return '<invalid>'
  if (total < 0) return '0s' // clocks differ by a second
  const step = steps.find(({ below }) => total < below)
  if (step === undefined) return '<unknown>'
  const { unit, rest } = step
  const whole = `${Math.floor(total / seconds[unit])}${unit}`
  if (rest === undefined) return whole
  const left = Math.floor((total % seconds[unit]) / seconds[rest])
  return left === 0 ? whole : `${whole}${left}${rest}`
}

/** Of a timestamp, at `now` (milliseconds since 1970). */
export const printAgeOf = (timestamp: string | undefined, now: number): string =>
  timestamp === undefined ? '<unknown>' : printAge(now - Date.parse(timestamp))

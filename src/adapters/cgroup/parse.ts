/**
 * The kernel's CPU files, from text to values. Every file ends with a line feed, so that a text cut
 * short is refused and never read as a smaller number.
 *
 * Sources: Documentation/scheduler/sched-bwc.rst and admin-guide/cgroup-v1/cpuacct.rst for v1,
 * admin-guide/cgroup-v2.rst for v2.
 */
export type Throttling = {
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMicros: number
  /** Linux tells of bursts from 5.14 on. */
  readonly burstPeriods?: number
  readonly burstMicros?: number
}

/** Made once: cpu.stat is parsed hundreds of times a second. */
const fieldOf = (name: string): Field => ({ key: `${name} `, name: `cpu.stat: ${name}` })
type Field = { readonly key: string; readonly name: string }

const fields = {
  periods: fieldOf('nr_periods'),
  throttledPeriods: fieldOf('nr_throttled'),
  burstPeriods: fieldOf('nr_bursts'),
}
const nanos = { throttled: fieldOf('throttled_time'), burst: fieldOf('burst_time') }
const micros = {
  usage: fieldOf('usage_usec'),
  throttled: fieldOf('throttled_usec'),
  burst: fieldOf('burst_usec'),
}

/** cpu.stat of v1, which tells time in nanoseconds and no usage. */
export function parseCpuStatV1(text: string): Throttling {
  return {
    periods: numberIn(text, fields.periods),
    throttledPeriods: numberIn(text, fields.throttledPeriods),
    throttledMicros: microsOf(numberIn(text, nanos.throttled)),
    ...(startOf(text, fields.burstPeriods) >= 0 && {
      burstPeriods: numberIn(text, fields.burstPeriods),
      burstMicros: microsOf(numberIn(text, nanos.burst)),
    }),
  }
}

/** cpu.stat of v2. */
export function parseCpuStatV2(text: string): Throttling & { readonly usageMicros: number } {
  return {
    usageMicros: numberIn(text, micros.usage),
    periods: numberIn(text, fields.periods),
    throttledPeriods: numberIn(text, fields.throttledPeriods),
    throttledMicros: numberIn(text, micros.throttled),
    ...(startOf(text, fields.burstPeriods) >= 0 && {
      burstPeriods: numberIn(text, fields.burstPeriods),
      burstMicros: numberIn(text, micros.burst),
    }),
  }
}

/** cpu.stat of v2, also of the root, which has no throttling. */
export const parseUsageV2 = (text: string): number => numberIn(text, micros.usage)

/** cpuacct.usage of v1: nanoseconds since the group was made. */
export const parseUsageV1 = (text: string): number =>
  microsOf(whole(line(text, 'cpuacct.usage'), 'cpuacct.usage'))

/** cpu.max of v2: `max 100000` or `20000 100000`. */
export function parseCpuMax(text: string): { quotaMicros: number | null; periodMicros: number } {
  const fields = line(text, 'cpu.max').split(' ')
  const [quota = '', period = ''] = fields
  if (fields.length !== 2) throw refusal('cpu.max', '2 fields', String(fields.length))
  return {
    quotaMicros: quota === 'max' ? null : positive(quota, 'cpu.max: quota'),
    periodMicros: positive(period, 'cpu.max: period'),
  }
}

/** cpu.cfs_quota_us of v1: -1 is no limit. */
export function parseQuotaV1(text: string): number | null {
  const value = line(text, 'cpu.cfs_quota_us')
  return value === '-1' ? null : positive(value, 'cpu.cfs_quota_us')
}

export const parsePeriodV1 = (text: string): number =>
  positive(line(text, 'cpu.cfs_period_us'), 'cpu.cfs_period_us')

/** cpu.cfs_burst_us of v1, cpu.max.burst of v2; no text on a kernel without them. */
export const parseBurst = (text: string | undefined): { readonly burstLimitMicros?: number } =>
  text === undefined ? {} : { burstLimitMicros: whole(line(text, 'the burst'), 'the burst') }

export const parseShares = (text: string): number => whole(line(text, 'cpu.shares'), 'cpu.shares')

/** From 1 to 10000, or 0 of a group that runs only when nothing else does (cpu.idle). */
export const parseWeight = (text: string): number => whole(line(text, 'cpu.weight'), 'cpu.weight')

/** Where a line begins with it; below 0 if none does. */
function startOf(text: string, { key }: Field): number {
  let at = text.indexOf(key)
  while (at > 0 && text[at - 1] !== '\n') at = text.indexOf(key, at + 1)
  return at
}

function numberIn(text: string, field: Field): number {
  const at = startOf(text, field)
  const end = text.indexOf('\n', at)
  if (at < 0 || end < 0) throw refusal(field.name, 'a whole line', JSON.stringify(text))
  return whole(text.slice(at + field.key.length, end), field.name)
}

/** The only line of a file. */
function line(text: string, file: string): string {
  const end = text.indexOf('\n')
  if (end >= 0 && end === text.length - 1) return text.slice(0, end)
  throw refusal(file, 'one whole line', JSON.stringify(text))
}

/**
 * A counter of 64 bits. Above 2^53, which is 104 days of CPU in nanoseconds, the last digits are
 * rounded: still monotone, and less than a microsecond off.
 */
function whole(text: string, name: string): number {
  if (/^\d{1,20}$/.test(text)) return Number(text)
  throw refusal(name, 'a whole number', JSON.stringify(text))
}

function positive(text: string, name: string): number {
  const value = whole(text, name)
  if (value > 0) return value
  throw refusal(name, 'a number above 0', JSON.stringify(text))
}

const microsOf = (nanos: number): number => Math.floor(nanos / 1000)

const refusal = (name: string, expected: string, got: string): Error =>
  new Error(`parsing ${name}: expected ${expected}, got ${got}`)

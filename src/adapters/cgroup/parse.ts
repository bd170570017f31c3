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
}

/** cpu.stat of v1, which tells time in nanoseconds and no usage. */
export function parseCpuStatV1(text: string): Throttling {
  return {
    periods: field(text, 'cpu.stat', 'nr_periods'),
    throttledPeriods: field(text, 'cpu.stat', 'nr_throttled'),
    throttledMicros: microsOf(field(text, 'cpu.stat', 'throttled_time')),
  }
}

/** cpu.stat of v2. */
export function parseCpuStatV2(text: string): Throttling & { readonly usageMicros: number } {
  return {
    usageMicros: field(text, 'cpu.stat', 'usage_usec'),
    periods: field(text, 'cpu.stat', 'nr_periods'),
    throttledPeriods: field(text, 'cpu.stat', 'nr_throttled'),
    throttledMicros: field(text, 'cpu.stat', 'throttled_usec'),
  }
}

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

export const parseShares = (text: string): number => whole(line(text, 'cpu.shares'), 'cpu.shares')

/** From 1 to 10000, or 0 of a group that runs only when nothing else does (cpu.idle). */
export const parseWeight = (text: string): number => whole(line(text, 'cpu.weight'), 'cpu.weight')

/** The number after `name` on a line of its own. */
function field(text: string, file: string, name: string): number {
  const at = text.startsWith(`${name} `) ? 0 : text.indexOf(`\n${name} `) + 1
  const end = text.indexOf('\n', at)
  if ((at === 0 && !text.startsWith(`${name} `)) || end < 0) {
    throw refusal(`${file}: ${name}`, 'a whole line', JSON.stringify(text))
  }
  return whole(text.slice(at + name.length + 1, end), `${file}: ${name}`)
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

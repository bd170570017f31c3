/** One sample of a CPU group, as the estimator takes it; amounts are cores. */
export type DemandSample = {
  readonly seconds: number
  readonly usageCores: number
  readonly throttledPeriods: number
  /** Time waited for quota over time, added up over the CPUs that waited. */
  readonly throttledCores: number
  /** Time waited for a CPU over time; 0 where nobody looked, since CPU was idle. */
  readonly waitedCores: number
  /** In force since the sample before. Undefined is no limit. */
  readonly quotaCores: number | undefined
  /** The most it could run at: CPUs, or threads where these are known and fewer. */
  readonly parallelism: number
}

/** After a longer gap an average hides all that an estimator could act on. */
const LONGEST_SECONDS = 10

/** Why a sample cannot be used; undefined if it can. */
export function whyUnusable(sample: DemandSample): string | undefined {
  const { seconds } = sample
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
    return `expected up to ${LONGEST_SECONDS} s since the sample before, got ${seconds}`
  }
  const wild = AMOUNTS.find((name) => !isPlausible(sample[name] ?? 0))
  return wild && `expected ${wild} from 0 to ${MOST}, got ${sample[wild]}`
}

const AMOUNTS = [
  'usageCores',
  'throttledPeriods',
  'throttledCores',
  'waitedCores',
  'quotaCores',
  'parallelism',
] as const

/** More than any machine: CPUs, or periods in ten seconds. */
const MOST = 100_000

const isPlausible = (amount: number): boolean => amount >= 0 && amount <= MOST

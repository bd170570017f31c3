/** What the real kernel and the model are both put to. */

/** One thread's work; moments count from the common start, which is the start of a period. */
export type Work =
  | { readonly kind: 'always' }
  | { readonly kind: 'windows'; readonly everyMillis: number; readonly forMillis: number }
  /** The text of a requests load with a seed; both serve the same arrivals. */
  | { readonly kind: 'requests'; readonly load: string }

export type Group = {
  readonly shares: number
  readonly quotaMicros: number | null
  readonly burstMicros: number
  readonly threads: number
  readonly work: Work
}

export type Setting = {
  readonly name: string
  readonly periodMicros: number
  readonly groups: readonly Group[]
}

/** What a group's counters grew by between the two readings. */
export type Grown = {
  readonly usageMicros: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMicros: number
  readonly bursts: number
  readonly burstMicros: number
  /** Of requests answered from the common start to the second reading: counts up to each bucket. */
  readonly latency?: readonly number[]
}

/** Of a real group: the share of the time in which it might run that nobody else took from it. */
export type RealGrown = Grown & { readonly freeRatio: number }

export type Measured = {
  readonly setting: Setting
  /** How long after a tick of the kernel the common start was. */
  readonly intoTickMicros: number
  /** When the counters were read, since the common start. */
  readonly fromMicros: number
  readonly toMicros: number
  readonly groups: readonly RealGrown[]
  /** What the groups did not get of a machine that they would have filled. */
  readonly lostMilli: number
  /** Of the machine's CPU time: stolen by its host, and used by others than the groups. */
  readonly stealRatio: number
  readonly othersRatio: number
}

const always: Work = { kind: 'always' }
const windows = (forMillis: number, everyMillis: number): Work => ({
  kind: 'windows',
  everyMillis,
  forMillis,
})

type Lone = { readonly quota: number; readonly work?: Work } & Partial<{
  threads: number
  period: number
  burst: number
}>

/** One group, in milliseconds. */
function lone(name: string, { quota, work = always, threads = 1, period = 100, burst = 0 }: Lone) {
  return {
    name,
    periodMicros: period * 1000,
    groups: [group({ quotaMicros: quota * 1000, burstMicros: burst * 1000, threads, work })],
  }
}

const group = (over: Partial<Group>): Group => ({
  shares: 1024,
  quotaMicros: null,
  burstMicros: 0,
  threads: 2,
  work: always,
  ...over,
})

const rivals = (name: string, groups: readonly Group[]): Setting => ({
  name,
  periodMicros: 100_000,
  groups,
})

/** Of a machine with two CPUs. */
export const settings: readonly Setting[] = [
  lone('1 thread, quota 20 of 100 ms', { quota: 20 }),
  lone('1 thread, quota 50 of 100 ms', { quota: 50 }),
  lone('1 thread, quota 10 of 50 ms', { quota: 10, period: 50 }),
  lone('2 threads, quota 50 of 100 ms', { quota: 50, threads: 2 }),
  lone('2 threads, quota 100 of 100 ms', { quota: 100, threads: 2 }),
  lone('2 threads, quota 150 of 100 ms', { quota: 150, threads: 2 }),
  lone('3 threads, quota 120 of 100 ms', { quota: 120, threads: 3 }),
  lone('3 threads, quota 250 of 100 ms', { quota: 250, threads: 3 }),
  lone('30 of 100 ms, quota 20', { quota: 20, work: windows(30, 100) }),
  lone('30 of 100 ms, quota 40', { quota: 40, work: windows(30, 100) }),
  lone('30 of 200 ms, quota 20', { quota: 20, work: windows(30, 200) }),
  lone('30 of 70 ms, quota 25', { quota: 25, work: windows(30, 70) }),
  lone('30 of 1000 ms, quota 20', { quota: 20, work: windows(30, 1000) }),
  lone('2 threads 40 of 150 ms, quota 50', { quota: 50, threads: 2, work: windows(40, 150) }),
  lone('60 of 300 ms, quota 30, burst 30', { quota: 30, burst: 30, work: windows(60, 300) }),
  lone('60 of 200 ms, quota 20, burst 20', { quota: 20, burst: 20, work: windows(60, 200) }),
  lone('20 requests/s of 10 ms, quota 30', {
    quota: 30,
    work: { kind: 'requests', load: 'requests rate=20 cpu=10ms spread=exponential seed=7' },
  }),
  rivals('shares 1024 and 3072, full machine', [group({}), group({ shares: 3072 })]),
  rivals('quota 50 beside no limit, full', [group({ quotaMicros: 50_000 }), group({})]),
  rivals('quotas 80 and 150, full', [
    group({ quotaMicros: 80_000 }),
    group({ quotaMicros: 150_000 }),
  ]),
]

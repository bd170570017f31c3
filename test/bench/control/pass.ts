import { parseLoad } from '../../../src/apis/load.ts'
/** One law over one pass of a load, in the simulated kernel. */
import type { Law, Sample } from '../../../src/core/rivals/law.ts'
import { type Millicores, millis } from '../../../src/core/units.ts'
import type { Bandwidth, Limit } from '../../../src/sim/kernel/bandwidth.ts'
import { createServing } from '../../../src/sim/kernel/requests.ts'
import { quantile } from '../statistics.ts'
import { arrivalsOf, passSeconds, type Profile, warmUpSeconds } from './profile.ts'

/** What our own laws are told besides. */
export type Observed = Sample & {
  readonly throttledRatio: number
  /** Time waited for quota over time. */
  readonly throttledCores: number
  readonly quotaCores: number
  /** Milliseconds, of the requests answered in the last seconds; undefined if there were none. */
  readonly p99Millis: () => number | undefined
}

export type JudgedLaw<State> = Omit<Law<State>, 'decide'> & {
  readonly decide: (
    state: State,
    observed: Observed,
  ) => { readonly state: State; readonly quota: Millicores }
}

export type Scene = { readonly profile: Profile; readonly seed: number }

export type Outcome = {
  readonly scene: Scene
  /** Milliseconds, ascending, of the requests that arrived after the warm-up. */
  readonly latencies: Float64Array
  readonly quotaCores: number
  readonly usageCores: number
  readonly throttledRatio: number
  readonly changesPerMinute: number
  /** From the step to a quota of at least the demand; undefined without a step. */
  readonly stepSeconds: number | undefined
}

/** Those of the node; the service has one thread. */
export const cpus = 2
const periodMicros = 100_000
/** A queue that is left at the end is served by the last quota, so that late answers count. */
const drainSeconds = 600
const latencyWindowMicros = 2_000_000

export function runPass<State>(
  law: JudgedLaw<State>,
  { scene, quota: first }: { readonly scene: Scene; readonly quota: Millicores },
): Outcome {
  const { profile, seed } = scene
  let quota = first
  const answers: { readonly at: number; readonly took: number }[] = []
  const latencies: number[] = []
  const serving = createServing({
    load: serviceLoad,
    limit: limitOf(quota, law.burstRatio),
    speedMilli: 1000,
    seed,
    cpus,
    atMicros: 0,
    phaseMicros: (seed * 7919) % periodMicros,
    arrivals: arrivalsOf(profile, seed),
    answers: {
      count(took, arrived) {
        answers.push({ at: arrived + took, took })
        if (arrived >= warmUpSeconds * 1e6) latencies.push(took / 1000)
      },
      refuse() {},
    },
  })
  const step = createStepClock(profile)
  let state = law.start(quota, millis(0))
  let before = serving.peek(0)
  let warm = before
  let [changes, quotaSeconds] = [0, 0]
  for (let at = law.every; at <= passSeconds * 1000; at = millis(at + law.every)) {
    const now = serving.peek(at * 1000)
    const seconds = law.every / 1000
    const observed = observe({ before, now, seconds, quota })
    before = now
    const isWarm = at > warmUpSeconds * 1000
    if (isWarm) quotaSeconds += (quota / 1000) * seconds
    else warm = now
    step.note({ fromMillis: at - law.every, toMillis: at, quota })
    const p99Millis = () => p99Of(answers, at * 1000)
    const decision = law.decide(state, { ...observed, at, p99Millis })
    ;({ state } = decision)
    if (decision.quota === quota) continue
    ;({ quota } = decision)
    if (isWarm) changes += 1
    serving.change(at * 1000, { limit: limitOf(quota, law.burstRatio) })
  }
  serving.settle((passSeconds + drainSeconds) * 1e6)
  const periods = before.periods - warm.periods
  const measured = (before.atMicros - warm.atMicros) / 1e6
  return {
    scene,
    latencies: Float64Array.from(latencies).toSorted(),
    quotaCores: quotaSeconds / measured,
    usageCores: (before.usageNanos - warm.usageNanos) / 1e9 / measured,
    throttledRatio: (before.throttledPeriods - warm.throttledPeriods) / Math.max(1, periods),
    changesPerMinute: (60 * changes) / measured,
    stepSeconds: step.seconds(),
  }
}

/** Its rate is not used: arrivals are given. */
const serviceLoad = (() => {
  const load = parseLoad('requests rate=1 cpu=1ms threads=1 queue=100000')
  if (load.kind !== 'requests') throw new Error(`expected requests, got ${load.kind}`)
  return load
})()

function limitOf(quota: Millicores, burstRatio: number): Limit {
  const quotaMicros = (quota * periodMicros) / 1000
  return { quotaMicros, periodMicros, burstMicros: Math.floor(quotaMicros * burstRatio) }
}

type Interval = {
  readonly before: Bandwidth
  readonly now: Bandwidth
  readonly seconds: number
  readonly quota: Millicores
}

function observe(interval: Interval): Omit<Observed, 'at' | 'p99Millis'> {
  const { before, now, seconds, quota } = interval
  const usageCores = (now.usageNanos - before.usageNanos) / 1e9 / seconds
  const throttledPeriods = now.throttledPeriods - before.throttledPeriods
  return {
    seconds,
    usageCores,
    throttledPeriods,
    throttledRatio: throttledPeriods / Math.max(1, now.periods - before.periods),
    throttledCores: (now.throttledMicros - before.throttledMicros) / 1e6 / seconds,
    quotaCores: quota / 1000,
    sharePoolRatio: usageCores / cpus,
  }
}

/** Forgets what is older than the window. */
function p99Of(
  answers: { readonly at: number; readonly took: number }[],
  nowMicros: number,
): number | undefined {
  const from = answers.findIndex(({ at }) => at > nowMicros - latencyWindowMicros)
  answers.splice(0, from < 0 ? answers.length : from)
  const sorted = answers.map(({ took }) => took / 1000).toSorted((a, b) => a - b)
  return quantile(sorted, 0.99)
}

type Stretch = {
  readonly fromMillis: number
  readonly toMillis: number
  readonly quota: Millicores
}

/** Told of the quota from moment to moment. */
function createStepClock({ step }: Profile) {
  let reached = Infinity
  return {
    note({ fromMillis, toMillis, quota }: Stretch): void {
      if (step === undefined || reached < Infinity) return
      if (toMillis / 1000 <= step.atSeconds || quota / 1000 < step.cores) return
      reached = Math.max(0, fromMillis / 1000 - step.atSeconds)
    },
    seconds: (): number | undefined => (step === undefined ? undefined : reached),
  }
}

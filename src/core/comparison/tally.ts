/**
 * Adds up the windows of all pods of one arm, and says what comes of them.
 *
 * Objective: the same figures for every arm, whatever gave out the CPU, in memory that does not grow
 * with the answers. Method: sums by workload and by pod, one latency histogram a workload, one point a
 * window for the plots. Figures are rounded to ten-thousandths, so that equal runs give equal bytes.
 * O(buckets) a window.
 */
import type { ArmHistory, ArmResult, WorkloadResult } from './arm-result.ts'
import { jainIndex } from './jain.ts'
import { latencyBucketCount, latencyQuantile } from './latency-histogram.ts'
import { isMissed, type PodWindow } from './pod-window.ts'
import { thin } from './thin.ts'

export type Tally = {
  readonly add: (window: PodWindow) => void
  /** Means are over `seconds`: all the time that was looked at. */
  readonly result: (name: string, seconds: number) => ArmResult
}

export function createTally(): Tally {
  const workloads = new Map<string, Sums>()
  const pods = new Map<string, { used: number; demanded: number }>()
  const moments = new Map<number, Moment>()
  const whole = noSums()

  return {
    add(window) {
      const { workload, podUid, usedMicros, demandedMicros, at } = window
      const missed = isMissed(window)
      const ofWorkload = workloads.get(workload) ?? noSums()
      workloads.set(workload, ofWorkload)
      for (const sums of [whole, ofWorkload]) addTo(sums, window, missed)
      const pod = pods.get(podUid) ?? { used: 0, demanded: 0 }
      pods.set(podUid, pod)
      pod.used += usedMicros
      pod.demanded += demandedMicros
      const moment = moments.get(at) ?? { at, promised: 0, allowed: 0, used: 0, violating: 0 }
      moments.set(at, moment)
      moment.promised += window.promisedCoreSeconds / window.seconds
      moment.allowed += window.allowedCoreSeconds / window.seconds
      moment.used += usedMicros / 1e6 / window.seconds
      moment.violating += missed === true ? 1 : 0
    },
    result: (name, seconds) => ({
      name,
      sloViolationRatio: round(ratioOf(whole.missed, whole.judged)),
      ...p99In(whole),
      ...figuresOf(whole, seconds),
      ...keptIn(whole),
      pendingPods: round(whole.pendingSeconds / seconds),
      changes: whole.changes,
      jain: round(jainIndex(sharesOf([...pods.values()]))),
      restarts: whole.restarts,
      workloads: [...workloads]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([workload, sums]) => workloadResult(workload, sums, seconds)),
      history: historyOf([...moments.values()]),
    }),
  }
}

type Sums = {
  targetMillis: number | undefined
  /** Answers of pods with a target. */
  readonly answers: Float64Array
  judged: number
  missed: number
  periods: number
  throttledPeriods: number
  usedMicros: number
  demandedMicros: number
  writtenCoreSeconds: number
  promisedCoreSeconds: number
  allowedCoreSeconds: number
  pendingSeconds: number
  /** Of what pods wanted within their requests as written: all, and what they had of it. */
  owedCoreSeconds: number
  keptCoreSeconds: number
  changes: number
  restarts: number
}

const noSums = (): Sums => ({
  targetMillis: undefined,
  answers: new Float64Array(latencyBucketCount),
  judged: 0,
  missed: 0,
  periods: 0,
  throttledPeriods: 0,
  usedMicros: 0,
  demandedMicros: 0,
  writtenCoreSeconds: 0,
  promisedCoreSeconds: 0,
  allowedCoreSeconds: 0,
  pendingSeconds: 0,
  owedCoreSeconds: 0,
  keptCoreSeconds: 0,
  changes: 0,
  restarts: 0,
})

const summed = [
  'periods',
  'throttledPeriods',
  'usedMicros',
  'demandedMicros',
  'writtenCoreSeconds',
  'promisedCoreSeconds',
  'allowedCoreSeconds',
  'pendingSeconds',
  'changes',
  'restarts',
] as const

function addTo(sums: Sums, window: PodWindow, missed: boolean | undefined): void {
  for (const figure of summed) sums[figure] += window[figure]
  const owed = Math.min(window.writtenCoreSeconds, window.demandedMicros / 1e6)
  sums.owedCoreSeconds += owed
  sums.keptCoreSeconds += Math.min(owed, window.usedMicros / 1e6)
  if (missed !== undefined) {
    sums.judged += 1
    sums.missed += missed ? 1 : 0
  }
  if (window.targetMillis === undefined) return
  sums.targetMillis = window.targetMillis
  const { answers = [] } = window
  for (let bucket = 0; bucket < answers.length; bucket++) {
    sums.answers[bucket] = (sums.answers[bucket] ?? 0) + (answers[bucket] ?? 0)
  }
}

function workloadResult(name: string, sums: Sums, seconds: number): WorkloadResult {
  const { targetMillis, judged, missed } = sums
  return {
    name,
    ...(judged > 0 && { sloViolationRatio: round(missed / judged) }),
    ...p99In(sums),
    ...(targetMillis !== undefined && { targetMillis }),
    ...figuresOf(sums, seconds),
  }
}

const keptIn = ({ owedCoreSeconds, keptCoreSeconds }: Sums): { readonly keptRatio?: number } =>
  owedCoreSeconds === 0 ? {} : { keptRatio: round(keptCoreSeconds / owedCoreSeconds) }

function p99In({ answers }: Sums): { readonly p99Millis?: number } {
  const p99 = latencyQuantile(answers, 0.99)
  return p99 === undefined ? {} : { p99Millis: round(p99) }
}

const figuresOf = (sums: Sums, seconds: number) => ({
  throttledRatio: round(ratioOf(sums.throttledPeriods, sums.periods)),
  writtenCores: round(sums.writtenCoreSeconds / seconds),
  promisedCores: round(sums.promisedCoreSeconds / seconds),
  allowedCores: round(sums.allowedCoreSeconds / seconds),
  usedCores: round(sums.usedMicros / 1e6 / seconds),
  demandedCores: round(sums.demandedMicros / 1e6 / seconds),
})

/** What was left over from before may be done on top: it makes nobody better off than satisfied. */
const sharesOf = (pods: readonly { used: number; demanded: number }[]): number[] =>
  pods
    .filter(({ demanded }) => demanded > 0)
    .map(({ used, demanded }) => Math.min(1, used / demanded))

type Moment = {
  readonly at: number
  promised: number
  allowed: number
  used: number
  violating: number
}

function historyOf(moments: readonly Moment[]): ArmHistory {
  const points = thin(moments.toSorted((a, b) => a.at - b.at))
  const column = (figure: keyof Moment): number[] => points.map((point) => round(point[figure]))
  return {
    at: column('at'),
    promised: column('promised'),
    allowed: column('allowed'),
    used: column('used'),
    violating: column('violating'),
  }
}

const ratioOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const round = (value: number): number => Math.round(value * 1e4) / 1e4

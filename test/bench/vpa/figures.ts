/** The figures of one pass. */
import { quantile } from '../statistics.ts'
import type { Evaluation } from './evaluation.ts'
import type { Slot } from './requests.ts'
import { type Activities, type Activity, addUp } from './sampler.ts'
import { byPod, requestedIn, type SpecEvent } from './spec-watch.ts'

/** Milliseconds from the intended moment; of what was not answered, until it was given up. */
export type Latencies = {
  readonly requests: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Of the requests: later than the target, or not at all. */
  readonly missedRatio: number
  readonly unanswered: number
}

export type ServiceFigures = {
  readonly name: string
  /** Over all phases, and in each; of a workload without requests none. */
  readonly overall?: Latencies
  readonly phases: Readonly<Record<string, Latencies>>
  readonly requestedCores: number
  readonly usedCores: number
  readonly throttledPeriods: number
  readonly throttledSeconds: number
  readonly waitedSeconds: number
}

export type PassFigures = {
  readonly arm: string
  readonly services: readonly ServiceFigures[]
  readonly requestedCores: number
  readonly usedCores: number
  /** Writes of requests or limits in pods' specs, while pods settle and under load. */
  readonly changes: number
  readonly changesUnderLoad: number
  /** Values of weight and quota in the kernel that changed under load, as four samples per second show. */
  readonly kernelChanges: number
  /** Containers that were started again, and pods in place of others. */
  readonly restarts: number
  /** At the end: pods whose kubelet has not carried out what their spec says. */
  readonly pendingResizes: number
  /** Of the arm's own programs. */
  readonly programCores: number
  readonly stealRatio: number
  readonly othersRatio: number
  /** What the arm wants of each workload, as it says itself before the load begins. */
  readonly wanted?: Readonly<Record<string, string>>
}

export type Measured = {
  readonly arm: string
  readonly evaluation: Evaluation
  readonly slots: readonly Slot[]
  /** Of each request of each slot; NaN if it was not answered. */
  readonly millis: readonly ArrayLike<number>[]
  readonly activities: Activities
  readonly events: readonly SpecEvent[]
  readonly startMicros: number
  readonly giveUpMillis: number
  readonly machine: Pick<PassFigures, 'programCores' | 'stealRatio' | 'othersRatio'>
  readonly wanted: ReadonlyMap<string, string> | undefined
}

export function figuresOf(measured: Measured): PassFigures {
  const { arm, evaluation, events, machine, wanted } = measured
  const span = spanOf(measured)
  const services = evaluation.workloads.map(({ workload }) => serviceOf(measured, workload.name))
  const changes = events.filter(({ isChange }) => isChange)
  return {
    arm,
    services,
    requestedCores: requestedIn(events, span),
    usedCores: services.reduce((sum, { usedCores }) => sum + usedCores, 0),
    changes: changes.length,
    changesUnderLoad: changes.filter(({ atMicros }) => atMicros >= span.fromMicros).length,
    kernelChanges: addUp([...measured.activities.values()].flat()).kernelChanges,
    restarts: restartsIn(measured),
    pendingResizes: pendingIn(events),
    ...machine,
    ...(wanted === undefined ? {} : { wanted: Object.fromEntries(wanted) }),
  }
}

const secondsOf = ({ evaluation }: Measured): number => evaluation.phases.at(-1)?.toSecond ?? 0

const spanOf = (measured: Measured) => ({
  fromMicros: measured.startMicros,
  toMicros: measured.startMicros + secondsOf(measured) * 1e6,
})

function restartsIn({ events, evaluation }: Measured): number {
  const wanted = evaluation.workloads.reduce((sum, { workload }) => sum + workload.replicas, 0)
  const pods = [...byPod(events).values()]
  const containers = pods.map((own) => own.at(-1)?.restarts ?? 0)
  return pods.length - wanted + containers.reduce((sum, count) => sum + count, 0)
}

const pendingIn = (events: readonly SpecEvent[]): number =>
  [...byPod(events).values()].filter((own) =>
    own.at(-1)?.pod?.status?.conditions?.some(({ type }) => type === 'PodResizePending'),
  ).length

function serviceOf(measured: Measured, name: string): ServiceFigures {
  const { evaluation, activities, events } = measured
  const { usedMicros, throttledPeriods, throttledMicros, waitedMicros }: Activity = addUp(
    activities.get(name) ?? [],
  )
  const overall = latenciesOf(measured, name)
  const phases = evaluation.phases.flatMap((phase) => {
    const found = latenciesOf(measured, name, phase)
    return found === undefined ? [] : [[phase.name, found] as const]
  })
  return {
    name,
    ...(overall === undefined ? {} : { overall }),
    phases: Object.fromEntries(phases),
    requestedCores: requestedIn(events, spanOf(measured), name),
    usedCores: usedMicros / 1e6 / secondsOf(measured),
    throttledPeriods,
    throttledSeconds: throttledMicros / 1e6,
    waitedSeconds: waitedMicros / 1e6,
  }
}

type Seconds = { readonly fromSecond: number; readonly toSecond: number }
const always: Seconds = { fromSecond: 0, toSecond: Infinity }

/** Of requests that were meant to come then; undefined if none were. */
function latenciesOf(
  { evaluation, slots, millis, giveUpMillis }: Measured,
  name: string,
  { fromSecond, toSecond } = always,
): Latencies | undefined {
  const target = evaluation.workloads.find(({ workload }) => workload.name === name)?.workload.slo
  let unanswered = 0
  const found = slots.flatMap(({ workload, requests }, slot) =>
    workload !== name
      ? []
      : requests.flatMap(({ atMicros }, i) => {
          if (atMicros < fromSecond * 1e6 || atMicros >= toSecond * 1e6) return []
          const took = millis[slot]?.[i] ?? NaN
          if (!Number.isNaN(took)) return took
          unanswered += 1
          return giveUpMillis - atMicros / 1000
        }),
  )
  if (found.length === 0) return undefined
  const ascending = found.toSorted((a, b) => a - b)
  const missed = found.filter((took) => took > (target?.p99 ?? Infinity)).length
  return {
    requests: found.length,
    p50: quantile(ascending, 0.5) ?? NaN,
    p95: quantile(ascending, 0.95) ?? NaN,
    p99: quantile(ascending, 0.99) ?? NaN,
    missedRatio: missed / found.length,
    unanswered,
  }
}

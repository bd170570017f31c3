/**
 * In-place resize on one node (KEP-1287): desired, allocated, actuated, actual. What does not fit is
 * deferred and tried again whenever a pod comes, goes or is resized, and every three minutes. What the
 * kernel refuses, as it does a quota below the burst, is an error and tried again every 10 to 15 s.
 */
import type { ResourceRequirements } from '../../apis/pod.ts'
import { cappedBytesOf, parseQuantity } from '../../core/quantity.ts'
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import { chargeOf } from '../nodes/charge.ts'
import type { SimPod, SimPodSpec } from '../nodes/pod.ts'
import type { RecordEvent } from '../record-event.ts'
import { timeOf } from '../timestamps.ts'
import type { Verdict } from './admission.ts'
import {
  allContainers,
  allocationOf,
  changedResources,
  isResized,
  resourcesOf,
} from './allocation.ts'
import { memoryOf } from './behaviour.ts'
import { type ContainerRun, isRunning } from './container-run.ts'
import type { PodWorker } from './pod-worker.ts'

const retryEvery = 180_000
/** At least; half as much again at most. */
const errorBackOff = 10_000

type Resizer = {
  /** The pod's spec may have changed. */
  readonly look: (worker: PodWorker) => void
  /** There may be room. */
  readonly retry: () => void
  readonly forgetAll: () => void
}

export function createResizer(at: {
  readonly agenda: Agenda
  readonly random: Random
  readonly record: RecordEvent
  /** Whether the node has room for this beside the other pods. */
  readonly fits: (worker: PodWorker) => Verdict
  readonly hasStaticCpus: boolean
}): Resizer {
  const { agenda, random, record } = at
  const waiting = new Set<PodWorker>()
  const actuations = new Map<PodWorker, () => void>()
  let crossOutRetry: (() => void) | undefined
  const now = () => timeOf(agenda.wall())

  const tell = (worker: PodWorker, said: string, how: { reason: string; error?: string }) => {
    const about = worker.pod()
    const { reason, error } = how
    const message = `Pod resize ${said}: ${summaryOf(about, error)}`
    record({ about, reason, message, type: error === undefined ? 'Normal' : 'Warning' })
  }

  const handle = (worker: PodWorker) => {
    const { view } = worker
    const { spec, metadata } = worker.pod()
    if (!worker.isActive() || !isResized(spec, view.allocated.spec)) {
      waiting.delete(worker)
      if (view.pending === undefined) return
      view.pending = undefined
      worker.publish()
      return
    }
    const verdict = feasibility(worker, at.hasStaticCpus) ?? at.fits(worker)
    const observedGeneration = metadata.generation ?? 0
    if (verdict.fits) {
      waiting.delete(worker)
      view.allocated = allocationOf(spec)
      view.pending = undefined
      view.inProgress = { observedGeneration, since: now() }
      tell(worker, 'started', { reason: 'ResizeStarted' })
      worker.publish()
      actuateIn(worker, actuationMillis(random))
      return
    }
    const reason = verdict.reason === 'Infeasible' ? 'Infeasible' : 'Deferred'
    if (reason === 'Infeasible') waiting.delete(worker)
    const { message } = verdict
    const before = view.pending
    if (before?.message === message && before.observedGeneration === observedGeneration) return
    view.pending = { reason, message, observedGeneration, since: before?.since ?? now() }
    tell(worker, verdict.reason, { reason: `Resize${reason}`, error: message })
    worker.publish()
  }

  const retry = () => {
    for (const worker of [...waiting].toSorted(inOrder)) handle(worker)
    if (waiting.size > 0) retryLater()
  }
  const retryLater = () => {
    crossOutRetry?.()
    crossOutRetry = agenda.at(agenda.now() + retryEvery, retry)
  }

  const actuateIn = (worker: PodWorker, wait: number) => {
    actuations.get(worker)?.()
    const actuate = () => {
      actuations.delete(worker)
      if (worker.isActive()) actuateNow(worker)
    }
    actuations.set(worker, agenda.at(agenda.now() + wait, actuate))
  }

  const actuateNow = (worker: PodWorker) => {
    const error = memoryError(worker) ?? worker.cgroup.raise() ?? setInPlace(worker)
    if (error !== undefined) {
      fail(worker, error)
      return
    }
    let restarting = 1
    const done = () => {
      restarting -= 1
      if (restarting === 0) complete(worker)
    }
    for (const { run, restarts } of changesOf(worker)) {
      if (!restarts) continue
      restarting += 1
      worker.restart(run, done)
    }
    done()
  }
  const fail = (worker: PodWorker, error: string) => {
    const { view } = worker
    if (view.inProgress && view.inProgress.message !== error) {
      view.inProgress = { ...view.inProgress, reason: 'Error', message: error }
      tell(worker, 'error', { reason: 'ResizeError', error })
      worker.publish()
    }
    actuateIn(worker, errorBackOff * (1 + random() / 2))
  }
  const complete = (worker: PodWorker) => {
    const error = worker.cgroup.lower()
    if (error !== undefined) {
      fail(worker, error)
      return
    }
    worker.view.actuated = worker.view.allocated
    worker.view.inProgress = undefined
    tell(worker, 'completed', { reason: 'ResizeCompleted' })
    worker.publish()
    retry()
  }

  return {
    look(worker) {
      const { view } = worker
      if (!isResized(worker.pod().spec, view.allocated.spec) && view.pending === undefined) return
      waiting.add(worker)
      retry()
    },
    retry,
    forgetAll() {
      waiting.clear()
      crossOutRetry?.()
      for (const crossOut of actuations.values()) crossOut()
      actuations.clear()
    },
  }
}

/** 50 ms at the median, 1 s at most, as measured on a real node. */
const actuationMillis = (random: Random): number => 50 * 20 ** ((2 * random() - 1) ** 3)

type Change = {
  readonly run: ContainerRun
  readonly next: ResourceRequirements
  readonly changed: readonly string[]
  readonly restarts: boolean
}

/** What the containers that run have yet to get. */
function changesOf({ view }: PodWorker): readonly Change[] {
  const { spec } = view.allocated
  return view.runs.filter(isRunning).map((run) => {
    const next = resourcesOf(spec, run.name) ?? {}
    const changed = changedResources(run.actual, next)
    return { run, next, changed, restarts: needsRestart(spec, run, changed) }
  })
}

/** Those that need no restart, one by one: what is done before the kernel refuses stays so. */
function setInPlace(worker: PodWorker): string | undefined {
  for (const { run, next, changed, restarts } of changesOf(worker)) {
    if (restarts) continue
    const error = changed.includes('cpu') ? worker.cgroup.setContainer(run.id, next) : undefined
    if (error !== undefined) return error
    run.actual = next
  }
  return undefined
}

/** Undefined if it is; what never fits on any node the API server has refused already. */
function feasibility(worker: PodWorker, hasStaticCpus: boolean): Verdict | undefined {
  const { spec, status } = worker.pod()
  const { allocated } = worker.view
  const isCpu = allContainers(spec).some(({ name, resources }) =>
    changedResources(resources, resourcesOf(allocated.spec, name)).includes('cpu'),
  )
  if (!hasStaticCpus || status?.qosClass !== 'Guaranteed' || !isCpu) return undefined
  const message = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"'
  return { fits: false, reason: 'Infeasible', message }
}

/** Not asking for more, then priority, then Guaranteed, then who has waited longest. */
function inOrder(a: PodWorker, b: PodWorker): number {
  const [first, second] = [rankOf(a), rankOf(b)]
  return (
    first.asksMore - second.asksMore ||
    second.priority - first.priority ||
    second.isGuaranteed - first.isGuaranteed ||
    compare(first.since, second.since) ||
    compare(first.uid, second.uid)
  )
}
function rankOf({ pod, view }: PodWorker) {
  const { spec, status, metadata } = pod()
  return {
    asksMore: Number(asksMore(spec, view.allocated.spec)),
    priority: spec.priority ?? 0,
    isGuaranteed: Number(status?.qosClass === 'Guaranteed'),
    // Who has just come sorts after every time.
    since: view.pending?.since ?? '~',
    uid: metadata.uid,
  }
}
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function asksMore(desired: SimPodSpec, allocated: SimPodSpec): boolean {
  const before = chargeOf({ spec: allocated })
  return [...chargeOf({ spec: desired })].some(([name, amount]) => amount > (before.get(name) ?? 0))
}

function needsRestart(
  spec: SimPodSpec,
  { name }: ContainerRun,
  changed: readonly string[],
): boolean {
  const container = allContainers(spec).find((one) => one.name === name)
  return (container?.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === 'RestartContainer' && changed.includes(resourceName),
  )
}

/** A limit below what is in use would kill the container: nothing is changed until it is above. */
function memoryError({ pod, view }: PodWorker): string | undefined {
  const usage = memoryOf(pod())
  const errors = view.runs.filter(isRunning).flatMap(({ name, actual }) => {
    const next = resourcesOf(view.allocated.spec, name)?.limits?.['memory']
    if (next === undefined) return []
    const limit = cappedBytesOf(parseQuantity(next))
    const before = actual?.limits?.['memory']
    const isLess = before === undefined || limit < cappedBytesOf(parseQuantity(before))
    return isLess && usage >= limit
      ? [
          `attempting to set container "${name}" memory limit (${limit}) below current usage (${usage})`,
        ]
      : []
  })
  if (errors.length === 0) return undefined
  return `cannot decrease memory limits: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`
}

/** What a resize asks for, as its events tell it. */
function summaryOf({ spec, metadata }: SimPod, error: string | undefined): string {
  const list = (containers: SimPodSpec['containers'] | undefined) =>
    containers?.map(({ name, resources }) => ({ name, resources: sorted(resources ?? {}) }))
  return JSON.stringify({
    initContainers: list(spec.initContainers),
    containers: list(spec.containers),
    generation: metadata.generation,
    error,
  })
}

/** Keys in order, as Go writes maps and this struct. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => compare(a, b)).map(([key, one]) => [key, sorted(one)]),
  )
}

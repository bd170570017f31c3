import type { Load } from '../../apis/load.ts'
/**
 * The life of one pod on its node: sandbox, init containers one after the other, sidecars beside them,
 * containers, restarts, the end. What it does it tells in the pod's status and in events.
 */
import { placeOf } from '../apiserver/object.ts'
import { isEnded, type SimContainer, type SimPod } from '../nodes/pod.ts'
import { pods } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import { allContainers, allocationOf, resourcesOf } from './allocation.ts'
import { endingOf, ignoresTerm, latencyTargetOf } from './behaviour.ts'
import {
  type ContainerRun,
  exitCodeOf,
  isRunning,
  newContainerId,
  newRuns,
  runtimeId,
  stopOrder,
} from './container-run.ts'
import { cpuSettings } from './cpu-settings.ts'
import { followLoads } from './follow-load.ts'
import type { NodeContext } from './node-context.ts'
import { createPlans } from './plans.ts'
import { createPodCgroup, type PodCgroup } from './pod-cgroup.ts'
import { type PodView, podStatus } from './pod-status.ts'
import { backOffOf, durationText, restarts } from './restart-policy.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type PodWorker = {
  /** As the API server last told it. */
  readonly pod: () => SimPod
  /** Changed by resizes; `publish` tells it. */
  readonly view: Mutable<PodView>
  readonly cgroup: PodCgroup
  readonly publish: () => void
  readonly begin: () => void
  readonly changed: (pod: SimPod) => void
  /** Ends it without a word: it was deleted, or the node is lost. */
  readonly forget: () => void
  /** Not ended: it still counts on the node. */
  readonly isActive: () => boolean
  /** Stops the container, starts it with what is allocated now, and says so. */
  readonly restart: (run: ContainerRun, then: () => void) => void
}

const defaultGraceSeconds = 30
/** An init container that says nothing of when it ends. */
const initMillis = 200
const deadlinePassed = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
}

/** `checkpoint` is what the node had allocated before it was lost. */
export function createPodWorker(
  at: NodeContext,
  first: SimPod,
  checkpoint = allocationOf(first.spec),
): PodWorker {
  const { api, agenda, kernel, random, record } = at
  const { uid } = first.metadata
  const place = placeOf(first)
  const now = () => timeOf(agenda.wall())
  /** Simulated milliseconds, evenly between. */
  const between = (low: number, high: number) => low + random() * (high - low)

  let pod = first
  let isOver = false
  let isDirty = false
  /** Seconds that a stop under way gives the containers. */
  let grace = Infinity
  /** What a stop under way does when a container has ended. */
  let afterEnd = () => {}
  let isRemoved = false
  const plans = createPlans(agenda)
  const view: Mutable<PodView> = {
    runs: newRuns(first),
    hasSandbox: false,
    startTime: first.status?.startTime ?? now(),
    hostIP: at.hostIP,
    podIP: undefined,
    allocated: checkpoint,
    actuated: checkpoint,
    pending: undefined,
    inProgress: undefined,
    failure: undefined,
    ended: undefined,
  }
  const { runs } = view
  const cgroup = createPodCgroup({ kernel, pod: () => pod, allocated: () => view.allocated })
  const isStopping = () => grace !== Infinity

  const flush = () => {
    isDirty = false
    if (isOver) return
    const by = { manager: 'kubelet', subresource: 'status' } as const
    const tell = (current: SimPod) => ({ ...current, status: podStatus(current, view, now()) })
    pod = rewrite(api, { of: pods, object: pod, by }, tell) ?? pod
  }
  const publish = () => {
    if (isDirty) return
    isDirty = true
    agenda.soon(() => {
      if (isDirty) flush()
    })
  }

  const crossOut = (run: ContainerRun) => {
    plans.crossOut(run)
    run.isStarting = false
  }

  const tell = (
    run: ContainerRun,
    event: { reason: string; message: string; type?: 'Normal' | 'Warning' },
  ) => {
    const list = run.kind === 'main' ? 'containers' : 'initContainers'
    record({ about: pod, fieldPath: `spec.${list}{${run.name}}`, ...event })
  }

  const refuse = (run: ContainerRun, message: string) =>
    tell(run, { type: 'Warning', reason: 'LoadRefused', message })

  const start = (run: ContainerRun) => {
    run.isStarting = true
    plans.after(run, between(50, 400), () => launch(run))
  }

  /** The next init container, or all containers once those are done. */
  const advance = () => {
    for (const run of runs) {
      if (run.kind === 'init' ? exitCodeOf(run) === 0 : run.id !== '') continue
      if (!run.isStarting && !isRunning(run)) start(run)
      if (run.kind !== 'main') return
    }
  }

  const launch = (run: ContainerRun) => {
    run.isStarting = false
    const container = allContainers(pod.spec).find(({ name }) => name === run.name)
    if (container === undefined) return
    let load: Load
    try {
      load = at.loadOf(pod, container)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      run.state = { waiting: { reason: 'CreateContainerConfigError', message } }
      tell(run, { type: 'Warning', reason: 'Failed', message: `Error: ${message}` })
      publish()
      return
    }
    const { image = '' } = container
    const pulled = `Container image "${image}" already present on machine and can be accessed by the pod`
    tell(run, { reason: 'Pulled', message: pulled })
    tell(run, { reason: 'Created', message: 'Container created' })
    tell(run, { reason: 'Started', message: 'Container started' })
    run.id = newContainerId(random)
    run.actual = resourcesOf(view.allocated.spec, run.name) ?? {}
    run.state = { running: { startedAt: now() } }
    run.isStarted = true
    view.podIP ??= pod.spec.hostNetwork ? at.hostIP : at.takeAddress()
    run.hasEnd = load.kind === 'batch'
    const exitCode = load.kind === 'batch' ? load.exitCode : 0
    const onDone = () => exited(run, exitCode)
    // It may start between the allocation of a resize and its actuation.
    cgroup.raise()
    const target = latencyTargetOf(pod)
    kernel.add({
      id: run.id,
      podUid: uid,
      cpu: cpuSettings(run.actual),
      load,
      ...(target !== undefined && { targetMillis: target }),
      onDone,
    })
    planEnd(run, container, load)
    becomeReady(run, container)
    publish()
    if (run.kind === 'sidecar') advance()
  }

  const planEnd = (run: ContainerRun, container: SimContainer, load: Load) => {
    if (load.kind === 'batch') return
    const ending =
      endingOf(container) ??
      (run.kind === 'init' ? { afterMillis: initMillis, exitCode: 0 } : undefined)
    if (ending) plans.after(run, ending.afterMillis, () => exited(run, ending.exitCode))
  }

  const becomeReady = (run: ContainerRun, { readinessProbe, startupProbe }: SimContainer) => {
    if (run.kind === 'init') return
    const wait =
      (readinessProbe?.initialDelaySeconds ?? 0) + (startupProbe?.initialDelaySeconds ?? 0)
    run.isReady = readinessProbe === undefined && startupProbe === undefined
    if (run.isReady) return
    // The first probe comes a moment after the delay.
    plans.after(run, wait * 1000 + between(50, 500), () => {
      run.isReady = true
      publish()
    })
  }

  const end = (run: ContainerRun, exitCode: number) => {
    crossOut(run)
    kernel.remove(run.id)
    const startedAt = 'running' in run.state ? run.state.running.startedAt : now()
    const reason = exitCode === 0 ? 'Completed' : 'Error'
    const containerID = runtimeId(run.id)
    run.state = { terminated: { exitCode, reason, startedAt, finishedAt: now(), containerID } }
    run.isReady = run.kind === 'init' && exitCode === 0
    run.isStarted = false
    publish()
  }

  /** It ended by itself. */
  const exited = (run: ContainerRun, exitCode: number) => {
    end(run, exitCode)
    if (isStopping()) {
      afterEnd()
      return
    }
    if (restarts(run.kind, exitCode, pod.spec.restartPolicy)) {
      restartLater(run)
    } else if (run.kind === 'init' && exitCode === 0) {
      advance()
    } else if (run.kind === 'init' || mainsHaveEnded()) {
      stop(pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds)
    }
  }
  const mainsHaveEnded = () =>
    runs.every((run) => run.kind !== 'main' || ('terminated' in run.state && !run.isStarting))

  const restartLater = (run: ContainerRun) => {
    if (!('terminated' in run.state)) return
    const ended = run.state.terminated
    const ran = Date.parse(ended.finishedAt) - Date.parse(ended.startedAt)
    const { wait, next } = backOffOf(run.backOff, ran)
    run.backOff = next
    run.isStarting = true
    if (wait === 0) {
      plans.after(run, between(200, 1000), () => again(run))
      return
    }
    plans.after(run, between(200, 1000), () => {
      const named = `${pod.metadata.name}_${pod.metadata.namespace}(${uid})`
      const message = `back-off ${durationText(wait)} restarting failed container=${run.name} pod=${named}`
      run.lastEnd = ended
      run.state = { waiting: { reason: 'CrashLoopBackOff', message } }
      tell(run, {
        type: 'Warning',
        reason: 'BackOff',
        message: `Back-off restarting failed container ${run.name} in pod ${named}`,
      })
      publish()
    })
    plans.after(run, wait, () => again(run))
  }
  const again = (run: ContainerRun) => {
    if ('terminated' in run.state) run.lastEnd = run.state.terminated
    run.restartCount += 1
    launch(run)
  }

  /** Containers first, then sidecars, the last one first; then the pod has ended. */
  const stop = (graceSeconds: number) => {
    grace = graceSeconds
    for (const run of runs) crossOut(run)
    const groups = stopOrder(runs)
    const next = () => {
      const group = groups.shift()
      if (group === undefined) finish()
      else stopRuns(group.filter(isRunning), next)
    }
    next()
  }
  const stopRuns = (running: readonly ContainerRun[], then: () => void) => {
    if (running.length === 0) {
      then()
      return
    }
    afterEnd = () => {
      if (!running.some(isRunning)) then()
    }
    const { wait, exitCode } = stopsIn(grace)
    for (const run of running) {
      tell(run, { reason: 'Killing', message: `Stopping container ${run.name}` })
      plans.after(run, wait, () => {
        end(run, exitCode)
        afterEnd()
      })
    }
  }
  /** How TERM goes, and KILL after the grace period. */
  const stopsIn = (graceSeconds: number) =>
    ignoresTerm(pod) || graceSeconds === 0
      ? { wait: graceSeconds * 1000, exitCode: 137 }
      : { wait: Math.min(graceSeconds * 1000, between(20, 200)), exitCode: 0 }

  const finish = () => {
    const mains = runs.filter(({ kind }) => kind === 'main')
    const hasFailed = view.failure !== undefined || mains.some((run) => exitCodeOf(run) !== 0)
    view.ended = hasFailed ? 'Failed' : 'Succeeded'
    view.hasSandbox = false
    view.pending = undefined
    view.inProgress = undefined
    release()
    flush()
    if (pod.metadata.deletionTimestamp) remove()
    at.onEnded()
  }
  const release = () => {
    if (view.podIP !== undefined && view.podIP !== at.hostIP) at.giveBack(view.podIP)
    plans.crossOutAll()
    cgroup.close()
  }
  /** Tells the API server that nothing is left of it on the node. */
  const remove = () => {
    if (isRemoved) return
    isRemoved = true
    agenda.soon(() => {
      if (!isOver && api.find(pods, place)?.metadata.uid === uid) {
        api.remove(pods, place, { graceSeconds: 0, uid })
      }
    })
  }

  const watchDeadline = () => {
    const { activeDeadlineSeconds } = pod.spec
    if (activeDeadlineSeconds === undefined) return
    const due = Date.parse(view.startTime) + activeDeadlineSeconds * 1000 - agenda.wall()
    plans.after(undefined, due, () => {
      if (isStopping()) return
      view.failure = deadlinePassed
      record({ about: pod, ...deadlinePassed })
      publish()
      stop(pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds)
    })
  }

  return {
    pod: () => pod,
    view,
    cgroup,
    publish,
    begin() {
      publish()
      watchDeadline()
      plans.after(undefined, between(50, 300), () => {
        if (isStopping()) return
        view.hasSandbox = true
        cgroup.open()
        publish()
        advance()
      })
    },
    changed(next) {
      const hasNewSpec = next.metadata.generation !== pod.status?.observedGeneration
      followLoads({ kernel, loadOf: at.loadOf, runs, refuse }, { before: pod, after: next })
      pod = next
      const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = next.metadata
      if (deletionTimestamp && isEnded(next)) remove()
      else if (deletionTimestamp && deletionGracePeriodSeconds < grace) {
        stop(deletionGracePeriodSeconds)
      }
      if (hasNewSpec && view.ended === undefined) publish()
    },
    forget() {
      isOver = true
      for (const run of runs) if (isRunning(run)) kernel.remove(run.id)
      release()
    },
    isActive: () => !isOver && view.ended === undefined,
    restart(run, then) {
      const { wait, exitCode } = stopsIn(
        pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds,
      )
      tell(run, { reason: 'Killing', message: `Container ${run.name} resize requires restart` })
      crossOut(run)
      plans.after(run, wait, () => {
        end(run, exitCode)
        again(run)
        then()
      })
    },
  }
}

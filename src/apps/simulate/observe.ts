/**
 * Looks at every pod of an arm: once a second at what it is promised and allowed, and once a window at
 * what came of it. What happens to a pod between its last window and its end is not seen, in any arm.
 */
import type { PodWindow } from '../../core/comparison/pod-window.ts'
import { type Counters, countersOf, growthOf, sumOf } from './counters.ts'
import type { StagedContainer, StagedPod } from './roster.ts'
import type { Stage, StageNode } from './stage.ts'

export const windowSeconds = 10

/** What is known of a pod since its window began. */
type Watch = {
  pod: StagedPod
  readonly writtenCores: number
  promisedCoreSeconds: number
  writtenCoreSeconds: number
  allowedCoreSeconds: number
  changes: number
  restarts: number
  /** By container ID, as they stood when the window began. */
  readonly counters: Map<string, Counters>
  /** By container name, as last seen. */
  readonly sizes: Map<string, string>
}

export type Observing = Pick<Stage, 'clock' | 'nodes' | 'roster'> & {
  /** What their owners requested for all containers of a pod, by workload; else what they came with. */
  readonly writtenCores: ReadonlyMap<string, number>
  readonly onWindow: (window: PodWindow) => void
}

/** Gives what is to be called once a second. */
export function createObserver(observing: Observing): () => void {
  const { clock, nodes, roster, writtenCores, onWindow } = observing
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const watches = new Map<string, Watch>()
  /** By pod without a node: in how many looks of this window it was. */
  const waited = new Map<string, number>()
  let looks = 0

  const glance = (pod: StagedPod, node: StageNode): void => {
    const watch = watches.get(pod.uid) ?? newWatch(pod, writtenCores)
    watches.set(pod.uid, watch)
    watch.restarts += pod.restarts - watch.pod.restarts
    watch.pod = pod
    watch.writtenCoreSeconds += watch.writtenCores
    for (const container of pod.containers) {
      const quotaCores = quotaOf(container, node)
      const { name, requestMilli = 0, limitMilli } = container
      watch.promisedCoreSeconds += requestMilli / 1000
      watch.allowedCoreSeconds += Math.min(quotaCores ?? node.cpus, node.cpus)
      const size = `${requestMilli} ${limitMilli} ${quotaCores}`
      if (watch.sizes.has(name) && watch.sizes.get(name) !== size) watch.changes += 1
      watch.sizes.set(name, size)
    }
  }

  const grow = ({ pod, counters }: Watch): Counters[] =>
    pod.containers.flatMap(({ place }) => {
      const node = byName.get(pod.node)
      const now = place && node && countersOf(place, node)
      if (place === undefined || now === undefined) return []
      const before = counters.get(place.containerId)
      counters.set(place.containerId, now)
      return growthOf(before, now)
    })

  const close = (watch: Watch, at: number): void => {
    const { pod, promisedCoreSeconds, writtenCoreSeconds, allowedCoreSeconds } = watch
    const { changes, restarts } = watch
    onWindow({
      at,
      seconds: windowSeconds,
      workload: pod.workload,
      podUid: pod.uid,
      targetMillis: pod.targetMillis,
      ...sumOf(grow(watch)),
      promisedCoreSeconds,
      writtenCoreSeconds,
      allowedCoreSeconds,
      pendingSeconds: 0,
      changes,
      restarts,
    })
    Object.assign(watch, noTime)
  }

  /** Nobody answers for a pod that never comes to a node: whoever asks it is turned away. */
  const closePending = (at: number): void => {
    for (const { uid, workload, targetMillis } of roster.pending()) {
      const pendingSeconds = waited.get(uid) ?? 0
      const turnedAway = pendingSeconds === windowSeconds ? 1 : 0
      onWindow({
        at,
        seconds: windowSeconds,
        workload,
        podUid: uid,
        targetMillis,
        ...sumOf([]),
        ...noTime,
        writtenCoreSeconds: pendingSeconds * (writtenCores.get(workload) ?? 0),
        refused: turnedAway,
        late: turnedAway,
        pendingSeconds,
      })
    }
    waited.clear()
  }

  return () => {
    looks += 1
    const present = new Set<string>()
    for (const pod of roster.all()) {
      const node = byName.get(pod.node)
      if (node === undefined) continue
      present.add(pod.uid)
      glance(pod, node)
    }
    for (const { uid } of roster.pending()) waited.set(uid, (waited.get(uid) ?? 0) + 1)
    if (looks % windowSeconds !== 0) return
    const at = clock.wall() - windowSeconds * 1000
    for (const [uid, watch] of watches) {
      close(watch, at)
      if (!present.has(uid)) watches.delete(uid)
    }
    closePending(at)
  }
}

const noTime = {
  promisedCoreSeconds: 0,
  writtenCoreSeconds: 0,
  allowedCoreSeconds: 0,
  changes: 0,
  restarts: 0,
}

const newWatch = (pod: StagedPod, writtenCores: ReadonlyMap<string, number>): Watch => ({
  pod,
  writtenCores: writtenCores.get(pod.workload) ?? requestedCores(pod),
  ...noTime,
  counters: new Map(),
  sizes: new Map(),
})

const requestedCores = ({ containers }: StagedPod): number =>
  containers.reduce((sum, { requestMilli = 0 }) => sum + requestMilli / 1000, 0)

/** Undefined without a quota; one that does not run yet has what it will be given. */
function quotaOf({ place, limitMilli }: StagedContainer, node: StageNode): number | undefined {
  const found = place && node.writer.settings(place)
  if (found === undefined) return limitMilli === undefined ? undefined : limitMilli / 1000
  return found.quotaMicros === null ? undefined : found.quotaMicros / found.periodMicros
}

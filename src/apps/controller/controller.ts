/**
 * The controller: watches PodAllocations, pods and what bounds them, and brings each pod to what its
 * allocation says. All it must know is in Kubernetes, so it may be killed and started anew at any moment.
 */
import { type ControllerConfig, readControllerConfig } from '../../apis/controller-config.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { allOrNone, stoppable } from '../../runtime/all-or-none.ts'
import type { EventRecorder } from '../../runtime/events.ts'
import { every } from '../../runtime/every.ts'
import type { Registry } from '../../runtime/metrics.ts'
import { runReconciler } from '../../runtime/reconcile.ts'
import { keyOf } from '../../runtime/store.ts'
import { workQueue } from '../../runtime/work-queue.ts'
import { retriesOf, WORKERS } from './budget.ts'
import { type Caches, startCaches } from './caches.ts'
import { controllerMetrics } from './metrics.ts'
import { createMissingAllocations } from './missing-allocations.ts'
import { createNodeLedger } from './node-ledger.ts'
import { createOwners } from './owners.ts'
import { reconcilePod } from './reconcile-pod.ts'
import { createRefusals } from './refusals.ts'
import { createSentResizes } from './sent-resizes.ts'
import { awaitServer, learnServer } from './server.ts'
import { createStaleViews } from './stale-views.ts'
import { createStandings } from './standings.ts'
import { createStatusWriter } from './status-writer.ts'
import { teller } from './tell.ts'
import { createWaitingRoom } from './waiting-room.ts'
import { createWaker } from './wake.ts'
import { createPodWriter } from './write-pod.ts'
import { createWrongNodes } from './wrong-node.ts'

export type ControllerOptions = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Registry
  readonly record: EventRecorder['record']
  readonly signal: AbortSignal
  readonly config?: ControllerConfig
  readonly onReady?: () => void
}

const SHOW_MILLIS = 5000
/** A server that was too old is asked again: clusters are upgraded. */
const LEARN_MILLIS = 300_000

/** Ends once all of it has stopped, also when a part of it fails. */
export async function runController(given: ControllerOptions): Promise<void> {
  const { signal, stop } = stoppable(given.signal)
  const options = { ...given, signal }
  const { kube, clock, log, config = readControllerConfig({}, 'the defaults') } = options
  let server = await awaitServer(options)
  const metrics = controllerMetrics(options.metrics)
  const retries = retriesOf(config)
  const isUrgent = (key: string) => caches.allocations.get(key)?.spec.urgency === 'guardrail'
  const queue = workQueue({ clock, ...retries, isUrgent })
  const tell = teller(options)
  const memory = createMemory(clock, metrics)
  const allocationOf = (key: string) => caches.allocations.get(key)
  const statuses = createStatusWriter({
    kube,
    clock,
    log,
    signal,
    retries,
    allocationOf,
    tell: (allocation, outcome) => tell({ allocation, pod: outcome.pod }, outcome),
  })
  const ledger = createNodeLedger((key) => caches.pods.get(key))
  const waker = createWaker({
    queue,
    ledger,
    waiting: memory.waiting,
    allocationOf,
    pods: () => caches.pods,
    forgetPod: memory.forgetPod,
    forgetAllocation: (key) => {
      memory.standings.forget(key)
      statuses.forget(key)
    },
  })
  const caches: Caches = startCaches(options, waker)
  while (!signal.aborted && !caches.isSynced()) await clock.sleep(50, signal)
  if (signal.aborted) return void (await caches.stopped)
  options.onReady?.()
  metrics.leads()
  log('info', 'controller ready', { allocations: caches.allocations.size, pods: caches.pods.size })

  const reconciling = {
    ...memory,
    caches,
    config,
    ledger,
    metrics,
    sinceResize: memory.sent.sinceResize,
    writer: createPodWriter(kube),
    owners: createOwners(kube),
    wrongNodes: createWrongNodes({ kube, log }),
    server: () => server,
    freed: waker.freed,
    say: statuses.say,
    tell,
  }
  const learn = async (): Promise<void> => {
    if (server.tooOld === undefined) return
    server = await learnServer(kube, signal)
    for (const allocation of caches.allocations.list()) queue.add(keyOf(allocation))
  }
  const show = (): void => {
    memory.standings.show()
    metrics.queued(queue.length(), queue.oldestAge())
    metrics.silentAgents(caches.silentAgents())
  }
  const rhythm = { clock, log, signal }
  const parts = [
    runReconciler({
      ...rhythm,
      queue,
      workers: WORKERS,
      metrics: { reconciled: metrics.reconciled },
      reconcile: async (key, call) => reconcilePod(reconciling, key, call),
    }),
    statuses.run(),
    every({ ...rhythm, interval: SHOW_MILLIS, doing: 'showing who waits' }, show),
    every({ ...rhythm, interval: LEARN_MILLIS, doing: 'asking for the version' }, learn),
    caches.stopped,
  ]
  await allOrNone(parts, stop)
}

/** What is known only here, and may be lost. */
function createMemory(clock: Clock, metrics: ReturnType<typeof controllerMetrics>) {
  const refusals = createRefusals(clock)
  const sent = createSentResizes(clock, metrics.actuated)
  const stale = createStaleViews(clock)
  const missing = createMissingAllocations(clock)
  return {
    refusals,
    sent,
    stale,
    missing,
    standings: createStandings(clock, metrics),
    waiting: createWaitingRoom(),
    forgetPod: (uid: string): void => {
      for (const one of [refusals, sent, stale, missing]) one.forget(uid)
    },
  }
}

/** The dashboard's server: follows the cluster, asks the agents, and tells whoever looks. */
import type { About, ComparisonView } from '../../apis/dashboard.ts'
import { noteOfFault, noteOfMode } from '../../apis/market-settings.ts'
import { podMetrics, usedCpuOf } from '../../apis/metrics.ts'
import type { NodeView } from '../../apis/node-view.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeViews } from '../../ports/node-views.ts'
import { every } from '../../runtime/every.ts'
import type { Access } from '../../runtime/http-access.ts'
import { keyOf } from '../../runtime/store.ts'
import { createApi } from './api.ts'
import { type Caches, startCaches } from './caches.ts'
import { createDecisions, createFeed } from './feed.ts'
import { tellAllocation, tellMarket, tellNode, tellStates } from './happenings.ts'
import { createHistories } from './histories.ts'
import { createKnowledge } from './knowledge.ts'
import { createLive } from './live.ts'
import { createLookAround } from './look-around.ts'
import { serveDashboard, type RunningDashboard } from './serve.ts'
import { createViews } from './views.ts'

export type { RunningDashboard }

export type DashboardPorts = {
  /** Only read from. */
  readonly kube: Kube
  readonly nodeViews: NodeViews
  /** Of the cluster, which may be simulated: it dates what happens there. */
  readonly clock: Clock
  /** Of those who look. */
  readonly pace: Clock
  readonly random: Random
  readonly log: Log
}

export type DashboardOptions = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly about: () => Omit<About, 'everyMillis'>
  readonly comparison?: () => ComparisonView | undefined
  /** Of the cluster's time, from look to look: what passes there in a second of those who look. */
  readonly everyMillis?: number
  /** Anybody, if not told: then only on a loopback address. */
  readonly access?: Access
}

/** From look to look, and from word to word. */
const TURN_MILLIS = 1000
/** Less is slewing, and a moment's gap in a chart. */
const SET_BACK_MILLIS = 5000
const USAGE_MILLIS = 30_000

/** Ends with the signal; `close` waits for it. */
export async function startDashboard(
  ports: DashboardPorts,
  options: DashboardOptions,
  signal: AbortSignal,
): Promise<RunningDashboard> {
  const { clock, pace, log } = ports
  const { everyMillis = TURN_MILLIS, comparison = () => undefined } = options
  const feed = createFeed()
  const decisions = createDecisions()
  const histories = createHistories(everyMillis)
  const live = createLive(pace)
  const now = (): number => clock.wall()
  let difference = clock.wall() - clock.now()
  /** What was noted under times that are to come again cannot be shown beside them. */
  const clearIfSetBack = (): void => {
    const before = difference
    difference = clock.wall() - clock.now()
    if (before - difference < SET_BACK_MILLIS) return
    histories.clear()
    log('warn', 'wall clock set back', { seconds: Math.round((before - difference) / 1000) })
  }

  const caches = startCaches(
    ports,
    {
      market: (change) => {
        tellMarket(change).forEach(feed.add)
        knowledge.stir(change.key)
      },
      allocation: (change) => {
        tellAllocation(change, now()).forEach(feed.add)
        if (change.type === 'deleted') decisions.forget(change.key)
        else decisions.note(change.now, now())
        knowledge.stir(caches.pods.get(change.key)?.node)
      },
      pod: (change) => {
        if (change.type !== 'added') knowledge.stir(change.before.node)
        if (change.type !== 'deleted') knowledge.stir(change.now.node)
      },
      node: (change) => {
        if (caches.isReady()) tellNode(change, now()).forEach(feed.add)
        if (change.type === 'deleted') histories.forgetNode(change.key)
        knowledge.stir(change.key)
      },
      event: feed.add,
      agentBack: (node) => knowledge.stir(node),
    },
    signal,
  )
  const knowledge = createKnowledge(caches, { pace, now })
  const views = createViews({ caches, knowledge, histories, feed, decisions, now })

  const noteNode = (name: string, isFine: boolean): void => {
    const standing = knowledge.standingOf(name)
    if (standing !== undefined) histories.noteNode(standing, { at: now(), isFine })
  }
  const lookAround = createLookAround({
    ...ports,
    nodes: knowledge.nodes,
    placeOf: knowledge.placeOf,
    lookedAt: () => new Set(live.names().flatMap((name) => nodeIn(name, views.nodeOfPod))),
    answered: (answer: NodeView, isFine) => {
      const before = knowledge.answered(answer.node, answer)
      tellStates(before, answer, now()).forEach(feed.add)
      noteNode(answer.node, isFine)
    },
    failed: (node, trouble, isFine) => {
      knowledge.failed(node, trouble)
      noteNode(node, isFine)
    },
  })

  const readUsage = async (): Promise<void> => {
    if (!caches.isReady() || !knowledge.isPartlyBlind()) return
    try {
      const { items } = await ports.kube.list(podMetrics, {}, { signal })
      knowledge.measured(new Map(items.map((one) => [keyOf(one), usedCpuOf(one)])))
    } catch (error) {
      log('debug', 'reading metrics.k8s.io', { error })
      knowledge.measured(undefined)
    }
  }

  const rhythm = { clock: pace, log, signal, interval: TURN_MILLIS }
  const loops = [
    // Not waited for: an agent that does not answer must not hold up the others' next turn.
    every({ ...rhythm, doing: 'asking the agents' }, () => void lookAround.turn(signal)),
    every({ ...rhythm, doing: 'telling what changed' }, () => {
      if (!caches.isReady()) return
      clearIfSetBack()
      histories.noteCluster(knowledge.totals(), now())
      live.turn()
    }),
    every({ ...rhythm, interval: USAGE_MILLIS, doing: 'reading metrics.k8s.io' }, readUsage),
  ]
  const server = await serveDashboard({
    ...options,
    clock: pace,
    log,
    isReady: caches.isReady,
    api: createApi({
      views,
      live,
      isReady: caches.isReady,
      troubles: caches.troubles,
      about: () => ({ ...options.about(), everyMillis, ...settingsOf(caches) }),
      comparison,
    }),
  })
  return {
    ...server,
    close: async (over) => {
      live.close()
      await server.close(over)
      await Promise.all([...loops, caches.stopped])
    },
  }
}

/** Nothing until they are read. */
function settingsOf({ settings }: Pick<Caches, 'settings'>): Pick<About, 'settings'> {
  if (!settings.hasSynced()) return {}
  const { mode, excludedNamespaces } = settings.current()
  const fault = settings.fault()
  const note = fault === undefined ? noteOfMode[mode] : noteOfFault(fault)
  const excluded = [...excludedNamespaces].toSorted()
  return { settings: { mode, excludedNamespaces: excluded, ...(note !== undefined && { note }) } }
}

/** Of `node/NAME` and `pod/NAMESPACE/NAME`. */
function nodeIn(name: string, nodeOfPod: (pod: string) => string | undefined): string[] {
  const [kind, ...rest] = name.split('/')
  const node = kind === 'pod' ? nodeOfPod(rest.join('/')) : kind === 'node' ? rest[0] : undefined
  return node === undefined ? [] : [node]
}

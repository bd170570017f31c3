/** What is known, as the page shows it. */
import type { ClusterView, EventFeed, Found, NodeDetail, PodDetail } from '../../apis/dashboard.ts'
import type { Caches } from './caches.ts'
import type { Decisions, Feed } from './feed.ts'
import type { Histories } from './histories.ts'
import type { Knowledge } from './knowledge.ts'
import type { Range } from './record.ts'

export type Views = {
  readonly cluster: (range: Range) => ClusterView
  /** Undefined where there is no such node. */
  readonly node: (name: string, range: Range) => NodeDetail | undefined
  readonly pod: (key: string, range: Range) => PodDetail | undefined
  readonly nodeOfPod: (key: string) => string | undefined
  readonly events: () => EventFeed
  readonly search: (words: string) => Found
}

export type ViewNeeds = {
  readonly caches: Pick<Caches, 'pods' | 'allocations'>
  readonly knowledge: Knowledge
  readonly histories: Histories
  readonly feed: Feed
  readonly decisions: Decisions
  /** By the cluster's wall clock. */
  readonly now: () => number
}

export function createViews(needs: ViewNeeds): Views {
  const { caches, knowledge, histories, feed, decisions, now } = needs

  const cluster: Views['cluster'] = (range) => ({
    at: now(),
    totals: knowledge.totals(),
    history: histories.cluster(range, now()),
    nodes: knowledge.nodes().flatMap((name) => knowledge.standingOf(name)?.tile ?? []),
    sufferedLately: feed.newestSuffering(),
    suffering: knowledge.suffering(),
    troubles: knowledge.troubles(),
  })

  const node: Views['node'] = (name, range) => {
    const standing = knowledge.standingOf(name)
    if (standing === undefined) return undefined
    const { tile, reserve, held, rows: pods } = standing
    const history = histories.node(name, range, now())
    return { at: now(), tile, reserve, held, pods, history }
  }

  const pod: Views['pod'] = (key, range) => {
    const seen = caches.pods.get(key)
    const standing = seen?.node === undefined ? undefined : knowledge.standingOf(seen.node)
    const row = standing?.rows.find((row) => row.key === key)
    if (seen === undefined || standing === undefined || row === undefined) return undefined
    const bid = standing.bids.get(key)
    const allocation = caches.allocations.get(key)
    const { original, phase = '', phaseReason: reason = '', message = '' } = allocation ?? {}
    return {
      at: now(),
      row,
      ...(bid && { bid }),
      ...(original && { original }),
      ...(allocation && { state: { phase, reason, message } }),
      restarts: seen.restarts,
      history: histories.pod({ key, node: row.node }, range, now()),
      decisions: decisions.of(key),
    }
  }

  return {
    cluster,
    node,
    pod,
    nodeOfPod: (key) => caches.pods.get(key)?.node,
    events: () => ({ at: now(), events: feed.newest() }),
    search: (words) => search(words, needs),
  }
}

const MOST_FOUND = 50

/** By part of a name; those that begin with it come first, then short before long. */
function search(words: string, { caches, knowledge }: ViewNeeds): Found {
  const wanted = words.trim().toLowerCase()
  const rank = (name: string): number => {
    const at = name.toLowerCase().indexOf(wanted)
    if (at === -1) return Infinity
    const begins = at === 0 || '/-.'.includes(name.charAt(at - 1))
    return (begins ? 0 : 10_000) + name.length + at
  }
  const best = <T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] =>
    all
      .map((one) => ({ one, name: nameOf(one), rank: rank(nameOf(one)) }))
      .filter(({ rank }) => rank < Infinity)
      .toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
      .map(({ one }) => one)
  if (wanted === '') return { nodes: [], pods: [], left: 0 }
  const nodes = best(knowledge.nodes(), (name) => name)
  const bound = caches.pods
    .list()
    .flatMap(({ key, node, isOver }) => (node === undefined || isOver ? [] : [{ key, node }]))
  const pods = best(bound, ({ key }) => key)
  const shownNodes = nodes.slice(0, MOST_FOUND / 2)
  const shownPods = pods.slice(0, MOST_FOUND - shownNodes.length)
  const left = nodes.length + pods.length - shownNodes.length - shownPods.length
  return { nodes: shownNodes, pods: shownPods, left }
}

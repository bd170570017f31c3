/** All that is known now: the objects of the API, and what the agents answered last. */
import type { PodRow, Totals } from '../../apis/dashboard.ts'
import type { NodeView } from '../../apis/node-view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NodePlace } from '../../ports/node-views.ts'
import type { Caches } from './caches.ts'
import { type NodeStanding, severityOf, standNode } from './standing.ts'

export type Knowledge = {
  /** Names, in order. */
  readonly nodes: () => readonly string[]
  readonly standingOf: (node: string) => NodeStanding | undefined
  readonly placeOf: (node: string) => NodePlace
  /** What its agent said now; what it said before comes back. */
  readonly answered: (node: string, answer: NodeView) => NodeView | undefined
  readonly failed: (node: string, trouble: string) => void
  /** Some agent does not answer. */
  readonly isPartlyBlind: () => boolean
  /** What metrics.k8s.io says that pods use, by key; undefined where it does not answer. */
  readonly measured: (usedBy: ReadonlyMap<string, number> | undefined) => void
  /** Something about the node changed. */
  readonly stir: (node: string | undefined) => void
  readonly totals: () => Totals
  /** The worst first. */
  readonly suffering: () => readonly PodRow[]
  readonly troubles: () => readonly string[]
}

/** What an agent said so long ago no longer counts: twice the slowest rotation of 1,000 nodes. */
const STALE_MILLIS = 60_000
const MOST_SUFFERING = 20

type Heard = {
  readonly answer: NodeView | undefined
  readonly at: number
  readonly trouble: string | undefined
}

type Times = {
  /** The clock of those who ask, whatever time it is in the cluster. */
  readonly pace: Pick<Clock, 'now'>
  /** By the cluster's wall clock. */
  readonly now: () => number
}

export function createKnowledge(caches: Caches, { pace, now }: Times): Knowledge {
  const heard = new Map<string, Heard>()
  const standings = new Map<string, NodeStanding>()
  let usedBy: ReadonlyMap<string, number> | undefined = new Map()
  let names: readonly string[] = []

  const stir: Knowledge['stir'] = (node) => {
    if (node !== undefined) standings.delete(node)
  }

  const nodes = (): readonly string[] => {
    if (names.length !== caches.nodes.size || names.some((name) => !caches.nodes.get(name))) {
      names = caches.nodes
        .list()
        .map(({ name }) => name)
        .toSorted()
      const known = new Set(names)
      for (const name of heard.keys()) if (!known.has(name)) heard.delete(name)
      for (const name of standings.keys()) if (!known.has(name)) standings.delete(name)
    }
    return names
  }

  const isStale = ({ at, answer }: Heard): boolean =>
    answer !== undefined && pace.now() - at > STALE_MILLIS

  const standingOf: Knowledge['standingOf'] = (name) => {
    const node = caches.nodes.get(name)
    if (node === undefined) return undefined
    const last = heard.get(name)
    if (last && isStale(last)) {
      heard.set(name, { ...last, answer: undefined })
      stir(name)
    }
    const silence = caches.silentFor(name)
    const known = standings.get(name)
    if (known?.isSilent === (silence !== undefined)) return known
    const { answer, trouble } = heard.get(name) ?? {}
    const standing = standNode({
      name,
      node,
      market: caches.markets.get(name),
      answer,
      trouble: trouble ?? (answer ? undefined : NOT_HEARD),
      silentSince: silence === undefined ? undefined : now() - silence,
      pods: caches.pods.byIndex('node', name).filter(({ isOver }) => !isOver),
      allocationOf: caches.allocations.get,
      usedBy: (pod) => usedBy?.get(pod),
    })
    standings.set(name, standing)
    return standing
  }

  const all = (): NodeStanding[] => nodes().flatMap((name) => standingOf(name) ?? [])

  const totals = (): Totals => {
    const sum = { nodes: 0, pods: 0, managedPods: 0, sufferingPods: 0 }
    const cpu = { allocatable: 0, capacity: 0, sold: 0, promised: 0, used: 0 }
    let price: number | undefined
    for (const { tile, promised, managedPods } of all()) {
      sum.nodes += 1
      sum.pods += tile.pods
      sum.managedPods += managedPods
      sum.sufferingPods += tile.suffering
      cpu.allocatable += tile.allocatable
      cpu.capacity += tile.capacity
      cpu.sold += tile.sold
      cpu.promised += promised
      cpu.used += tile.used
      if (tile.price !== undefined && tile.price > (price ?? 0)) price = tile.price
    }
    return { ...sum, ...cpu, ...(price !== undefined && { price }) }
  }

  const troubles = (): string[] => {
    const silent = all().flatMap(({ tile }) => (tile.trouble === undefined ? [] : [tile]))
    const [first] = silent
    const of = `${silent.length} of ${nodes().length} nodes`
    const told = first ? [`no fresh word of ${of}, such as ${first.name}: ${first.trouble}`] : []
    return [...caches.troubles(), ...told, ...(first && !usedBy ? [UNMEASURED] : [])]
  }

  return {
    nodes,
    standingOf,
    placeOf: (name) => ({
      name,
      host: caches.nodes.get(name)?.host,
      port: caches.markets.get(name)?.agentPort,
    }),
    answered: (node, answer) => {
      const before = heard.get(node)?.answer
      heard.set(node, { answer, at: pace.now(), trouble: undefined })
      stir(node)
      return before
    },
    failed: (node, trouble) => {
      const before = heard.get(node)
      if (before?.trouble === trouble) return
      heard.set(node, { answer: before?.answer, at: before?.at ?? pace.now(), trouble })
      stir(node)
    },
    isPartlyBlind: () => nodes().some((name) => heard.get(name)?.answer === undefined),
    measured: (used) => {
      usedBy = used
      for (const name of nodes()) if (heard.get(name)?.answer === undefined) stir(name)
    },
    stir,
    totals,
    suffering: () =>
      all()
        .flatMap(({ tile, rows }) =>
          tile.suffering === 0 ? [] : rows.filter(({ isSuffering }) => isSuffering),
        )
        .toSorted((a, b) => severityOf(b) - severityOf(a) || (a.key < b.key ? -1 : 1))
        .slice(0, MOST_SUFFERING),
    troubles,
  }
}

const UNMEASURED =
  'metrics.k8s.io does not answer, so what pods use is not known where no agent answers'
const NOT_HEARD = 'nothing was heard of its agent lately'

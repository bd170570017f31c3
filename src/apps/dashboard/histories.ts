/**
 * What nodes and pods had and did over the last hour. Of every pod half-minutes are kept, of those on
 * nodes that are asked every second the seconds, too, for as many pods as the budget allows:
 *
 *   1,000 nodes, 10,000 pods   4.3 KB a pod, 1.4 KB a node    45 MB
 *   and of 1,000 pods, finely  17.3 KB a pod                  17 MB
 */
import type {
  ClusterHistory,
  NodeHistory,
  PodBand,
  PodHistory,
  Totals,
} from '../../apis/dashboard.ts'
import type { Mode } from '../../core/market/clear.ts'
import {
  type Columns,
  createRecord,
  type HistoryRecord,
  type Range,
  type Sample,
} from './record.ts'
import type { NodeStanding } from './standing.ts'

export type Histories = {
  readonly noteNode: (standing: NodeStanding, moment: Moment) => void
  readonly noteCluster: (totals: Totals, at: number) => void
  readonly cluster: (range: Range, now: number) => ClusterHistory
  readonly node: (name: string, range: Range, now: number) => NodeHistory
  readonly pod: (place: PodPlace, range: Range, now: number) => PodHistory
  readonly forgetNode: (name: string) => void
  /** All of it: nothing older than what is kept is taken, so that a clock set back would end it. */
  readonly clear: () => void
}

/** `isFine`: it is asked so often that seconds can be told apart. */
export type Moment = { readonly at: number; readonly isFine: boolean }
export type PodPlace = { readonly key: string; readonly node: string }

/** Pods whose seconds are kept: 17 MB. */
const MOST_FINE_PODS = 1000

const nodeColumns = ['mean', 'last', 'last'] as const // price, mode, capacity
const podColumns = [
  'mean', // demand
  'last', // gets
  'last', // entitled
  'last', // request
  'last', // ceiling
  'mean', // used
  'mean', // waitedRatio
  'mean', // throttledRatio
  'most', // p99Millis
] as const
const clusterColumns = ['last', 'last', 'last', 'mean', 'most', 'most'] as const
const modes: readonly Mode[] = ['uncongested', 'congested', 'overloaded']

export function createHistories(stepMillis: number): Histories {
  const shape = { own: nodeColumns, part: podColumns, stepMillis }
  const newCluster = () => createRecord({ own: clusterColumns, part: [], stepMillis })
  let cluster = newCluster()
  /** Those that were last noted finely come last. */
  const nodes = new Map<string, HistoryRecord>()

  const spareFine = (): void => {
    let fine = 0
    for (const [, record] of [...nodes].toReversed()) {
      fine += record.fineParts()
      if (fine > MOST_FINE_PODS) record.coarsen()
    }
  }

  return {
    noteNode: (standing, { at, isFine }) => {
      const { name } = standing.tile
      const record = nodes.get(name) ?? createRecord(shape)
      const before = record.fineParts()
      record.put(sampleOf(standing, at), isFine)
      if (isFine) nodes.delete(name)
      nodes.set(name, record)
      if (record.fineParts() > before) spareFine()
    },
    noteCluster: ({ capacity, promised, sold, used, price, sufferingPods }, at) => {
      const own = [capacity, promised, sold, used, price, sufferingPods]
      cluster.put({ at, own, parts: new Map() }, true)
    },
    cluster: (range, now) => clusterHistoryOf(cluster.read(range, now)),
    node: (name, range, now) => nodeHistoryOf(nodes.get(name)?.read(range, now) ?? nothing),
    pod: ({ key, node }, range, now) =>
      podHistoryOf(nodes.get(node)?.read(range, now, key) ?? nothing, key),
    forgetNode: (name) => void nodes.delete(name),
    clear: () => {
      nodes.clear()
      cluster = newCluster()
    },
  }
}

const nothing: Columns = { at: [], own: [], parts: new Map() }

function sampleOf({ tile, rows }: NodeStanding, at: number): Sample {
  const mode = tile.mode === 'unknown' ? undefined : modes.indexOf(tile.mode)
  const parts = rows.map((row) => {
    const { demand, gets, entitled, request, used, waitedRatio, throttledRatio, p99Millis } = row
    const most = row.heldTo ?? row.ceiling
    const amounts = [demand, gets, entitled, request, most, used]
    return [row.key, [...amounts, waitedRatio, throttledRatio, p99Millis]] as const
  })
  return { at, own: [tile.price, mode, tile.capacity], parts: new Map(parts) }
}

/** Amounts that are always known when anything is. */
const amounts = (column: readonly (number | null)[] = []): number[] =>
  column.map((value) => value ?? 0)

function clusterHistoryOf({ at, own }: Columns): ClusterHistory {
  const [capacity, promised, sold, used, price = [], suffering] = own
  return {
    at,
    capacity: amounts(capacity),
    promised: amounts(promised),
    sold: amounts(sold),
    used: amounts(used),
    price,
    suffering: amounts(suffering),
  }
}

function nodeHistoryOf({ at, own, parts }: Columns): NodeHistory {
  const [price = [], mode = [], capacity] = own
  const bands = Array.from(parts, ([key, columns]): PodBand => {
    const [, gets = [], , request = [], , used = []] = columns
    return { key, held: gets.map((given, i) => given ?? request[i] ?? null), used }
  })
  return {
    at,
    price,
    mode: mode.map((index) => (index === null ? null : (modes[index] ?? null))),
    capacity: amounts(capacity),
    pods: bands.filter(({ used }) => used.some((value) => value !== null)),
  }
}

function podHistoryOf({ at, parts }: Columns, key: string): PodHistory {
  const columns = parts.get(key) ?? []
  const [demand = [], gets = [], entitled = [], request = [], ceiling = [], used = []] = columns
  const [waitedRatio = [], throttledRatio = [], p99Millis = []] = columns.slice(6)
  const amounts = { demand, gets, entitled, request, ceiling, used }
  return { at, ...amounts, waitedRatio, throttledRatio, p99Millis }
}

/**
 * The cluster at a glance, from NodeMarkets alone: is anyone suffering, who uses the capacity, what
 * changed and why. This is also what `mbcas status -o json` prints: amounts of CPU in millicores.
 */
import { agentLease } from '../../../apis/agent-lease.ts'
import { fieldManagers } from '../../../apis/names.ts'
import type { MarketOfResource, NodeMarket } from '../../../apis/node-market.ts'
import { writtenAt } from '../../../apis/object.ts'
import { millicoresIn } from '../../../apis/pod-allocation.ts'
import type { Mode } from '../../../core/market/clear.ts'
import type { Millis } from '../../../core/units.ts'
import { compare } from '../order.ts'
import { type ToldSettings, usualSettings } from './told-settings.ts'

export type ClusterSummary = {
  readonly at: string
  /** Of the whole cluster. */
  readonly settings: ToldSettings
  readonly nodes: number
  /** How many nodes are in each. */
  readonly modes: Readonly<Record<Mode, number>>
  /** Nodes whose agents have not been heard of for long. */
  readonly silentNodes: number
  readonly pods: number
  readonly unmanagedPods: number
  readonly sufferingPods: number
  readonly cpu: CpuTotals
  /** The highest of all nodes; null where none has one. */
  readonly price: { readonly node: string; readonly price: number } | null
  /** Those in trouble first. */
  readonly markets: readonly NodeSummary[]
  /** Of all that the nodes name, the most first. */
  readonly holders: readonly Holder[]
  /** The newest first. */
  readonly changes: readonly Change[]
  /** Of those that the nodes name, at most five each; so is `heldBack`. */
  readonly suffering: readonly Suffering[]
  readonly heldBack: readonly HeldBack[]
}

export type CpuTotals = Readonly<Record<(typeof cpuFields)[number], number>>

export type NodeSummary = CpuTotals & {
  readonly node: string
  readonly mode: Mode
  readonly mechanism: string
  readonly price: number | null
  readonly pods: number
  readonly unmanagedPods: number
  /** Null where the agent does not tell. */
  readonly sufferingPods: number | null
  readonly clearedAt: string
  /** When its agent last gave a sign of life. */
  readonly heardAt: string
  readonly isSilent: boolean
}

/** One of those who use most: `amount` is what it uses. */
export type Holder = { readonly pod: string; readonly node: string; readonly amount: number }

export type Suffering = { readonly pod: string; readonly node: string; readonly reason: string }

/** By a quota of `to`, to protect others. */
export type HeldBack = Suffering & { readonly to: number }

/** Of a request; where the limit is the share, of that. */
export type Change = {
  readonly at: string
  readonly pod: string
  readonly node: string
  readonly from: number
  readonly to: number
  readonly reason: string
}

const cpuFields = ['allocatable', 'reserve', 'held', 'capacity', 'sold', 'unsold'] as const

/** By an agent without a Lease: it writes its market at least every five minutes. */
const silentAfterMillis = 600_000

/** From the worst on. */
const modes: readonly Mode[] = ['overloaded', 'congested', 'uncongested']

/**
 * Of the cluster: a simulated one may be ahead of us, and then its own news tell the time. They count by
 * the clock of the API server: one node whose clock is ahead would make all others silent.
 */
export const timeIn = (
  markets: readonly NodeMarket[],
  wall: Millis,
  renewals: Renewals = new Map(),
): Millis =>
  [
    ...markets.flatMap((market) =>
      market.status.resources.map(({ clearedAt }) => toldAt(market, clearedAt)),
    ),
    // A Lease without a market says nothing of those that have one.
    ...markets.flatMap((market) => renewals.get(nameOf(market)) ?? []),
  ].reduce((latest, one) => Math.max(latest, one), wall) as Millis

const toldAt = (market: NodeMarket, clearedAt: string): number =>
  writtenAt(market, fieldManagers.agent) ?? Date.parse(clearedAt)

/** By node: when agents renewed their Leases. */
export type Renewals = ReadonlyMap<string, number>

type SummaryOptions = {
  readonly at: Millis
  readonly settings?: ToldSettings | undefined
  readonly renewals?: Renewals | undefined
  /** Only pods of this namespace are named. */
  readonly namespace?: string | undefined
}

export function summarise(
  markets: readonly NodeMarket[],
  { at, namespace, renewals = new Map(), settings = usualSettings }: SummaryOptions,
): ClusterSummary {
  const isWanted = ({ pod }: { readonly pod: string }): boolean =>
    namespace === undefined || pod.startsWith(`${namespace}/`)
  const nodes = markets
    .flatMap((market) => summariseNode(market, { at, renewals }))
    .toSorted(byTrouble)
  const countOf = (mode: Mode): number => nodes.filter((one) => one.mode === mode).length
  const total = (field: 'pods' | 'unmanagedPods' | 'sufferingPods'): number =>
    nodes.reduce((sum, one) => sum + (one[field] ?? 0), 0)
  return {
    at: new Date(at).toISOString(),
    settings,
    nodes: nodes.length,
    modes: {
      uncongested: countOf('uncongested'),
      congested: countOf('congested'),
      overloaded: countOf('overloaded'),
    },
    silentNodes: nodes.filter(({ isSilent }) => isSilent).length,
    pods: total('pods'),
    unmanagedPods: total('unmanagedPods'),
    sufferingPods: total('sufferingPods'),
    cpu: sumCpu(nodes),
    price: highestPrice(nodes),
    markets: nodes,
    holders: markets
      .flatMap(holdersIn)
      .filter(isWanted)
      .toSorted((a, b) => b.amount - a.amount || compare(a.pod, b.pod)),
    changes: markets
      .flatMap(changesIn)
      .filter(isWanted)
      .toSorted((a, b) => compare(b.at, a.at) || compare(a.pod, b.pod)),
    suffering: markets.flatMap(sufferingIn).filter(isWanted),
    heldBack: markets.flatMap(heldBackIn).filter(isWanted),
  }
}

export function summariseNode(
  market: NodeMarket,
  { at, renewals = new Map() }: Pick<SummaryOptions, 'at' | 'renewals'>,
): NodeSummary[] {
  const cpu = cpuMarketOf(market)
  if (cpu === undefined) return []
  const { mode, mechanism, price = null, pods, unmanagedPods, clearedAt } = cpu
  const renewedAt = renewals.get(nameOf(market))
  const heardAt = Math.max(toldAt(market, clearedAt), renewedAt ?? 0)
  const longest = renewedAt === undefined ? silentAfterMillis : agentLease.durationSeconds * 1000
  return [
    {
      node: nameOf(market),
      mode,
      mechanism,
      allocatable: millicoresIn(cpu.allocatable),
      reserve: millicoresIn(cpu.reserve),
      held: millicoresIn(cpu.held),
      capacity: millicoresIn(cpu.capacity),
      sold: millicoresIn(cpu.sold),
      unsold: millicoresIn(cpu.unsold),
      price,
      pods,
      unmanagedPods,
      sufferingPods: cpu.sufferingPods ?? null,
      clearedAt,
      heardAt: new Date(heardAt).toISOString(),
      isSilent: at - heardAt > longest,
    },
  ]
}

const cpuMarketOf = ({ status }: NodeMarket): MarketOfResource | undefined =>
  status.resources.find(({ name }) => name === 'cpu')

const nameOf = ({ metadata }: NodeMarket): string => metadata.name ?? ''

export const holdersIn = (market: NodeMarket): Holder[] =>
  (cpuMarketOf(market)?.holders ?? []).map(({ pod, amount }) => ({
    pod,
    node: nameOf(market),
    amount: millicoresIn(amount),
  }))

export const changesIn = (market: NodeMarket): Change[] =>
  (market.status.changes ?? []).map(({ pod, at, from, to, reason }) => ({
    at,
    pod,
    node: nameOf(market),
    from: millicoresIn(from),
    to: millicoresIn(to),
    reason,
  }))

export const sufferingIn = (market: NodeMarket): Suffering[] =>
  (market.status.suffering ?? []).map(({ namespace, name, reason }) => ({
    pod: `${namespace}/${name}`,
    node: nameOf(market),
    reason,
  }))

export const heldBackIn = (market: NodeMarket): HeldBack[] =>
  (market.status.heldBack ?? []).map(({ namespace, name, to, reason }) => ({
    pod: `${namespace}/${name}`,
    node: nameOf(market),
    to: millicoresIn(to),
    reason,
  }))

const sumCpu = (nodes: readonly NodeSummary[]): CpuTotals =>
  Object.fromEntries(
    cpuFields.map((field) => [field, nodes.reduce((sum, one) => sum + one[field], 0)]),
  ) as CpuTotals

function highestPrice(nodes: readonly NodeSummary[]): ClusterSummary['price'] {
  let highest: ClusterSummary['price'] = null
  for (const { node, price } of nodes) {
    if (price !== null && (highest === null || price > highest.price)) highest = { node, price }
  }
  return highest
}

/** Who is silent says nothing, then who suffers, who is short, who is full. */
export const byTrouble = (a: NodeSummary, b: NodeSummary): number =>
  Number(b.isSilent) - Number(a.isSilent) ||
  (b.sufferingPods ?? 0) - (a.sufferingPods ?? 0) ||
  modes.indexOf(a.mode) - modes.indexOf(b.mode) ||
  soldRatio(b) - soldRatio(a) ||
  compare(a.node, b.node)

export const soldRatio = ({ sold, capacity }: Pick<CpuTotals, 'sold' | 'capacity'>): number =>
  capacity === 0 ? 0 : sold / capacity

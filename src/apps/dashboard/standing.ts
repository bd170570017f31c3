/**
 * How one node stands: what its agent says of it, and where no agent answers, what the API knows: its
 * NodeMarket, its pods with their PodAllocations, and what metrics.k8s.io says that they use.
 */
import type { NodeTile, PodRow } from '../../apis/dashboard.ts'
import type { BidView, NodeView, PodView } from '../../apis/node-view.ts'
import type { SeenAllocation, SeenMarket, SeenNode, SeenPod } from './seen.ts'

export type NodeStanding = {
  readonly tile: NodeTile
  /** Its agent does not renew its Lease. */
  readonly isSilent: boolean
  readonly reserve: number
  readonly held: number
  readonly promised: number
  readonly managedPods: number
  /** In the order of their keys. */
  readonly rows: readonly PodRow[]
  /** By key of the pod. */
  readonly bids: ReadonlyMap<string, BidView>
}

export type NodeSources = {
  readonly name: string
  readonly node: SeenNode | undefined
  readonly market: SeenMarket | undefined
  /** Undefined where none came, or it is too old. */
  readonly answer: NodeView | undefined
  /** Why no answer came. */
  readonly trouble: string | undefined
  /** By its Lease: when its agent gave the last sign of life, if that is too long ago. */
  readonly silentSince: number | undefined
  /** Those of the node that have not ended. */
  readonly pods: readonly SeenPod[]
  readonly allocationOf: (pod: string) => SeenAllocation | undefined
  /** By metrics.k8s.io. */
  readonly usedBy: (pod: string) => number | undefined
}

export function standNode(sources: NodeSources): NodeStanding {
  const { name, answer, pods } = sources
  const rows = answer
    ? answer.pods.map((pod) => rowOfView(pod, name))
    : pods.map((pod) => rowOfPod(pod, sources))
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const bids = (answer?.pods ?? []).flatMap(({ namespace, name, bid }) =>
    bid === undefined ? [] : [[`${namespace}/${name}`, bid] as const],
  )
  const { reserve = 0, held = 0 } = answer?.market ?? sources.market ?? {}
  return {
    tile: tileOf(sources, sorted),
    isSilent: sources.silentSince !== undefined,
    reserve,
    held,
    promised: pods.reduce((all, { request }) => all + request, 0),
    managedPods: answer
      ? sorted.filter(({ isManaged }) => isManaged).length
      : (sources.market?.managedPods ?? 0),
    rows: sorted,
    bids: new Map(bids),
  }
}

function tileOf(sources: NodeSources, rows: readonly PodRow[]): NodeTile {
  const { name, node, market: published, answer, silentSince } = sources
  const { at: answeredAt, ...answered } = answer?.market ?? {}
  const market = answer?.market ? { ...answered, clearedAt: answeredAt } : published
  const { mode = 'unknown', price, clearedAt } = market ?? {}
  const why = whyTroubled(sources)
  return {
    name,
    mode,
    allocatable: node?.allocatable ?? market?.allocatable ?? 0,
    capacity: market?.capacity ?? 0,
    sold: market?.sold ?? 0,
    used: rows.reduce((all, { used }) => all + used, 0),
    ...(price !== undefined && { price }),
    pods: rows.length,
    suffering: answer
      ? rows.filter(({ isSuffering }) => isSuffering).length
      : (published?.sufferingPods ?? 0),
    ...(clearedAt !== undefined && { clearedAt }),
    ...(why !== undefined && { trouble: why }),
    ...(silentSince !== undefined && node?.isReady === true && { silentSince }),
  }
}

function whyTroubled({ node, trouble, silentSince }: NodeSources): string | undefined {
  if (node === undefined) return 'there is no such node any more'
  if (!node.isReady) return `it is not ready: ${node.message}`
  return trouble ?? (silentSince === undefined ? undefined : NOT_RENEWED)
}

/** One that answers here is not dead: what it decides does not reach the API, or it is stuck. */
const NOT_RENEWED =
  'its agent does not renew its Lease: does it take samples, and does it reach the API server?'

function rowOfView(pod: PodView, node: string): PodRow {
  const { namespace, name, bid, uid: _uid, quota: _quota, ...view } = pod
  const ceiling = ceilingOf(pod)
  return {
    key: `${namespace}/${name}`,
    node,
    ...view,
    ...(bid && sharesIn(bid)),
    ...(ceiling !== undefined && { ceiling }),
    isManaged: bid !== undefined,
  }
}

const sharesIn = ({ need, floor, entitled, shareRatio, gets, isStrict, paid }: BidView) => ({
  need,
  floor,
  entitled,
  shareRatio,
  gets,
  ...(isStrict === true && { isStrict }),
  ...(paid !== undefined && { paid }),
})

/** The limit of an elastic pod holds nobody: the quota in the kernel is above it. */
const ceilingOf = ({ bid, limit }: PodView): number | undefined =>
  bid === undefined || bid.isStrict === true ? limit : bid.ceilingByHand

function rowOfPod(
  { key, node = '', request, limit }: SeenPod,
  { allocationOf, usedBy }: NodeSources,
): PodRow {
  const allocation = allocationOf(key)
  const used = usedBy(key) ?? 0
  const { need, entitled, gets, price, reason = NO_AGENT } = allocation ?? {}
  return {
    key,
    node,
    used,
    demand: need ?? used,
    ...(need !== undefined && { need }),
    ...(entitled !== undefined && { entitled }),
    ...(gets !== undefined && { gets }),
    request,
    ...(limit !== undefined && { limit }),
    ...(limit !== undefined && allocation === undefined && { ceiling: limit }),
    throttledRatio: 0,
    state: 'well',
    waitedRatio: 0,
    ...(price !== undefined && gets !== undefined && { paid: price * gets }),
    isManaged: allocation !== undefined,
    isSuffering: false,
    reason,
  }
}

const NO_AGENT = 'has no PodAllocation, and no agent of its node tells why'

/**
 * Of those who suffer, who is worse off: by the part of the time that it waited for a CPU, of periods
 * without quota, or of its target that it is late.
 */
export function severityOf({
  waitedRatio,
  throttledRatio,
  p99Millis,
  targetMillis,
}: Pick<PodRow, 'waitedRatio' | 'throttledRatio' | 'p99Millis' | 'targetMillis'>): number {
  const isMeasured = p99Millis !== undefined && targetMillis !== undefined
  return Math.max(waitedRatio, throttledRatio, isMeasured ? p99Millis / targetMillis - 1 : 0)
}

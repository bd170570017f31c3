/** `mbcas top nodes`. */
import { nodeMetrics } from '../../../apis/metrics.ts'
import type { Kube } from '../../../ports/kube.ts'
import { compare, descending } from '../order.ts'
import { readUsage } from '../read.ts'
import type { Sort } from '../sheet.ts'
import { byTrouble, type ClusterSummary, type NodeSummary } from '../status/cluster-summary.ts'

/** As `mbcas top nodes -o json` prints it; null: no metrics server tells. */
export type NodeRow = NodeSummary & { readonly used: number | null }

export async function readNodeRows(
  kube: Pick<Kube, 'list'>,
  { markets }: ClusterSummary,
): Promise<{ readonly rows: NodeRow[]; readonly hasUsage: boolean }> {
  const usage = await readUsage(kube, nodeMetrics)
  const rows = markets.map((market) => ({ ...market, used: usage?.get(market.node) ?? null }))
  return { rows, hasUsage: usage !== undefined }
}

export const nodeSorts: readonly Sort<NodeRow>[] = [
  { name: 'trouble', compare: byTrouble },
  { name: 'node', compare: (a, b) => compare(a.node, b.node) },
  { name: 'sold', compare: descending(({ sold }) => sold) },
  { name: 'used', compare: descending(({ used }) => used) },
  { name: 'price', compare: descending(({ price }) => price) },
  { name: 'pods', compare: descending(({ pods }) => pods) },
  { name: 'suffer', compare: descending(({ sufferingPods }) => sufferingPods) },
]

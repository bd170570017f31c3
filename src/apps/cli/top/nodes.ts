/** `mbcas top nodes`. */
import { nodeMetrics } from '../../../apis/metrics.ts'
import type { Kube } from '../../../ports/kube.ts'
import { compare, descending } from '../order.ts'
import { readUsage } from '../read.ts'
import { bar, showMillicores, showPrice } from '../show.ts'
import {
  byTrouble,
  type ClusterSummary,
  type NodeSummary,
  soldRatio,
} from '../status/cluster-summary.ts'
import { modeCell, sufferingCell } from '../status/status-text.ts'
import type { Sheet, Sort } from './sheet.ts'

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

export const nodeSheet = (rows: readonly NodeRow[]): Sheet => ({
  columns: [
    { title: 'NODE', align: 'left', shrinks: true },
    { title: 'MODE', align: 'left' },
    { title: 'SOLD', align: 'right' },
    { title: 'OF', align: 'right' },
    { title: '', align: 'left' },
    { title: 'USED', align: 'right' },
    { title: 'PRICE', align: 'right' },
    { title: 'PODS', align: 'right' },
    { title: 'SUFFER', align: 'right' },
    { title: 'RESERVE', align: 'right', isOnlyWide: true },
    { title: 'HELD', align: 'right', isOnlyWide: true },
    { title: 'UNMANAGED', align: 'right', isOnlyWide: true },
  ],
  rows: rows.map((row) => ({
    key: row.node,
    cells: [
      row.node,
      row.isSilent ? { text: 'silent', emphasis: 'bad' } : modeCell(row.mode),
      showMillicores(row.sold),
      showMillicores(row.capacity),
      bar(soldRatio(row), 10),
      row.used === null ? '-' : showMillicores(row.used),
      row.price === null ? 'none' : showPrice(row.price),
      String(row.pods),
      sufferingCell(row),
      showMillicores(row.reserve),
      showMillicores(row.held),
      String(row.unmanagedPods),
    ],
  })),
})

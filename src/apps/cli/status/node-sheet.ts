/** Nodes in a table: of one shape wherever they are shown. */
import type { Mode } from '../../../core/market/clear.ts'
import type { Emphasis } from '../paint.ts'
import type { Sheet } from '../sheet.ts'
import { bar, type Cell, showAge, showMillicores, showPrice } from '../show.ts'
import { type NodeSummary, soldRatio } from './cluster-summary.ts'

/** Null: no metrics server tells. */
type ShownNode = NodeSummary & { readonly used?: number | null }

type NodeSheetOptions = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly hasUsed: boolean
}

export const nodeSheet = (
  nodes: readonly ShownNode[],
  { now, hasUsed }: NodeSheetOptions,
): Sheet => ({
  columns: [
    { title: 'NODE', align: 'left', shrinks: true },
    { title: 'MODE', align: 'left' },
    { title: 'SOLD', align: 'right' },
    { title: 'OF', align: 'right' },
    { title: '', align: 'left' },
    ...(hasUsed ? [{ title: 'USED', align: 'right' } as const] : []),
    { title: 'PRICE', align: 'right' },
    { title: 'SUFFER', align: 'right' },
    { title: 'ALLOCATABLE', align: 'right', isOnlyWide: true },
    { title: 'RESERVE', align: 'right', isOnlyWide: true },
    { title: 'HELD', align: 'right', isOnlyWide: true },
    { title: 'UNMANAGED', align: 'right', isOnlyWide: true },
    { title: 'MECHANISM', align: 'left', isOnlyWide: true },
    { title: 'CLEARED', align: 'right', isOnlyWide: true },
  ],
  rows: nodes.map((node) => ({
    key: node.node,
    cells: [
      node.node,
      modeCell(node, now),
      showMillicores(node.sold),
      showMillicores(node.capacity),
      bar(soldRatio(node), 10),
      ...(hasUsed ? [usedText(node)] : []),
      node.price === null ? 'none' : showPrice(node.price),
      sufferingCell(node),
      showMillicores(node.allocatable),
      showMillicores(node.reserve),
      showMillicores(node.held),
      String(node.unmanagedPods),
      node.mechanism,
      ageOf(node, now),
    ],
  })),
})

const emphasisOf: Readonly<Record<Mode, Emphasis>> = {
  uncongested: 'good',
  congested: 'warning',
  overloaded: 'bad',
}

function modeCell(node: NodeSummary, now: number): Cell {
  if (node.isSilent) {
    const age = showAge(now - Date.parse(node.heardAt))
    return { text: `silent ${age}`, emphasis: 'bad' }
  }
  return { text: node.mode, emphasis: emphasisOf[node.mode] }
}

const ageOf = ({ clearedAt }: NodeSummary, now: number): string =>
  showAge(now - Date.parse(clearedAt))

const usedText = ({ used = null }: ShownNode): string =>
  used === null ? '-' : showMillicores(used)

/** Of the pods that bid, those that suffer. */
function sufferingCell({ sufferingPods, pods }: NodeSummary): Cell {
  if (sufferingPods === null) return `?/${pods}`
  const text = `${sufferingPods}/${pods}`
  return sufferingPods === 0 ? text : { text, emphasis: 'bad' }
}

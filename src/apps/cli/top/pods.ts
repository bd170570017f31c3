/** `mbcas top pods`: the pods that take part, from their PodAllocations. */
import { podMetrics } from '../../../apis/metrics.ts'
import { podAllocations } from '../../../apis/pod-allocation.ts'
import { pods } from '../../../apis/pod.ts'
import type { Kube, Selection } from '../../../ports/kube.ts'
import { type AllocationFacts, allocationFacts } from '../explain/allocation-facts.ts'
import { compare, descending } from '../order.ts'
import { keyOf, listAll, readUsage } from '../read.ts'
import type { Sheet, Sort } from '../sheet.ts'
import { bar, type Cell, showMillicores } from '../show.ts'

/** As `mbcas top pods -o json` prints it; null: no metrics server tells. */
export type PodRow = AllocationFacts & { readonly used: number | null }

export type PodWish = {
  readonly namespace?: string | undefined
  /** Of pods. */
  readonly selector?: string | undefined
  readonly node?: string | undefined
}

/** Kept small for the API server, which holds a page in memory for each reader. */
const pageSize = 1000

export async function readPodRows(
  kube: Pick<Kube, 'list'>,
  { namespace, selector, node }: PodWish,
): Promise<{ readonly rows: PodRow[]; readonly hasUsage: boolean }> {
  const place: Selection = { ...(namespace !== undefined && { namespace }) }
  const [allocations, usage, chosen] = await Promise.all([
    listAll(kube, podAllocations, { ...place, limit: pageSize }),
    readUsage(kube, podMetrics, place),
    selector === undefined
      ? undefined
      : listAll(kube, pods, { ...place, labelSelector: selector, limit: pageSize }),
  ])
  // An allocation has no labels of its own: those of its pod are what people know.
  const keys = chosen && new Set(chosen.map(keyOf))
  const rows = allocations
    .filter((one) => keys?.has(keyOf(one)) ?? true)
    .filter(({ spec }) => node === undefined || spec.nodeName === node)
    .map((one) => Object.assign(allocationFacts(one), { used: usage?.get(keyOf(one)) ?? null }))
  return { rows, hasUsage: usage !== undefined }
}

const own = ({ entitled, applied, desired }: PodRow): number =>
  entitled ?? applied.request ?? desired.request ?? 0

/** Who suffered or is not served, then who uses most of what it is entitled to. */
const troubleOf = (row: PodRow): number =>
  (row.urgency === 'guardrail' ? 4 : 0) +
  (row.phase === 'Failed' ? 2 : row.phase === 'Pending' ? 1 : 0) +
  (own(row) === 0 ? 0 : Math.min(1, (row.used ?? 0) / own(row)))

export const podSorts: readonly Sort<PodRow>[] = [
  { name: 'trouble', compare: (a, b) => troubleOf(b) - troubleOf(a) || compare(a.pod, b.pod) },
  { name: 'pod', compare: (a, b) => compare(a.pod, b.pod) },
  { name: 'node', compare: (a, b) => compare(a.node ?? '', b.node ?? '') },
  { name: 'used', compare: descending(({ used }) => used) },
  { name: 'need', compare: descending(({ need }) => need) },
  { name: 'gets', compare: descending(({ gets }) => gets) },
  { name: 'entitled', compare: descending(own) },
]

/** Of one node it need not be named again and again. */
export const podSheet = (rows: readonly PodRow[], { node }: PodWish): Sheet => ({
  columns: [
    { title: 'POD', align: 'left', shrinks: true },
    ...(node === undefined ? [{ title: 'NODE', align: 'left' } as const] : []),
    { title: 'USED', align: 'right' },
    { title: '', align: 'left' },
    { title: 'ENTITLED', align: 'right' },
    { title: 'NEED', align: 'right' },
    { title: 'GETS', align: 'right' },
    { title: 'REQUEST', align: 'right', isOnlyWide: true },
    { title: 'LIMIT', align: 'right', isOnlyWide: true },
    { title: 'RESIZE', align: 'left' },
  ],
  rows: rows.map((row) => ({
    key: row.pod,
    cells: [
      row.pod,
      ...(node === undefined ? [row.node ?? '-'] : []),
      amount(row.used),
      bar((row.used ?? 0) / Math.max(1, own(row)), 6),
      amount(row.entitled),
      amount(row.need),
      amount(row.gets),
      amount(row.applied.request),
      amount(row.applied.limit),
      resizeCell(row),
    ],
  })),
})

const amount = (value: number | null): string => (value === null ? '-' : showMillicores(value))

function resizeCell({ phase, reason, urgency }: PodRow): Cell {
  const text = `${reason ?? phase}${urgency === 'guardrail' ? '!' : ''}`
  if (phase === 'Failed') return { text, emphasis: 'bad' }
  return phase === 'Pending' || urgency === 'guardrail' ? { text, emphasis: 'warning' } : text
}

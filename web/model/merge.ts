/**
 * A view and a patch make the next view. What did not change is the same object afterwards, so that
 * what is drawn from it need not be drawn again.
 */
import type {
  ClusterPatch,
  EventsPatch,
  NodePatch,
  PodPatch,
} from '../../src/apis/dashboard-patch.ts'
import type { ClusterView, EventFeed, NodeDetail, PodDetail } from '../../src/apis/dashboard.ts'
import { appendColumns, appendNodeHistory } from './columns.ts'

const KEPT_SUFFERING = 20
const KEPT_EVENTS = 2000
const KEPT_DECISIONS = 500

export function mergeCluster(view: ClusterView, patch: ClusterPatch): ClusterView {
  const { gone, nodes, sufferedLately, history, ...values } = patch
  return {
    ...view,
    ...values,
    nodes: mergeRows(view.nodes, { changed: nodes, gone, keyOf: ({ name }) => name }),
    sufferedLately: newestFirst(view.sufferedLately, sufferedLately, {
      keep: KEPT_SUFFERING,
      keyOf: idOf,
    }),
    history: history === undefined ? view.history : appendColumns(view.history, history),
  }
}

export function mergeNode(view: NodeDetail, patch: NodePatch): NodeDetail {
  const { gone, pods, history, ...values } = patch
  return {
    ...view,
    ...values,
    pods: mergeRows(view.pods, { changed: pods, gone, keyOf: ({ key }) => key }),
    history: history === undefined ? view.history : appendNodeHistory(view.history, history),
  }
}

export function mergePod(view: PodDetail, patch: PodPatch): PodDetail {
  const { decisions, history, ...values } = patch
  const keyOf = ({ at, reason }: PodDetail['decisions'][number]): string => `${at} ${reason}`
  return {
    ...view,
    ...values,
    decisions: newestFirst(view.decisions, decisions, { keep: KEPT_DECISIONS, keyOf }),
    history: history === undefined ? view.history : appendColumns(view.history, history),
  }
}

export const mergeEvents = (view: EventFeed, { at, events }: EventsPatch): EventFeed => ({
  at,
  events: newestFirst(view.events, events, { keep: KEPT_EVENTS, keyOf: idOf }),
})

const idOf = ({ id }: { readonly id: string }): string => id

type Change<Row> = {
  readonly changed: readonly Row[] | undefined
  readonly gone: readonly string[] | undefined
  readonly keyOf: (row: Row) => string
}

/** Rows keep their places; new ones come last. */
function mergeRows<Row>(
  rows: readonly Row[],
  { changed = [], gone = [], keyOf }: Change<Row>,
): readonly Row[] {
  if (changed.length === 0 && gone.length === 0) return rows
  const next = new Map(rows.map((row) => [keyOf(row), row]))
  for (const row of changed) next.set(keyOf(row), row)
  for (const key of gone) next.delete(key)
  return [...next.values()]
}

type Kept<Item> = { readonly keep: number; readonly keyOf: (item: Item) => string }

function newestFirst<Item>(
  old: readonly Item[],
  fresh: readonly Item[] | undefined,
  { keep, keyOf }: Kept<Item>,
): readonly Item[] {
  const known = new Set(old.map(keyOf))
  const unknown = fresh?.filter((item) => !known.has(keyOf(item))) ?? []
  return unknown.length === 0 ? old : [...unknown, ...old].slice(0, keep)
}

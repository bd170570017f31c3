/** `mbcas status`: reads the summaries of the nodes, and nothing else. */
import { nodeMarkets } from '../../../apis/node-market.ts'
import { nodes } from '../../../apis/node.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Kube } from '../../../ports/kube.ts'
import type { View } from '../output.ts'
import { keyOf, listAll } from '../read.ts'
import { type ClusterSummary, summarise, timeIn } from './cluster-summary.ts'
import { statusText } from './status-text.ts'

export type StatusWish = {
  /** Of nodes. */
  readonly selector?: string | undefined
  /** Whose holders and changes are shown; undefined: all. */
  readonly namespace?: string | undefined
}

export async function readSummary(
  kube: Pick<Kube, 'list'>,
  clock: Pick<Clock, 'wall'>,
  { selector, namespace }: StatusWish = {},
): Promise<ClusterSummary> {
  const [all, chosen] = await Promise.all([
    listAll(kube, nodeMarkets),
    selector === undefined ? undefined : listAll(kube, nodes, { labelSelector: selector }),
  ])
  // A NodeMarket has no labels of its own: those of its node are what people know.
  const names = chosen && new Set(chosen.map(keyOf))
  const markets = names === undefined ? all : all.filter((one) => names.has(keyOf(one)))
  return summarise(markets, { at: timeIn(all, clock.wall()), namespace })
}

export async function statusView(...asked: Parameters<typeof readSummary>): Promise<View> {
  const summary = await readSummary(...asked)
  return {
    data: summary,
    names: summary.markets.map(({ node }) => `nodemarket.${nodeMarkets.group}/${node}`),
    text: (style) => statusText(summary, style),
  }
}

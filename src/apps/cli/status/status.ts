/** `mbcas status`: reads the summaries of the nodes, whether their agents live, and the cluster's settings. */
import { renewalsIn } from '../../../apis/agent-lease.ts'
import { leases } from '../../../apis/lease.ts'
import { systemNamespace } from '../../../apis/names.ts'
import { nodeMarkets } from '../../../apis/node-market.ts'
import { nodes } from '../../../apis/node.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Kube } from '../../../ports/kube.ts'
import type { View } from '../output.ts'
import { ifAllowed, keyOf, listAll } from '../read.ts'
import { type ClusterSummary, type Renewals, summarise, timeIn } from './cluster-summary.ts'
import { statusText } from './status-text.ts'
import { readToldSettings } from './told-settings.ts'

export type StatusWish = {
  /** Of nodes. */
  readonly selector?: string | undefined
  /** Whose pods are named; undefined: all. */
  readonly namespace?: string | undefined
}

export async function readSummary(
  kube: Pick<Kube, 'list'>,
  clock: Pick<Clock, 'wall'>,
  { selector, namespace }: StatusWish = {},
): Promise<ClusterSummary> {
  const [all, renewals, settings, chosen] = await Promise.all([
    listAll(kube, nodeMarkets),
    readRenewals(kube),
    readToldSettings(kube),
    selector === undefined ? undefined : listAll(kube, nodes, { labelSelector: selector }),
  ])
  // A NodeMarket has no labels of its own: those of its node are what people know.
  const names = chosen && new Set(chosen.map(keyOf))
  const markets = names === undefined ? all : all.filter((one) => names.has(keyOf(one)))
  const at = timeIn(all, clock.wall(), renewals)
  return summarise(markets, { at, renewals, settings, namespace })
}

/** Who may not see them is told by the markets, later. */
export async function readRenewals(kube: Pick<Kube, 'list'>): Promise<Renewals> {
  const found = await ifAllowed(listAll(kube, leases, { namespace: systemNamespace }))
  return renewalsIn(found ?? [])
}

export async function statusView(...asked: Parameters<typeof readSummary>): Promise<View> {
  const summary = await readSummary(...asked)
  return {
    data: summary,
    names: summary.markets.map(({ node }) => `nodemarket.${nodeMarkets.group}/${node}`),
    text: (style) => statusText(summary, style),
  }
}

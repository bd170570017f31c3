/** `mbcas explain node`: its market, who uses most of it, and what changed. */
import { agentLeasePlace, renewalsIn } from '../../../apis/agent-lease.ts'
import { leases } from '../../../apis/lease.ts'
import { nodeMarkets } from '../../../apis/node-market.ts'
import { nodes } from '../../../apis/node.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { Mode } from '../../../core/market/clear.ts'
import { visible } from '../../../core/visible.ts'
import { linesOf, row, type Style, type View } from '../output.ts'
import { ifAllowed, orNothing } from '../read.ts'
import { bar, showAge, showMillicores, showPrice, showShare } from '../show.ts'
import {
  type Change,
  changesIn,
  type HeldBack,
  heldBackIn,
  type Holder,
  holdersIn,
  type NodeSummary,
  soldRatio,
  type Suffering,
  sufferingIn,
  summariseNode,
  timeIn,
} from '../status/cluster-summary.ts'
import { outsideText } from '../status/status-text.ts'
import type { Asking } from './asking.ts'
import { missing } from './missing.ts'

export type NodeMarketFacts = NodeSummary & {
  readonly at: string
  readonly holders: readonly Holder[]
  readonly changes: readonly Change[]
  /** At most five of each. */
  readonly suffering: readonly Suffering[]
  readonly heldBack: readonly HeldBack[]
  readonly cgroupDriver: string | null
  readonly cpuManagerPolicy: string | null
}

const doing = 'explaining a node'

export async function explainNode({ kube, clock }: Asking, name: string): Promise<View> {
  const [market, lease] = await Promise.all([
    orNothing(kube.get(nodeMarkets, { name })),
    ifAllowed(kube.get(leases, agentLeasePlace(name))),
  ])
  const renewals = renewalsIn(lease === undefined ? [] : [lease])
  const at = timeIn(market === undefined ? [] : [market], clock.wall(), renewals)
  const [summary] = market === undefined ? [] : summariseNode(market, { at, renewals })
  if (market === undefined || summary === undefined) {
    const node = await orNothing(kube.get(nodes, { name }))
    if (node === undefined)
      throw await missing(kube, { doing, noun: 'node', resource: nodes, name })
    throw new InvalidInput(
      `${doing}: ${name} has no market; is an agent running there (mbcas agent --node ${name})?`,
    )
  }
  const facts: NodeMarketFacts = {
    at: new Date(at).toISOString(),
    ...summary,
    holders: holdersIn(market),
    changes: changesIn(market),
    suffering: sufferingIn(market),
    heldBack: heldBackIn(market),
    cgroupDriver: market.status.node?.cgroupDriver ?? null,
    cpuManagerPolicy: market.status.node?.cpuManagerPolicy ?? null,
  }
  return { data: facts, names: [`node/${name}`], text: (style) => nodeText(facts, style) }
}

const meanings: Readonly<Record<Mode, string>> = {
  uncongested: 'there is enough for all needs, and idle CPU is there for whoever wants it',
  congested:
    'there is not enough for all needs: each gets what it needs of its entitlement, and a share of the rest by weight',
  overloaded:
    'the floors that owners set do not fit: some pods are entitled to less than theirs; move pods away or lower min-cpu',
}

function nodeText(facts: NodeMarketFacts, style: Style): string {
  const { node, mode, mechanism, clearedAt, isSilent, price, pods, sufferingPods } = facts
  const now = Date.parse(facts.at)
  const age = showAge(now - Date.parse(clearedAt))
  const quiet = showAge(now - Date.parse(facts.heardAt))
  const silent = style.paint(`; its agent has not answered for ${quiet}`, 'bad')
  const at = price === null ? '' : `, at ${showPrice(price)} per millicore`
  const { sold, capacity } = facts
  const share = `${bar(soldRatio(facts), 10)} ${showMillicores(sold)}, ${showShare(sold, capacity)}`
  const suffering =
    sufferingPods === null
      ? 'who suffers is not known'
      : `${sufferingPods} late or waiting for a CPU`
  const holders = facts.holders.map(({ pod, amount }) => `${pod} ${showMillicores(amount)}`)
  return linesOf([
    `${style.paint(visible(node), 'strong')}: ${visible(`${mode}, cleared ${age} ago by ${mechanism}`)}${isSilent ? silent : ''}`,
    ...row('sells', sellsText(facts), style),
    ...row('sold', `${share}${at}`, style),
    ...row('pods', `${pods} bid, ${suffering}`, style),
    ...facts.suffering.flatMap((one) => row('suffers', `${one.pod} ${one.reason}`, style)),
    ...facts.heldBack.flatMap((one) => row('held', `${one.pod} ${heldText(one)}`, style)),
    ...(holders.length === 0 ? [] : row('uses', holders.join(', '), style)),
    ...facts.changes.flatMap((change) => row('changed', changedText(change, now), style)),
    ...row('means', `${mode}: ${meanings[mode]}`, style),
    ...kernelLines(facts, style),
  ])
}

export const heldText = ({ to, reason }: Pick<HeldBack, 'to' | 'reason'>): string =>
  `to ${showMillicores(to)} ${reason}`

const sellsText = ({ capacity, allocatable, reserve, held, unmanagedPods }: NodeSummary): string =>
  `${showMillicores(capacity)} of ${showMillicores(allocatable)} allocatable; ` +
  `reserved ${showMillicores(reserve)}${outsideText(held, unmanagedPods)}`

const changedText = ({ at, pod, from, to, reason }: Change, now: number): string =>
  `${showAge(now - Date.parse(at))} ago ${pod} from ${showMillicores(from)} to ${showMillicores(to)}: ${reason}`

function kernelLines({ cgroupDriver, cpuManagerPolicy }: NodeMarketFacts, style: Style): string[] {
  const known = [
    ...(cgroupDriver === null ? [] : [`cgroup driver ${cgroupDriver}`]),
    ...(cpuManagerPolicy === null ? [] : [`CPU manager policy ${cpuManagerPolicy}`]),
  ]
  return known.length === 0 ? [] : row('kubelet', known.join(', '), style)
}

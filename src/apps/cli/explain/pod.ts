/** `mbcas explain pod`: what it has, uses, is entitled to, needs, gets and why, in about ten lines. */
import { agentLeasePlace, renewalsIn } from '../../../apis/agent-lease.ts'
import { leases } from '../../../apis/lease.ts'
import { podMetrics, usedCpuOf } from '../../../apis/metrics.ts'
import { prefix } from '../../../apis/names.ts'
import { namespaces } from '../../../apis/namespace.ts'
import { type NodeMarket, nodeMarkets } from '../../../apis/node-market.ts'
import { podAllocations } from '../../../apis/pod-allocation.ts'
import { lastingIn, statusesIn } from '../../../apis/pod-containers.ts'
import { type Pod, pods } from '../../../apis/pod.ts'
import { visible } from '../../../core/visible.ts'
import { linesOf, row, type Style, type View } from '../output.ts'
import { ifAllowed, orNothing } from '../read.ts'
import { count, showAge, showMillicores } from '../show.ts'
import {
  heldBackIn,
  type NodeSummary,
  sufferingIn,
  summariseNode,
  timeIn,
} from '../status/cluster-summary.ts'
import { sufferingOf } from '../status/status-text.ts'
import { readToldSettings } from '../status/told-settings.ts'
import {
  type Amounts,
  amountsOf,
  decisionLines,
  explained,
  type ExplainedAllocation,
  showAmounts,
} from './allocation-facts.ts'
import type { Asking } from './asking.ts'
import { missing } from './missing.ts'
import { heldText } from './node.ts'
import { placeOf } from './place.ts'
import { modeOfPod, type PodMode } from './pod-mode.ts'

/** Amounts in millicores; null: none is set, or it is not known. */
export type PodFacts = {
  readonly at: string
  readonly pod: string
  readonly node: string | null
  readonly phase: string
  readonly qosClass: string | null
  readonly startedAt: string | null
  readonly containers: readonly ContainerFacts[]
  readonly used: number | null
  /** Its own annotations and labels of ours, without the prefix. */
  readonly settings: Readonly<Record<string, string>>
  /** Which one holds: the narrowest of what the cluster, its namespace and itself say. */
  readonly mode: PodMode
  readonly allocation: ExplainedAllocation | null
  /** Why it suffers, and what holds it back; null where its node's market names it for neither. */
  readonly suffers: string | null
  readonly heldBack: { readonly to: number; readonly reason: string } | null
  readonly market: NodeSummary | null
}

type ContainerFacts = Amounts & { readonly name: string; readonly restarts: number | null }

const doing = 'explaining a pod'

export async function explainPod(asking: Asking, given: string): Promise<View> {
  const { kube, clock, entries } = asking
  const place = placeOf(doing, given, asking)
  const { namespace, name } = place
  const pod = await orNothing(kube.get(pods, place))
  if (pod === undefined) {
    throw await missing(kube, { doing, noun: 'pod', resource: pods, namespace, name })
  }
  const { nodeName } = pod.spec
  const [allocation, metrics, home, cluster, market, lease] = await Promise.all([
    orNothing(kube.get(podAllocations, place)),
    ifAllowed(kube.get(podMetrics, place)),
    ifAllowed(kube.get(namespaces, { name: namespace })),
    readToldSettings(kube),
    nodeName === undefined ? undefined : ifAllowed(kube.get(nodeMarkets, { name: nodeName })),
    nodeName === undefined ? undefined : ifAllowed(kube.get(leases, agentLeasePlace(nodeName))),
  ])
  const renewals = renewalsIn(lease === undefined ? [] : [lease])
  const at = timeIn(market === undefined ? [] : [market], clock.wall(), renewals)
  const [summary = null] = market === undefined ? [] : summariseNode(market, { at, renewals })
  const facts: PodFacts = {
    at: new Date(at).toISOString(),
    pod: `${namespace}/${name}`,
    ...factsOf(pod),
    used: metrics === undefined ? null : usedCpuOf(metrics),
    mode: modeOfPod({ pod, namespace: home, cluster }),
    allocation: allocation === undefined ? null : explained(allocation, entries),
    ...troubleOf(`${namespace}/${name}`, market),
    market: summary,
  }
  return { data: facts, names: [`pod/${name}`], text: (style) => podText(facts, style) }
}

function troubleOf(key: string, market: NodeMarket | undefined) {
  if (market === undefined) return { suffers: null, heldBack: null }
  const isIt = ({ pod }: { readonly pod: string }): boolean => pod === key
  const held = heldBackIn(market).find(isIt)
  return {
    suffers: sufferingIn(market).find(isIt)?.reason ?? null,
    heldBack: held === undefined ? null : { to: held.to, reason: held.reason },
  }
}

function factsOf({ metadata, spec, status }: Pod) {
  const own = Object.entries({ ...metadata.labels, ...metadata.annotations })
    .filter(([name]) => name.startsWith(prefix) && !name.endsWith('/original-cpu'))
    .map(([name, value]) => [name.slice(prefix.length), value])
  return {
    node: spec.nodeName ?? null,
    phase: status?.phase ?? 'Unknown',
    qosClass: status?.qosClass ?? null,
    startedAt: status?.startTime ?? null,
    containers: lastingIn(spec).map(({ name, resources }): ContainerFacts => {
      const found = statusesIn(status).find((container) => container.name === name)
      const { requests, limits } = found?.resources ?? resources ?? {}
      const amounts = amountsOf(requests?.['cpu'], limits?.['cpu'])
      return Object.assign({ name }, amounts, { restarts: found?.restartCount ?? null })
    }),
    settings: Object.fromEntries(own) as PodFacts['settings'],
  }
}

function podText(facts: PodFacts, style: Style): string {
  const { pod, node, phase, qosClass, startedAt, containers, used, settings, market } = facts
  const now = Date.parse(facts.at)
  const since = startedAt === null ? '' : ` for ${showAge(now - Date.parse(startedAt))}`
  const where = `on ${node ?? 'no node yet'}: ${phase}${since}, ${qosClass ?? 'no QoS class yet'}`
  const wishes = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  return linesOf([
    `${style.paint(visible(pod), 'strong')} ${visible(where)}`,
    ...containers.flatMap((container) => row('has', hasText(container), style)),
    ...(used === null ? [] : row('uses', `${showMillicores(used)} now`, style)),
    ...(wishes.length === 0 ? [] : row('asks', wishes.join(', '), style)),
    ...row('mode', `${facts.mode.mode}: ${facts.mode.from}`, style),
    ...(isEnforced(facts.mode)
      ? []
      : row('kernel', `nothing is set there in mode ${facts.mode.mode}`, style)),
    ...(facts.suffers === null ? [] : row('suffers', facts.suffers, style)),
    ...(facts.heldBack === null ? [] : row('held', heldText(facts.heldBack), style)),
    ...(facts.allocation === null
      ? untold(facts, style)
      : decisionLines(facts.allocation, { now, isEnforced: isEnforced(facts.mode) }, style)),
    ...(market === null ? [] : row('node', nodeText(market), style)),
  ])
}

const hasText = ({ name, restarts, ...amounts }: ContainerFacts): string =>
  `${name}: ${showAmounts(amounts)}${restarts === null ? '' : `, ${count(restarts, 'restart')}`}`

export function nodeText({ node, mode, sold, capacity, sufferingPods, pods }: NodeSummary): string {
  const suffering = sufferingPods === null ? '' : `, ${sufferingOf(sufferingPods, pods)}`
  return `${node} is ${mode}: ${showMillicores(sold)} of ${showMillicores(capacity)} sold${suffering}`
}

/** What cannot be read does not turn what an agent decided into a wish. */
const isEnforced = ({ mode }: PodMode): boolean => mode === 'auto' || mode === 'unknown'

function untold({ pod, node, phase, mode }: PodFacts, style: Style): string[] {
  if (node === null && phase === 'Pending') {
    const [namespace, name] = pod.split('/')
    const ask = `kubectl describe pod ${name} -n ${namespace}`
    return [
      ...row('gets', 'nothing yet: it is not scheduled, and a market is that of a node', style),
      ...row('why', `see the events in ${ask}`, style),
    ]
  }
  return [
    ...row('gets', 'nothing from a market: it has no PodAllocation', style),
    ...row('why', mode.mode === 'off' ? 'no agent bids for it in mode off' : noAgent, style),
  ]
}

const noAgent =
  'usual in its first two minutes; later: does an agent run on its node, and is the pod managed?'

import { troubledBounds } from '../../apis/node-market-status.ts'
/** What the market of the node came to, as the NodeMarket that people and tools read. */
import { type NodeMarket, nodeMarkets } from '../../apis/node-market.ts'
import { nodes } from '../../apis/node.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import type { NodePlan } from '../../core/bidding/plan.ts'
import { keyOfPod, type PodName } from '../../core/pod-name.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { type Millicores, type Millis, minus } from '../../core/units.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import { timestamp } from '../../runtime/conditions.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'
import type { Highlights, Troubled } from './highlights.ts'
import { type KeepApplied, keepApplied } from './keep-applied.ts'

export type Cleared = {
  readonly nodeName: string
  readonly nodeUid: string
  /** By the wall clock. */
  readonly at: Millis
  readonly facts: NodeFacts
  readonly highlights: Highlights
}

/** What the controller cannot see; empty where it is not known. */
export type NodeFacts = NonNullable<NodeMarket['status']['node']>

export type NodeSources = {
  readonly driver?: CgroupReader['driver'] | undefined
  readonly nodeCpus?: NodeCpus | undefined
  readonly agentPort?: number | undefined
}

export function nodeFactsOf({ driver, nodeCpus, agentPort }: NodeSources): NodeFacts {
  const cgroupDriver = driver?.()
  const policy = nodeCpus?.settings.cpuManager?.policy
  return {
    ...(cgroupDriver !== undefined && { cgroupDriver }),
    ...((policy === 'none' || policy === 'static') && { cpuManagerPolicy: policy }),
    ...(agentPort !== undefined && { agentPort }),
  }
}

export function nodeMarketOf(
  { mode, clearing, allocatable, reserve, held, nashProductLog, ...plan }: NodePlan,
  { nodeName: name, nodeUid: uid, at, facts, highlights }: Cleared,
): NodeMarket {
  const { mechanism, capacity, slack, price } = clearing
  const { decisions, unmanaged } = plan
  const { sufferingPods, holders, changes, suffering, heldBack } = highlights
  return {
    apiVersion: apiVersionOf(nodeMarkets),
    kind: nodeMarkets.kind,
    metadata: {
      name,
      ownerReferences: [ownerReference<KubeObject>(nodes, { metadata: { name, uid } })],
    },
    status: {
      resources: [
        {
          name: 'cpu',
          mode,
          mechanism,
          allocatable: formatMillicores(allocatable),
          reserve: formatMillicores(reserve),
          held: formatMillicores(held),
          capacity: formatMillicores(capacity),
          sold: formatMillicores(minus(capacity, slack)),
          unsold: formatMillicores(slack),
          ...(price !== null && { price: rounded(price) }),
          ...(nashProductLog !== undefined && { nashProductLog: rounded(nashProductLog) }),
          pods: decisions.length,
          unmanagedPods: unmanaged.length,
          sufferingPods,
          holders: holders.map(holderOf),
          clearedAt: timestamp(at),
        },
      ],
      changes: changes.map(changeOf),
      ...(suffering.length > 0 && { suffering: suffering.map(troubledOf) }),
      ...(heldBack.length > 0 && {
        heldBack: heldBack.map((one) =>
          Object.assign(troubledOf(one), { to: formatMillicores(one.to) }),
        ),
      }),
      ...(Object.keys(facts).length > 0 && { node: facts }),
    },
  }
}

const holderOf = ({ pod, held }: { readonly pod: PodName; readonly held: Millicores }) => ({
  pod: keyOfPod(pod),
  amount: formatMillicores(held),
})

const troubledOf = ({ pod: { namespace, name }, reason }: Troubled) => ({
  namespace,
  name,
  reason: reason.slice(0, troubledBounds.maxReason),
})

const changeOf = ({ pod, at, from, to, reason }: Highlights['changes'][number]) => ({
  pod: keyOfPod(pod),
  at: timestamp(at),
  from: formatMillicores(from),
  to: formatMillicores(to),
  reason,
})

/** Enough for people, and a market that hardly moved is the same market. */
export const rounded = (value: number): number => Number(value.toPrecision(4))

type MarketWriterNeeds = { readonly kube: Kube; readonly clock: Clock; readonly log: Log }

export type MarketWriter = KeepApplied<NodeMarket>

export const createMarketWriter = (needs: MarketWriterNeeds): MarketWriter =>
  keepApplied({
    ...needs,
    resource: nodeMarkets,
    doing: 'publishing market',
    except: 'clearedAt',
  })

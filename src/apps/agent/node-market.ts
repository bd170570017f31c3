/** What the market of the node came to, as the NodeMarket that people and tools read. */
import { fieldManagers } from '../../apis/names.ts'
import { type NodeMarket, nodeMarkets } from '../../apis/node-market.ts'
import { nodes } from '../../apis/node.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import type { NodePlan } from '../../core/bidding/plan.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { type Millicores, type Millis, minus } from '../../core/units.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CpuManagerState } from '../../ports/cpu-manager.ts'
import type { Kube, Patch } from '../../ports/kube.ts'
import { keyOfPod, type PodName } from '../../ports/latency.ts'
import type { Log } from '../../ports/log.ts'
import { timestamp } from '../../runtime/conditions.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'
import type { Highlights } from './highlights.ts'

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
  readonly cpuManager?: CpuManagerState | undefined
  readonly agentPort?: number | undefined
}

export function nodeFactsOf({ driver, cpuManager, agentPort }: NodeSources): NodeFacts {
  const cgroupDriver = driver?.()
  const policy = cpuManager?.policy
  return {
    ...(cgroupDriver !== undefined && { cgroupDriver }),
    ...((policy === 'none' || policy === 'static') && { cpuManagerPolicy: policy }),
    ...(agentPort !== undefined && { agentPort }),
  }
}

export function nodeMarketOf(
  { clearing, allocatable, reserve, held, nashProductLog, decisions, unmanaged }: NodePlan,
  { nodeName: name, nodeUid: uid, at, facts, highlights }: Cleared,
): NodeMarket {
  const { mode, mechanism, capacity, slack, price } = clearing
  const { sufferingPods, holders, changes } = highlights
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
      ...(Object.keys(facts).length > 0 && { node: facts }),
    },
  }
}

const holderOf = ({ pod, held }: { readonly pod: PodName; readonly held: Millicores }) => ({
  pod: keyOfPod(pod),
  amount: formatMillicores(held),
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

export type MarketWriter = {
  /** Never throws: what fails is tried again by the next clearing. */
  readonly write: (market: NodeMarket, signal: AbortSignal) => Promise<MarketOutcome>
}

export type MarketOutcome = 'written' | 'unchanged' | 'failed'

/** So that its time tells that the agent lives. */
const LONGEST_SILENCE_MILLIS = 300_000

type MarketWriterNeeds = { readonly kube: Kube; readonly clock: Clock; readonly log: Log }

export function createMarketWriter({ kube, clock, log }: MarketWriterNeeds): MarketWriter {
  let written: { readonly said: string; readonly at: Millis } | undefined
  let told = ''

  const write: MarketWriter['write'] = async (market, signal) => {
    const { name = '' } = market.metadata
    const said = withoutTime(market)
    const at = clock.now()
    if (written?.said === said && at - written.at < LONGEST_SILENCE_MILLIS) return 'unchanged'
    const owner = { fieldManager: fieldManagers.agent, force: true }
    const patch: Patch = { type: 'apply', body: market, ...owner }
    try {
      await kube.patch(nodeMarkets, { name }, patch, { signal, purpose: 'status' })
      written = { said, at }
      told = ''
      return 'written'
    } catch (error) {
      written = undefined // it may have been written all the same
      const problem = String(error)
      const isNews = !signal.aborted && problem !== told
      if (isNews) log('error', 'publishing market', { node: name, error })
      told = problem
      return 'failed'
    }
  }

  return { write }
}

const withoutTime = (market: NodeMarket): string =>
  JSON.stringify(market, (key, value: unknown) => (key === 'clearedAt' ? undefined : value))

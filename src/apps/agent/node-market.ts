/** What the market of the node came to, as the NodeMarket that people and tools read. */
import { fieldManagers } from '../../apis/names.ts'
import { type NodeMarket, nodeMarkets } from '../../apis/node-market.ts'
import { nodes } from '../../apis/node.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import type { NodePlan } from '../../core/bidding/plan.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { type Millis, minus } from '../../core/units.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CpuManagerState } from '../../ports/cpu-manager.ts'
import type { Kube, Patch } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { timestamp } from '../../runtime/conditions.ts'
import { ownerReference } from '../../runtime/owner-reference.ts'

export type Cleared = {
  readonly nodeName: string
  readonly nodeUid: string
  /** By the wall clock. */
  readonly at: Millis
  readonly facts: NodeFacts
}

/** What the controller cannot see; empty where it is not known. */
export type NodeFacts = NonNullable<NodeMarket['status']['node']>

export function nodeFactsOf(
  { driver }: Pick<CgroupReader, 'driver'>,
  cpuManager: CpuManagerState | undefined,
): NodeFacts {
  const cgroupDriver = driver?.()
  const policy = cpuManager?.policy
  return {
    ...(cgroupDriver !== undefined && { cgroupDriver }),
    ...((policy === 'none' || policy === 'static') && { cpuManagerPolicy: policy }),
  }
}

export function nodeMarketOf(
  { clearing, allocatable, reserve, held, nashProductLog, decisions, unmanaged }: NodePlan,
  { nodeName: name, nodeUid: uid, at, facts }: Cleared,
): NodeMarket {
  const { mode, mechanism, capacity, slack, price } = clearing
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
          clearedAt: timestamp(at),
        },
      ],
      ...(Object.keys(facts).length > 0 && { node: facts }),
    },
  }
}

/** Enough for people, and a market that hardly moved is the same market. */
const rounded = (value: number): number => Number(value.toPrecision(4))

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

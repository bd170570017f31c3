/** The agent of one node: it measures and protects at every sample, and clears the market in turn. */
import type { AgentConfig } from '../../apis/agent-config.ts'
import type { LimitRange } from '../../apis/limit-range.ts'
import type { ClusterSettings } from '../../apis/market-settings.ts'
import { fieldManagers } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import type { MarketView, NodeView } from '../../apis/node-view.ts'
import type { Pod } from '../../apis/pod.ts'
import type { Enforcement } from '../../core/enforcement/enforcements.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { CgroupReader, CgroupWriter } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import { eventRecorder } from '../../runtime/events.ts'
import { createMoments } from '../../runtime/moments.ts'
import { createBids } from './bids.ts'
import { type Charge, isMovable } from './charge.ts'
import { createClearing } from './clearing.ts'
import { createGuarding } from './guarding.ts'
import { createChangeLog } from './highlights.ts'
import { createIdleCpu } from './idle-cpu.ts'
import { createKernel } from './kernel.ts'
import type { Latencies } from './latencies.ts'
import { createLeftovers } from './leftovers.ts'
import type { AgentMetrics } from './metrics.ts'
import { watchMisalignment } from './misalignment.ts'
import { createMarketWriter } from './node-market.ts'
import { type OwnAllocations, ownAllocations } from './own-allocations.ts'
import { startedAtOf } from './pod-facts.ts'
import { createPublisher } from './publisher.ts'
import { createSampler } from './sampler.ts'
import { podViewer, type SeenPod } from './seen-pod.ts'
import { createState } from './state.ts'
import { createTeller } from './teller.ts'

export type AgentNeeds = {
  readonly nodeName: string
  readonly config: AgentConfig
  readonly kube: Kube
  readonly cgroups: CgroupReader
  /** Undefined: the kernel is only read, and everything goes through the API. */
  readonly writer: CgroupWriter | undefined
  readonly clock: Clock
  readonly log: Log
  readonly metrics: AgentMetrics
  /** The pods of this node, in any order. */
  readonly pods: () => readonly Pod[]
  readonly node: () => NodeCpu
  readonly namespaceOf: (name: string) => Namespace | undefined
  /** Of the whole cluster. */
  readonly settings: () => ClusterSettings
  /** The PodAllocations of this node, as they stand. */
  readonly allocations: OwnAllocations
  readonly limitRangesOf: (namespace: string) => readonly LimitRange[]
  readonly nodeCpus: () => NodeCpus | undefined
  readonly latencies: Pick<Latencies, 'of'> | undefined
  /** Where its state can be asked for; undefined until that is known. */
  readonly agentPort: () => number | undefined
}

export type NodeCpu = {
  readonly uid: string
  readonly allocatable: Millicores
  readonly cpus: number
  /** Chosen on the node; undefined: as the agent is configured. */
  readonly enforcement?: Enforcement | undefined
}

export type Agent = {
  /** Reads the counters of every container once, and acts on what cannot wait. */
  readonly sample: (signal: AbortSignal) => void
  /** Puts right what others wrote to the kernel for a pod. */
  readonly mend: (uid: string) => void
  /** A pod came, or one waits in vain: the next clearing should not wait for its turn. */
  readonly isClearingWanted: () => boolean
  /** Read, decide, act. */
  readonly clear: (signal: AbortSignal) => Promise<void>
  /** Publishes again what somebody deleted or rewrote. */
  readonly keepAllocations: (signal: AbortSignal) => Promise<void>
  /** All that it knows at this moment, put together when asked. */
  readonly view: () => NodeView
  /** Undoes what was done to the kernel, and tells no more. */
  readonly close: () => Promise<void>
}

/** What the two rhythms share. */
export type Shared = {
  readonly seenPods: () => readonly SeenPod[]
  /** When pods began, by the agent's own clock. */
  readonly starts: {
    readonly of: (seen: SeenPod) => Millis
    readonly keepOnly: (uids: ReadonlySet<string>) => void
  }
  /** By UID: the pods that take part. */
  readonly charges: Map<string, Charge>
  /** UIDs of the pods that were measured when the market cleared last. */
  cleared: ReadonlySet<string>
  /** Somebody waits for what only the market can give. */
  isClearingWanted: boolean
  /** Of the last clearing. */
  market: MarketView | undefined
  /** By UID, of the last clearing: why a pod takes no part. */
  leftAlone: ReadonlyMap<string, string>
}

export function createAgent(needs: AgentNeeds): Agent {
  const { config, clock, log, writer } = needs
  const view = podViewer(needs)
  const moments = createMoments(clock)
  const starts: Shared['starts'] = {
    of: ({ uid, pod }) => {
      const wall = startedAtOf(pod)
      return wall === undefined ? clock.now() : moments.of(uid, wall)
    },
    keepOnly: moments.keepOnly,
  }
  const shared: Shared = {
    starts,
    seenPods: () => needs.pods().map(view),
    charges: new Map(),
    cleared: new Set(),
    isClearingWanted: false,
    market: undefined,
    leftAlone: new Map(),
  }
  const sampler = createSampler(needs.cgroups, log)
  const kernel = writer && createKernel({ ...needs, writer })
  const idleCpu = createIdleCpu(needs.cgroups)
  const publisher = createPublisher(needs)
  const changes = createChangeLog()
  const teller = createTeller({
    onTold: changes.note,
    publisher,
    clock,
    rules: config.publication,
  })
  const parts = { ...needs, shared, sampler, kernel, idleCpu, publisher, teller }
  const events = eventRecorder({
    ...needs,
    component: fieldManagers.agent,
    host: needs.nodeName,
  })
  /** An agent published for it. */
  const isOurs = (seen: SeenPod): boolean =>
    needs.allocations.get(keyOfPod(seen))?.podUid === seen.uid
  const guarding = createGuarding(parts)
  const clearing = createClearing({
    ...parts,
    bids: createBids({ ...parts, record: events.record }),
    leftovers: createLeftovers(parts),
    writeMarket: createMarketWriter(needs),
    misalignment: watchMisalignment({ ...needs, record: events.record }),
    changes,
  })
  return {
    sample: guarding.sample,
    mend: (uid) => kernel?.mend(uid),
    isClearingWanted: () => shared.isClearingWanted,
    clear: clearing.clear,
    keepAllocations: ownAllocations(parts),
    view: createState({ ...needs, shared, sampler }),
    close: async () => {
      for (const seen of shared.seenPods()) {
        // One that was killed before us may have left something that we had no time to take over.
        const charge = shared.charges.get(seen.uid)
        if (isOurs(seen) && isMovable(seen, charge) && kernel?.isLeftOn(seen) === true) {
          kernel.takeOver(seen)
        }
        const isTold = isJustTold(charge, clock.now())
        kernel?.release(seen, isTold ? publisher.limitsOf(seen.uid) : undefined)
      }
      kernel?.keepOnly(new Set())
      await events.flush(AbortSignal.abort())
    },
  }
}

const JUST_MILLIS = 30_000

/** So that it may be in force already, before the spec that we know shows it. */
const isJustTold = (charge: Charge | undefined, now: Millis): boolean =>
  charge?.isTold === true && now - charge.published.limit.at < JUST_MILLIS

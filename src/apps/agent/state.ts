/**
 * What the agent tells of its node at `/state`. It is put together when somebody asks: nothing is
 * prepared, and all that is kept for it is a reading a container, and only after somebody asked.
 */
import type { AgentConfig } from '../../apis/agent-config.ts'
import type { BidView, MarketView, NodeView, PodView } from '../../apis/node-view.ts'
import type { NodePlan } from '../../core/bidding/plan.ts'
import { type CpuRates, ratesBetween } from '../../core/demand/rates.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import { isInLane } from '../../core/enforcement/lane.ts'
import { showMillicores } from '../../core/quantity.ts'
import { type Millicores, type Millis, minus, sum, sumOfAll } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import { type Charge, suffers } from './charge.ts'
import type { Latencies } from './latencies.ts'
import { rounded } from './node-market.ts'
import type { Sampler } from './sampler.ts'
import { hasOwnTarget, type SeenPod, targetOf } from './seen-pod.ts'

type StateNeeds = Pick<AgentNeeds, 'nodeName' | 'node'> & {
  readonly config: Pick<AgentConfig, 'latency'>
  readonly clock: Pick<Clock, 'wall'>
  readonly latencies: Pick<Latencies, 'of'> | undefined
  readonly shared: Pick<Shared, 'seenPods' | 'charges' | 'market' | 'leftAlone'>
  readonly sampler: Pick<Sampler, 'trackedOf'>
}

/** What a container did between the last two looks at it. */
type Look = { readonly reading: CpuReading; readonly rates: CpuRates }

/** Of several that ask at a time, all are told the same. */
const SHORTEST_LOOK_MICROS = 900_000
/** What was so long ago says little about now. */
const LONGEST_LOOK_MICROS = 60_000_000

export function createState(needs: StateNeeds): () => NodeView {
  const { shared, sampler, clock, config } = needs
  /** By container: replaced at every look, so that it holds no container that is gone. */
  let looks = new Map<string, Look>()

  const lookAt = (containerId: string, cpus: number): Look | undefined => {
    const { last, rates } = sampler.trackedOf(containerId) ?? {}
    if (last === undefined || rates === undefined) return undefined
    const before = looks.get(containerId)
    const passed = last.atMicros - (before?.reading.atMicros ?? -Infinity)
    if (before !== undefined && passed >= 0 && passed < SHORTEST_LOOK_MICROS) return before
    const between =
      before !== undefined && passed <= LONGEST_LOOK_MICROS
        ? ratesBetween(before.reading, last, cpus)
        : undefined
    return { reading: last, rates: between && 'rates' in between ? between.rates : rates }
  }

  return () => {
    const { cpus } = needs.node()
    const next = new Map<string, Look>()
    const viewOf = (seen: SeenPod): PodView => {
      const measured = seen.containers.map(({ place }) => {
        const containerId = place?.containerId ?? ''
        const look = lookAt(containerId, cpus)
        if (look !== undefined) next.set(containerId, look)
        return { look, tracked: sampler.trackedOf(containerId) }
      })
      const p99Millis = needs.latencies?.of(seen)?.p99Millis
      // The operator's is for what can be measured: of others it would be one that nobody set.
      const hasTarget = hasOwnTarget(seen) || p99Millis !== undefined
      const targetMillis = hasTarget ? targetOf(seen, config) : undefined
      const charge = shared.charges.get(seen.uid)
      const limit = sumOfAll(seen.containers.map(({ limit }) => limit))
      const quota = sumOfAll(measured.map(({ tracked }) => quotaIn(tracked?.last)))
      const { uid, namespace, name } = seen
      return {
        uid,
        namespace,
        name,
        used: milli(measured.map(({ look }) => look?.rates.usageCores ?? 0)),
        demand: milli(measured.map(({ tracked }) => tracked?.demandCores ?? 0)),
        request: sum(seen.containers.map(({ request = 0 as Millicores }) => request)),
        ...(limit !== undefined && { limit }),
        ...(quota !== undefined && { quota }),
        throttledRatio: rounded(
          Math.max(0, ...measured.map(({ look }) => look?.rates.throttledRatio ?? 0)),
        ),
        ...(p99Millis !== undefined && { p99Millis: rounded(p99Millis) }),
        ...(targetMillis !== undefined && { targetMillis }),
        ...(charge ? standingIn(charge) : NO_STANDING),
        ...(charge && { bid: bidViewOf(charge) }),
        reason: charge ? reasonIn(charge) : (shared.leftAlone.get(uid) ?? NOT_CLEARED),
      }
    }
    const pods = shared.seenPods().map(viewOf).toSorted(byName)
    looks = next
    const { market } = shared
    return { node: needs.nodeName, at: clock.wall(), ...(market && { market }), pods }
  }
}

export function marketViewOf(
  { allocatable, mode, reserve, held, clearing }: NodePlan,
  at: Millis,
): MarketView {
  const { capacity, slack, price } = clearing
  const sold = minus(capacity, slack)
  const amounts = { allocatable, reserve, held, capacity, sold }
  return { at, mode, ...amounts, ...(price !== null && { price: rounded(price) }) }
}

const NOT_CLEARED = 'came after the last clearing, and waits for the next'

const NO_STANDING = { waitedRatio: 0, isSuffering: false, state: 'well' } as const

function standingIn(charge: Charge) {
  const { shares, heldTo, waiting, credits, verdict } = charge.standing
  return {
    ...(shares !== undefined && { shares }),
    ...(heldTo !== undefined && { heldTo }),
    isInLane: isInLane(credits),
    waitedRatio: rounded(waiting.waitedRatio),
    isSuffering: suffers(charge),
    state: verdict.state,
  }
}

function reasonIn({ isOverridden, standing, decision }: Charge): string {
  if (isOverridden) return 'a person owns its PodAllocation, and it is left alone'
  const { heldTo } = standing
  const held =
    heldTo === undefined ? [] : [`is held to ${showMillicores(heldTo)} to protect others`]
  return [...held, decision.reason, ...decision.notes].join('; ')
}

function bidViewOf({ decision }: Charge): BidView {
  const { bid, need, given: gets, entitled, shareRatio, price, ceilingByHand } = decision
  const { floor, ceiling, weight } = bid
  const paid = price === null ? {} : { paid: rounded(price * gets) }
  const share = rounded(shareRatio)
  return {
    floor,
    need,
    ceiling,
    ...(ceilingByHand !== undefined && { ceilingByHand }),
    ...(decision.enforcement === 'strict' && { isStrict: true }),
    weight: rounded(weight),
    entitled,
    shareRatio: share,
    gets,
    ...paid,
  }
}

/** Undefined where the container has none. */
const quotaIn = (reading: CpuReading | undefined): number | undefined =>
  reading === undefined || reading.quotaMicros === null
    ? undefined
    : Math.round((reading.quotaMicros / reading.periodMicros) * 1000)

const milli = (cores: readonly number[]): number =>
  Math.round(cores.reduce((all, one) => all + one, 0) * 1000)

const byName = (a: PodView, b: PodView): number =>
  a.namespace === b.namespace ? compare(a.name, b.name) : compare(a.namespace, b.namespace)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

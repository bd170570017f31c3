/** The agent's metrics, declared once. Names are those of the first design where it has them. */
import type { NodePlan } from '../../core/bidding/plan.ts'
import { type Misalignment, misalignmentKinds } from '../../core/cpu/misalignment/misalignment.ts'
import type { Clearing } from '../../core/market/clear.ts'
import type { PodName } from '../../core/pod-name.ts'
import type { Millicores } from '../../core/units.ts'
import type { Registry } from '../../runtime/metrics.ts'
import { demandIn } from './charge.ts'
import type { LatencyNews } from './latencies.ts'
import { podsShown } from './pods-shown.ts'
import type { Outcome } from './publisher.ts'
import type { SampleCounts } from './sampler.ts'

export type AgentMetrics = {
  readonly sampled: (counts: Omit<SampleCounts, 'stirred'>) => void
  /** What one pod did since its last sample, over all its containers. */
  readonly measured: (pod: PodName, sample: PodSample) => void
  readonly judged: (pod: PodName, judged: PodJudged) => void
  /** A pod is held back to protect others. */
  readonly protectedSomebody: () => void
  readonly latencyTold: (news: LatencyNews, count: number) => void
  readonly took: (work: TimedWork, seconds: number) => void
  readonly published: (outcome: Outcome) => void
  readonly misaligned: (found: readonly Pick<Misalignment, 'kind'>[]) => void
  /** So many pods are enforced by their requests alone, since the kernel cannot be written. */
  readonly byRequests: (pods: number) => void
  /** Shows the pods of this clearing and forgets those that are gone. */
  readonly cleared: (plan: NodePlan) => void
}

export type PodSample = {
  /** Before smoothing. */
  readonly demandCores: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledSeconds: number
  /** For a CPU; looked at only while CPU is short. */
  readonly waitedSeconds: number
  /** Periods in which it ran above its quota on what it had saved. */
  readonly burstPeriods: number
}

export type PodJudged = {
  readonly isSuffering: boolean
  /** Of the fast lane, in seconds of the entitlement. */
  readonly credits: number
  /** In cpu.shares, as it was set. */
  readonly shares: number | undefined
  readonly p99Millis: number | undefined
}
export type TimedWork = 'clearing' | 'reading' | 'discovery'

/** A label has few values: the words with the numbers are for the log. */
export const dropReasons = [
  'counter_went_back',
  'too_soon',
  'too_late',
  'impossible_rate',
  'unreadable',
  'latency_stale',
  'latency_unusable',
] as const
export type DropReason = (typeof dropReasons)[number]

const modes = { uncongested: 0, congested: 1, overloaded: 2 }

export function agentMetrics(registry: Registry, node: string): AgentMetrics {
  const market = declareMarket(registry)
  const kernel = declareKernel(registry)
  const guardrail = declareGuardrail(registry)
  const timings = declareTimings(registry)
  const writes = registry.counter(
    'mbcas_allocation_writes_total',
    'Decisions by what became of them.',
    ['result'],
  )
  const misaligned = registry.gauge(
    'mbcas_misaligned_containers',
    'Containers whose CPUs or memory are not where they should be: CPUs over several NUMA nodes, memory away from them, cores shared.',
    ['kind'],
  )
  const traded = podsShown([...Object.values(market.ofPod), ...Object.values(guardrail.ofPod)])
  const present = podsShown(Object.values(kernel.ofPod))
  const dropped = (reason: DropReason, count = 1): void =>
    kernel.dropped.with({ reason }).inc(count)
  for (const reason of dropReasons) dropped(reason, 0) // a rate needs a start

  return {
    sampled: ({ containers, missing, dropped: reasons }) => {
      kernel.samples.with({ result: 'read' }).inc(containers - missing - reasons.length)
      kernel.samples.with({ result: 'missing' }).inc(missing)
      kernel.samples.with({ result: 'dropped' }).inc(reasons.length)
      for (const reason of reasons) dropped(reason)
    },
    measured: (pod, sample) => {
      const labels = present.show(pod)
      const { demandRaw, periods, throttledPeriods, throttledSeconds, waited, bursts } =
        kernel.ofPod
      demandRaw.with(labels).set(sample.demandCores)
      periods.with(labels).inc(sample.periods)
      throttledPeriods.with(labels).inc(sample.throttledPeriods)
      throttledSeconds.with(labels).inc(sample.throttledSeconds)
      waited.with(labels).inc(sample.waitedSeconds)
      bursts.with(labels).inc(sample.burstPeriods)
    },
    judged: (pod, { isSuffering, credits, shares, p99Millis }) => {
      const labels = traded.show(pod)
      const { suffering, lane, weight, p99 } = guardrail.ofPod
      suffering.with(labels).set(isSuffering ? 1 : 0)
      lane.with(labels).set(credits)
      if (shares === undefined) weight.remove(labels)
      else weight.with(labels).set(shares)
      if (p99Millis === undefined) p99.remove(labels)
      else p99.with(labels).set(p99Millis / 1000)
    },
    protectedSomebody: () => guardrail.triggers.inc(),
    latencyTold: (news, count) => {
      if (news === 'stale' || news === 'unusable') dropped(`latency_${news}`, count)
      else guardrail.queries.with({ result: news }).inc(count)
    },
    took: (work, seconds) => timings[work].observe(seconds),
    published: (outcome) => writes.with({ result: outcome }).inc(),
    misaligned: (found) => {
      for (const kind of misalignmentKinds) {
        misaligned.with({ kind }).set(found.filter((one) => one.kind === kind).length)
      }
    },
    byRequests: (pods) => guardrail.byRequests.set(pods),
    cleared: ({ mode, clearing, sold, decisions, unmanaged, nashProductLog }) => {
      market.mode.with({ node }).set(modes[mode])
      market.price.with({ node }).set(clearing.price ?? NaN)
      market.nashProduct.with({ node }).set(nashProductLog ?? NaN)
      market.iterations.set(iterationsOf(clearing))
      market.sold.with({ node }).set(sold)
      market.managed.with({ node }).set(decisions.length)
      const trading = decisions.map(({ pod }) => pod)
      traded.keepOnly(trading)
      present.keepOnly([...trading, ...unmanaged.map(({ pod }) => pod)])
      for (const { pod, need, given, entitled, shareRatio } of decisions) {
        const labels = traded.show(pod)
        market.ofPod.demand.with(labels).set(demandIn(pod))
        market.ofPod.allocation.with(labels).set(given)
        market.ofPod.entitled.with(labels).set(entitled)
        market.ofPod.share.with(labels).set(shareRatio)
        market.ofPod.utility.with(labels).set(need === 0 ? 1 : Math.min(1, given / need))
      }
    },
  }
}

/** Primal-dual counts its prices; the exact mechanisms take one pass, and enough for all takes none. */
const iterationsOf = ({ mode, iterations = 1 }: Clearing<Millicores>): number =>
  mode === 'uncongested' ? 0 : iterations

const ofNode = ['node'] as const
const ofPod = ['namespace', 'pod'] as const

function declareMarket({ gauge }: Registry) {
  return {
    mode: gauge(
      'mbcas_allocation_mode',
      '0 uncongested, 1 congested, 2 overloaded: the floors that owners set do not fit.',
      ofNode,
    ),
    price: gauge('mbcas_shadow_price_cpu', 'Price of a millicore.', ofNode),
    nashProduct: gauge(
      'mbcas_nash_product_log',
      'Sum over the bids of weight times the logarithm of what each gets above its floor.',
      ofNode,
    ),
    iterations: gauge(
      'mbcas_nash_solver_iterations',
      'Passes of the last clearing: 0 if all needs fit, 1 if it was exact.',
    ),
    sold: gauge('mbcas_capacity_milli', 'Millicores that the node sells.', ofNode),
    managed: gauge('mbcas_managed_pods', 'Pods that take part.', ofNode),
    ofPod: {
      demand: gauge('mbcas_demand_smoothed', 'Smoothed demand, in cores.', ofPod),
      allocation: gauge('mbcas_allocation_milli', 'What the market gave, in millicores.', ofPod),
      entitled: gauge('mbcas_entitled_milli', 'What it is entitled to, in millicores.', ofPod),
      share: gauge(
        'mbcas_full_node_share_ratio',
        'Its part of allocatable CPU while the node is full.',
        ofPod,
      ),
      utility: gauge('mbcas_utility', 'Satisfaction: given over need, at most 1.', ofPod),
    },
  }
}

function declareKernel({ counter, gauge }: Registry) {
  return {
    samples: counter('mbcas_samples_total', 'Samples of containers by result.', ['result']),
    dropped: counter('mbcas_dropped_samples_total', 'Samples that did not count, by reason.', [
      'reason',
    ]),
    ofPod: {
      demandRaw: gauge('mbcas_demand_raw', 'Demand of the last sample, in cores.', ofPod),
      periods: counter('mbcas_cpu_periods_total', 'Enforcement periods of CPU quota.', ofPod),
      throttledPeriods: counter(
        'mbcas_cpu_throttled_periods_total',
        'Enforcement periods in which the quota ran out.',
        ofPod,
      ),
      throttledSeconds: counter(
        'mbcas_cpu_throttled_seconds_total',
        'Time spent waiting for quota; every CPU that waits adds its own.',
        ofPod,
      ),
      waited: counter(
        'mbcas_cpu_waited_seconds_total',
        'Time in which its tasks could have run but waited for a CPU; counted while CPU is short.',
        ofPod,
      ),
      bursts: counter(
        'mbcas_cpu_burst_activations_total',
        'Enforcement periods above the quota, on what was saved before.',
        ofPod,
      ),
    },
  }
}

function declareGuardrail({ counter, gauge }: Registry) {
  return {
    triggers: counter(
      'mbcas_fast_guardrail_triggers_total',
      'Protection: pods that were held back so that others no longer suffer.',
    ),
    byRequests: gauge(
      'mbcas_pods_by_requests',
      'Pods that are enforced by their requests alone, since the kernel cannot be written.',
    ),
    queries: counter('mbcas_latency_queries_total', 'Questions to Prometheus by result.', [
      'result',
    ]),
    ofPod: {
      suffering: gauge(
        'mbcas_suffering',
        'Whether it is late, waits for a CPU or, of strict shares, is throttled: 0 or 1.',
        ofPod,
      ),
      lane: gauge(
        'mbcas_lane_credits_seconds',
        'Credits of the fast lane, in seconds of what it is entitled to (of a strict pod, with what is secured of its share); above 0 it goes first.',
        ofPod,
      ),
      weight: gauge('mbcas_weight_shares', 'Weight in the kernel, in cpu.shares.', ofPod),
      p99: gauge('mbcas_latency_p99_seconds', 'Last known p99 of the requests.', ofPod),
    },
  }
}

/** From what a small node takes to what nobody should see. */
const durations = { buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1] }

function declareTimings({
  histogram,
}: Registry): Record<TimedWork, { observe: (s: number) => void }> {
  return {
    clearing: histogram(
      'mbcas_allocation_compute_duration_seconds',
      'Time to decide, from bids to allocations.',
      durations,
    ),
    reading: histogram(
      'mbcas_cgroup_read_duration_seconds',
      'Time to read the counters of all containers once.',
      durations,
    ),
    discovery: histogram(
      'mbcas_pod_discovery_duration_seconds',
      'Time to find the pods of the node and what they ask for.',
      durations,
    ),
  }
}

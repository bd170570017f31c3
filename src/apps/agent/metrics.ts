/** The agent's metrics, declared once. Names are those of the first design where it has them. */
import type { NodePlan } from '../../core/bidding/plan.ts'
import type { Gauge, Labelled, Registry } from '../../runtime/metrics.ts'
import type { Outcome } from './publisher.ts'
import type { SampleCounts } from './sampler.ts'

export type AgentMetrics = {
  readonly sampled: (counts: SampleCounts) => void
  readonly published: (outcome: Outcome) => void
  /** Shows the pods of this clearing and no others. */
  readonly cleared: (plan: NodePlan) => void
}

const modes = { uncongested: 0, congested: 1, overloaded: 2 }

export function agentMetrics(registry: Registry, node: string): AgentMetrics {
  const ofNode = ['node'] as const
  const ofPod = ['namespace', 'pod'] as const
  const samples = registry.counter('mbcas_samples_total', 'Samples of containers by result.', [
    'result',
  ])
  const writes = registry.counter(
    'mbcas_allocation_writes_total',
    'Decisions by what became of them.',
    ['result'],
  )
  const mode = registry.gauge(
    'mbcas_allocation_mode',
    'How the market cleared: 0 uncongested, 1 congested, 2 overloaded.',
    ofNode,
  )
  const price = registry.gauge('mbcas_shadow_price_cpu', 'Price of a millicore.', ofNode)
  const sold = registry.gauge('mbcas_capacity_milli', 'Millicores that the node sells.', ofNode)
  const managed = registry.gauge('mbcas_managed_pods', 'Pods that take part.', ofNode)
  const pods = {
    demand: registry.gauge('mbcas_demand_smoothed', 'Smoothed demand, in cores.', ofPod),
    allocation: registry.gauge('mbcas_allocation_milli', 'Limit decided, in millicores.', ofPod),
  }
  let shown: readonly PodLabels[] = []

  return {
    sampled: ({ containers, missing, dropped }) => {
      samples.with({ result: 'read' }).inc(containers - missing - dropped)
      samples.with({ result: 'missing' }).inc(missing)
      samples.with({ result: 'dropped' }).inc(dropped)
    },
    published: (outcome) => writes.with({ result: outcome }).inc(),
    cleared: ({ clearing, sold: capacity, decisions }) => {
      mode.with({ node }).set(modes[clearing.mode])
      price.with({ node }).set(clearing.price ?? NaN)
      sold.with({ node }).set(capacity)
      managed.with({ node }).set(decisions.length)
      const now = decisions.map(({ pod, limit }) => {
        const labels = { namespace: pod.namespace, pod: pod.name }
        const demand = pod.containers.reduce((sum, { demandCores = 0 }) => sum + demandCores, 0)
        pods.demand.with(labels).set(demand)
        pods.allocation.with(labels).set(limit)
        return labels
      })
      forget(shown, now, Object.values(pods))
      shown = now
    },
  }
}

type PodLabels = { readonly namespace: string; readonly pod: string }

function forget(
  before: readonly PodLabels[],
  now: readonly PodLabels[],
  gauges: readonly Labelled<'namespace' | 'pod', Gauge>[],
): void {
  const keyOf = ({ namespace, pod }: PodLabels): string => `${namespace}/${pod}`
  const present = new Set(now.map(keyOf))
  for (const labels of before) {
    if (!present.has(keyOf(labels))) for (const gauge of gauges) gauge.remove(labels)
  }
}

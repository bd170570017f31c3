import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { planNode } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import { millicores } from '../../core/units.ts'
import { registry } from '../../runtime/metrics.ts'
import { agentMetrics } from './metrics.ts'

const podOf = (name: string, demandCores: number): NodePod => ({
  uid: name,
  namespace: 'shop',
  name,
  phase: 'running',
  qosClass: 'Burstable',
  priority: 0,
  isStatic: false,
  hasPodResources: false,
  wishes: { isOptedOut: false, minCpu: undefined, maxCpu: undefined, priorityMultiplier: 1 },
  containers: [
    {
      name: 'main',
      restartsOnResize: false,
      request: millicores(100),
      limit: millicores(500),
      usageCores: demandCores,
      demandCores,
    },
  ],
})
const sample = {
  demandCores: 0.75,
  periods: 10,
  throttledPeriods: 4,
  throttledSeconds: 0.25,
  waitedSeconds: 0.5,
  burstPeriods: 2,
}

function scene() {
  const metrics = registry()
  const lines = (part: string): string[] =>
    metrics
      .render()
      .split('\n')
      .filter((line) => !line.startsWith('#') && line.includes(part))
  return { ...agentMetrics(metrics, 'n1'), metrics, lines }
}

void describe("the agent's metrics", () => {
  void test('have every name of the first design, with its labels', () => {
    const { cleared, measured, protectedSomebody, took, metrics } = scene()
    cleared(planNode({ allocatable: millicores(1000) }, [podOf('web', 0.4)]))
    measured({ namespace: 'shop', name: 'web' }, sample)
    protectedSomebody()
    for (const work of ['clearing', 'reading', 'discovery'] as const) took(work, 0.002)
    const text = metrics.render()
    for (const name of [
      'mbcas_demand_raw{namespace="shop",pod="web"} ',
      'mbcas_demand_smoothed{namespace="shop",pod="web"} ',
      'mbcas_allocation_milli{namespace="shop",pod="web"} ',
      'mbcas_allocation_mode{node="n1"} ',
      'mbcas_allocation_compute_duration_seconds_count 1',
      'mbcas_cgroup_read_duration_seconds_count 1',
      'mbcas_pod_discovery_duration_seconds_count 1',
      'mbcas_nash_product_log{node="n1"} ',
      'mbcas_nash_solver_iterations ',
      'mbcas_shadow_price_cpu{node="n1"} ',
      'mbcas_utility{namespace="shop",pod="web"} ',
      'mbcas_fast_guardrail_triggers_total 1',
    ]) {
      assert.ok(text.includes(`\n${name}`), `${name} in\n${text}`)
    }
  })

  void test('add up what the kernel counted for a pod', () => {
    const { measured, lines } = scene()
    measured({ namespace: 'shop', name: 'web' }, sample)
    measured({ namespace: 'shop', name: 'web' }, { ...sample, demandCores: 0.5 })
    assert.deepEqual(lines('pod="web"'), [
      'mbcas_demand_raw{namespace="shop",pod="web"} 0.5',
      'mbcas_cpu_periods_total{namespace="shop",pod="web"} 20',
      'mbcas_cpu_throttled_periods_total{namespace="shop",pod="web"} 8',
      'mbcas_cpu_throttled_seconds_total{namespace="shop",pod="web"} 0.5',
      'mbcas_cpu_waited_seconds_total{namespace="shop",pod="web"} 1',
      'mbcas_cpu_burst_activations_total{namespace="shop",pod="web"} 4',
    ])
  })

  void test('tell the market: mode, price and how satisfied each pod is', () => {
    const { cleared, lines } = scene()
    cleared(planNode({ allocatable: millicores(1000) }, [podOf('web', 0.3), podOf('api', 9)]))
    assert.deepEqual(lines('mbcas_allocation_mode'), ['mbcas_allocation_mode{node="n1"} 1'])
    const [api, web] = lines('mbcas_utility').map((line) => Number(line.split(' ')[1]))
    assert.equal(web, 1)
    assert.ok(api !== undefined && api > 0 && api < 1, String(api))
    assert.deepEqual(lines('iterations'), ['mbcas_nash_solver_iterations 1'])
    cleared(planNode({ allocatable: millicores(1000) }, [podOf('web', 0.1)]))
    assert.deepEqual(lines('iterations'), ['mbcas_nash_solver_iterations 0'])
  })

  void test('forget a pod that is gone, and keep one that only left the market', () => {
    const { cleared, measured, judged, lines } = scene()
    const pods = [podOf('web', 0.4), podOf('api', 0.4)]
    const clear = (...some: NodePod[]): void =>
      cleared(planNode({ allocatable: millicores(2000) }, some))
    for (const pod of pods) {
      measured(pod, sample)
      judged(pod, { isSuffering: true, credits: 1, shares: 2048, p99Millis: 120 })
    }
    clear(...pods)
    assert.equal(lines('pod="api"').length, 15)
    const [web, api] = pods
    assert.ok(web !== undefined && api !== undefined)
    clear(web, { ...api, wishes: { ...api.wishes, isOptedOut: true } })
    assert.equal(lines('pod="api"').length, 6, 'what the kernel counts')
    assert.deepEqual(lines('mbcas_suffering{namespace="shop",pod="api"}'), [])
    clear(web)
    assert.deepEqual(lines('pod="api"'), [])
    assert.equal(lines('pod="web"').length, 15)
  })

  void test('show how a pod does, and weight and latency only while they are known', () => {
    const { judged, lines } = scene()
    const web = { namespace: 'shop', name: 'web' }
    judged(web, { isSuffering: true, credits: -0.5, shares: 2048, p99Millis: 120 })
    assert.deepEqual(lines('pod="web"'), [
      'mbcas_suffering{namespace="shop",pod="web"} 1',
      'mbcas_lane_credits_seconds{namespace="shop",pod="web"} -0.5',
      'mbcas_weight_shares{namespace="shop",pod="web"} 2048',
      'mbcas_latency_p99_seconds{namespace="shop",pod="web"} 0.12',
    ])
    judged(web, { isSuffering: false, credits: 2, shares: undefined, p99Millis: undefined })
    assert.deepEqual(lines('pod="web"'), [
      'mbcas_suffering{namespace="shop",pod="web"} 0',
      'mbcas_lane_credits_seconds{namespace="shop",pod="web"} 2',
    ])
  })

  void test('count dropped samples by reason, each from 0', () => {
    const { sampled, latencyTold, lines } = scene()
    sampled({ containers: 3, missing: 1, dropped: ['counter_went_back'] })
    latencyTold('stale', 3)
    latencyTold('failed', 1)
    assert.deepEqual(lines('mbcas_dropped_samples_total'), [
      'mbcas_dropped_samples_total{reason="counter_went_back"} 1',
      'mbcas_dropped_samples_total{reason="too_soon"} 0',
      'mbcas_dropped_samples_total{reason="too_late"} 0',
      'mbcas_dropped_samples_total{reason="impossible_rate"} 0',
      'mbcas_dropped_samples_total{reason="unreadable"} 0',
      'mbcas_dropped_samples_total{reason="latency_stale"} 3',
      'mbcas_dropped_samples_total{reason="latency_unusable"} 0',
    ])
    assert.deepEqual(lines('queries'), ['mbcas_latency_queries_total{result="failed"} 1'])
  })
})

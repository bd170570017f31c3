/** What holds of every node whose shares are enforced by kernel weights. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, container, pod, wanting } from '../../../test/node-pods.ts'
import { mechanismNames } from '../market/mechanism-names.ts'
import { millicores } from '../units.ts'
import { ceilingByHandOf } from './bid-of-pod.ts'
import { type Decision, type NodePlan, planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import { leastPromiseOf } from './promise.ts'
import { biddingRules } from './rules.ts'
import { requestedBy } from './weights.ts'

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

const anyAmount = fc.nat(32_000).map(millicores)
const anyRules = fc
  .record({
    mechanism: fc.constantFrom(...mechanismNames),
    respondsToPrice: fc.boolean(),
    isCostMode: fc.boolean(),
  })
  .map((rules) => Object.assign({}, biddingRules, rules))

/** Strict ones among them too: a law of elastic pods holds whoever is beside them. */
const anyNode = fc.record({
  allocatable: anyAmount,
  pods: anyPods,
  rules: anyRules,
})
const elasticOnly = (pods: readonly NodePod[]): NodePod[] =>
  pods.map((one) => ({ ...one, enforcement: 'elastic' }))

const elasticIn = ({ decisions }: NodePlan): Decision[] =>
  decisions.filter(({ enforcement }) => enforcement === 'elastic')

/** Of a container: a note that a LimitRange forbids counts only as far as that lets it. */
function ownLimit({ containers, range }: NodePod, name: string): number | undefined {
  const { limit, firstLimit = limit } = containers.find((one) => one.name === name) ?? {}
  if (limit === undefined || firstLimit === undefined) return undefined
  return firstLimit <= limit
    ? firstLimit
    : Math.max(limit, Math.min(firstLimit, range?.container ?? Infinity))
}

void describe('what a pod is entitled to', () => {
  void test('is given to every pod that needs it, whoever else bids for whatever', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        for (const { need, entitled, given } of elasticIn(planNode({ allocatable }, pods, rules))) {
          assert.ok(given >= Math.min(need, entitled))
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('is together no more than there is', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { sold, decisions } = planNode({ allocatable }, pods, rules)
        assert.ok(sum(decisions.map(({ entitled }) => entitled)) <= sold)
        assert.ok(sum(decisions.map(({ given }) => given)) <= sold)
        assert.ok(sum(decisions.map(({ shareRatio }) => shareRatio)) <= 1 + 1e-9)
      }),
      { numRuns: 500 },
    )
  })

  void test('is what it requested, where all requests fit, less only by its own words', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const plan = planNode({ allocatable }, pods, rules)
        const { decisions, sold } = plan
        const most = decisions.map(({ pod }) => Math.max(requestedBy(pod), pod.maxMinCpu ?? 0))
        if (sum(most) > sold) return
        for (const { pod, entitled } of elasticIn(plan)) {
          const own = Math.min(
            pod.wishes.minCpu ?? Infinity,
            pod.wishes.maxCpu ?? Infinity,
            ceilingByHandOf(pod) ?? Infinity,
          )
          assert.ok(entitled >= Math.min(requestedBy(pod), own))
        }
      }),
      { numRuns: 500 },
    )
  })

  void test('is bounded by max-cpu, and so are floor, amount and promise', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        for (const { pod, bid, entitled, given, promise } of elasticIn(
          planNode({ allocatable }, pods, rules),
        )) {
          const { maxCpu = Infinity } = pod.wishes
          for (const amount of [bid.floor, bid.ceiling, entitled, given, promise]) {
            assert.ok(amount <= maxCpu)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  void test('by min-cpu above the request is the request, without an administrator', () => {
    fc.assert(
      fc.property(anyNode, fc.nat(4000), ({ allocatable, pods, rules }, more) => {
        const asking = (beyond: number) =>
          pods.map((one): NodePod => {
            const minCpu = millicores(requestedBy(one) + beyond)
            return { ...one, maxMinCpu: undefined, wishes: { ...one.wishes, minCpu } }
          })
        const amounts = (plan: NodePlan) =>
          plan.decisions.map(({ pod, bid, entitled, given, request, limit }) => {
            return [pod.uid, bid, entitled, given, request, limit]
          })
        const plan = planNode({ allocatable }, asking(more), rules)
        assert.deepEqual(amounts(plan), amounts(planNode({ allocatable }, asking(0), rules)))
        for (const { notes } of plan.decisions) {
          assert.equal(
            notes.some((note) => /^min-cpu .* that it requested: /.test(note)),
            more > 0,
          )
        }
      }),
    )
  })
})

void describe('limit and request of an elastic pod', () => {
  void test('limits are as written, or as noted, and raised no further than requests need', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        for (const { pod, containers } of elasticIn(planNode({ allocatable }, pods, rules))) {
          for (const { name, request, limit } of containers) {
            const own = ownLimit(pod, name)
            assert.equal(limit === undefined, own === undefined)
            if (limit === undefined || own === undefined) continue
            assert.ok(limit >= own)
            assert.ok(limit === own || 0.95 * (limit - 2) < request)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('raised limits keep to LimitRanges and max-cpu, but for the least that is promised', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        for (const { pod, containers } of elasticIn(planNode({ allocatable }, pods, rules))) {
          const { container: most = Infinity, least = 1 } = pod.range ?? {}
          const kept = containers.map(({ name, limit }) => {
            return limit === undefined
              ? 0
              : Math.max(ownLimit(pod, name) ?? 0, Math.ceil(least / 0.95))
          })
          for (const [i, { limit = 0 }] of containers.entries()) {
            assert.ok(limit <= Math.max(most, kept[i] ?? 0))
          }
          const together = sum(containers.map(({ limit = 0 }) => limit))
          assert.ok(together <= Math.max(sum(kept), ceilingByHandOf(pod) ?? Infinity))
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('the limit is never below the request, nor the request above what is promised', () => {
    fc.assert(
      fc.property(anyNode, fc.boolean(), ({ allocatable, pods, rules }, isByRequests) => {
        const plan = planNode({ allocatable, isByRequests }, pods, rules)
        for (const { pod, entitled, given, promise, request, limit } of elasticIn(plan)) {
          assert.ok(limit >= request)
          const own = Math.max(entitled, leastPromiseOf(pod, entitled, rules))
          const isMore = pod.isShort === true || isByRequests
          assert.ok(promise <= Math.max(own, isMore ? given : 0))
          // A LimitRange may want more for each container; and 1m is the least.
          const { least = 0, limitRatio } = pod.range ?? {}
          if (limitRatio === undefined) {
            assert.ok(request <= promise + pod.containers.length * Math.max(1, least))
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('mode and price of the market do not show in them', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const plain = elasticOnly(pods).map((one): NodePod => {
          return Object.assign({}, one, { isShort: false, usual: one.usual ?? millicores(100) })
        })
        const amounts = (plan: NodePlan) =>
          elasticIn(plan).map(({ pod, request, containers }) => {
            return [pod.uid, request, containers.map(({ limit }) => limit)]
          })
        const now = planNode({ allocatable }, plain, rules)
        const idle = planNode({ allocatable, hasIdleCpu: true }, plain, rules)
        assert.deepEqual(amounts(now), amounts(idle))
      }),
    )
  })
})

void describe('a node with idle CPU', () => {
  void test('is uncongested and costs nothing, whatever was remembered of demand', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const capacity = { allocatable, hasIdleCpu: true }
        const plan = planNode(capacity, elasticOnly(pods), { ...rules, skipsGuaranteed: true })
        const { clearing, sold, decisions } = plan
        if (decisions.some(({ enforcement }) => enforcement === 'strict')) return
        const used = decisions.flatMap(({ pod }) =>
          pod.containers.map((one) => one.usageCores ?? 0),
        )
        if (sum(used) * 1000 + decisions.length > sold) return
        assert.deepEqual([clearing.mode, clearing.price], ['uncongested', 0])
        for (const { given, need } of decisions) assert.equal(given, need)
      }),
      { numRuns: 1000 },
    )
  })

  each(
    [
      { name: '110 pods of 10m', count: 110, request: 10 },
      { name: '90 pods of 20m', count: 90, request: 20 },
      { name: '40 pods of 1m', count: 40, request: 1 },
      { name: 'one pod of 4 CPUs', count: 1, request: 4000 },
    ],
    ({ count, request }) => {
      const pods = Array.from({ length: count }, (_, i) =>
        pod({
          name: `p${i}`,
          containers: [
            container({
              request: millicores(request),
              limit: millicores(8000),
              demandCores: 0.8 / count,
            }),
          ],
        }),
      )
      const { clearing, decisions } = planNode({ allocatable: millicores(4000) }, pods)
      assert.deepEqual([clearing.mode, clearing.price], ['uncongested', 0])
      assert.equal(decisions.length, count)
      for (const { given, limit, request: promised } of decisions) {
        assert.equal(given, Math.ceil(800 / count - 1e-6))
        assert.equal(limit, 8000)
        assert.ok(promised <= Math.max(request, 2))
      }
    },
  )
})

void describe('many pods instead of one', () => {
  const split = fc.record({
    allocatable: fc.integer({ min: 500, max: 16_000 }).map(millicores),
    /** Of each of ten. */
    request: fc.integer({ min: 2, max: 400 }),
    demandCores: fc.double({ min: 0, max: 1, noNaN: true }),
    namespace: fc.constantFrom('default', 'other'),
    mechanism: fc.constantFrom(...mechanismNames),
    neighbours: fc.array(
      fc.record({
        request: fc.integer({ min: 2, max: 2000 }),
        demandCores: fc.double({ min: 0, max: 8, noNaN: true }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })

  void test('get together what one of the same total request would', () => {
    fc.assert(
      fc.property(split, ({ allocatable, request, demandCores, namespace, ...rest }) => {
        const beside = rest.neighbours.map((one, i) => {
          const asked = { request: millicores(one.request), demandCores: one.demandCores }
          return pod({ name: `n${i}`, containers: [container(asked)] })
        })
        const given = (count: number) => {
          const asked = {
            request: millicores((request * 10) / count),
            demandCores: (demandCores * 10) / count,
          }
          const pods = Array.from({ length: count }, (_, i) =>
            pod({ name: `own${i}`, namespace, containers: [container(asked)] }),
          )
          const rules = { ...biddingRules, mechanism: rest.mechanism }
          const { decisions } = planNode({ allocatable }, [...beside, ...pods], rules)
          const own = decisions.filter(({ pod }) => pod.name.startsWith('own'))
          return {
            given: sum(own.map((one) => one.given)),
            entitled: sum(own.map((one) => one.entitled)),
          }
        }
        const [ten, one] = [given(10), given(1)]
        // Each of ten is rounded up or down once in its need, its entitlement and its share.
        assert.ok(ten.given <= one.given + 30, `${ten.given} instead of ${one.given}`)
        // By claims, small ones get less than their sum would.
        if (rest.mechanism === 'kalai-smorodinsky') return
        assert.ok(ten.given >= one.given - 30, `${ten.given} instead of ${one.given}`)
        assert.ok(Math.abs(ten.entitled - one.entitled) <= 10)
      }),
      { numRuns: 500 },
    )
  })

  void test('take nothing that a neighbour requested, however many they are and whatever they want', () => {
    const few = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(few, fc.integer({ min: 10, max: 3000 }), (count, request) => {
        const greedy = Array.from({ length: count }, (_, i) =>
          wanting(`greedy${i}`, 8, {
            priority: 1e6,
            namespace: 'greedy',
            readyCores: 16,
            wishes: { priorityMultiplier: 10, minCpu: millicores(4000) },
          }),
        )
        const containers = [container({ request: millicores(request), demandCores: 3 })]
        const victim = pod({ name: 'victim', namespace: 'shop', containers })
        const { decisions } = planNode({ allocatable: millicores(4000) }, [...greedy, victim])
        const its = decisions.find(({ pod }) => pod.name === 'victim')
        const whole = Math.min(1, 4000 / (request + count * 100))
        assert.ok(its !== undefined && its.given >= Math.floor(request * whole) - 1)
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { anyPods, container } from '../../../test/node-pods.ts'
import { mechanismNames } from '../market/mechanism-names.ts'
import { millicores } from '../units.ts'
import { shareOverContainers } from './container-shares.ts'
import { planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'
import { ownCpusOf, promisedTo } from './unmanaged.ts'

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

const anyRules: fc.Arbitrary<BiddingRules> = fc.record({
  reserveRatio: fc.constantFrom(0, 0.1, 0.3),
  floor: fc.constantFrom(10, 100, 250).map(millicores),
  headroomRatio: fc.constantFrom(0, 0.05, 0.15),
  isCostMode: fc.boolean(),
  respondsToPrice: fc.boolean(),
  mechanism: fc.constantFrom(...mechanismNames),
  skipsGuaranteed: fc.boolean(),
})

const anyNode = fc.record({
  allocatable: fc.nat(32_000).map(millicores),
  pods: anyPods,
  rules: anyRules,
})

void describe('laws of the plan, in every mode and by all rules', () => {
  void test('limits fit into what is sold, and all requests into allocatable', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { sold, reserve, held, decisions, unmanaged } = planNode({ allocatable }, pods, rules)
        assert.equal(sold, Math.max(0, allocatable - reserve - held))
        assert.ok(sum(decisions.map(({ limit }) => limit)) <= sold)
        const others = unmanaged.flatMap(({ pod }) =>
          pod.phase === 'finished' ? [] : pod.containers.map(({ request = 0 }) => request),
        )
        const promised = sum(decisions.map(({ request }) => request))
        assert.ok(promised === 0 || promised + sum(others) <= allocatable)
      }),
      { numRuns: 1000 },
    )
  })

  void test('what is sold, the shared CPUs can run beside those that take no part', () => {
    const anyPool = fc.nat(32_000).map(millicores)
    fc.assert(
      fc.property(anyNode, anyPool, ({ allocatable, pods, rules }, pool) => {
        const { sold, reserve, held, unmanaged } = planNode({ allocatable, pool }, pods, rules)
        const inPool = sum(unmanaged.map(({ pod }) => promisedTo(pod) - ownCpusOf(pod)))
        assert.ok(sold <= Math.max(0, pool - inPool))
        assert.equal(sold, Math.max(0, allocatable - reserve - held))
        assert.ok(sold <= planNode({ allocatable }, pods, rules).sold)
      }),
      { numRuns: 1000 },
    )
  })

  void test('every pod is decided on or left alone, once, with a reason', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { decisions, unmanaged } = planNode({ allocatable }, pods, rules)
        const uids = [...decisions, ...unmanaged].map(({ pod }) => pod.uid)
        assert.deepEqual(uids.toSorted(), pods.map(({ uid }) => uid).toSorted())
        for (const { reason } of [...decisions, ...unmanaged]) assert.ok(reason.length > 5)
        for (const { held } of unmanaged) assert.ok(held >= 0)
      }),
    )
  })

  void test('QoS stays: below the limit, or equal to it; nobody gets a first limit or request', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        for (const { pod, containers, ...all } of planNode({ allocatable }, pods, rules)
          .decisions) {
          assert.notEqual(pod.qosClass, 'BestEffort')
          for (const { name, request, limit } of containers) {
            const before = pod.containers.find((container) => container.name === name)
            assert.ok(before?.request !== undefined || before?.limit !== undefined)
            assert.equal(limit === undefined, before.limit === undefined)
            assert.ok(Number.isSafeInteger(request) && request >= 1)
            if (limit === undefined) continue
            assert.ok(Number.isSafeInteger(limit) && limit >= 10)
            if (pod.qosClass === 'Guaranteed') assert.equal(request, limit)
            else assert.ok(request < limit)
          }
          assert.equal(sum(containers.map(({ request }) => request)), all.request)
          const limits = containers.map(({ limit }) => limit ?? 0)
          const isLimited = pod.containers.every(({ limit }) => limit !== undefined)
          assert.ok(isLimited ? sum(limits) === all.limit : sum(limits) < all.limit)
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('floors are kept unless they do not fit, ceilings and LimitRanges always', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { decisions } = planNode({ allocatable }, pods, rules)
        const isShared = new Set(decisions.map(({ pod }) => pod.namespace)).size > 1
        for (const { pod, bid, limit, mode, containers } of decisions) {
          const { floor, ceiling } = bid
          // The floors of a namespace may not fit into its share, though those of all fit.
          assert.ok(mode === 'overloaded' || isShared || limit >= floor)
          assert.ok(limit <= ceiling)
          assert.ok(limit <= (pod.bound?.limit ?? Infinity))
          const { container: most = Infinity, least = 0, limitRatio = Infinity } = pod.range ?? {}
          for (const { request, limit = request } of containers) {
            assert.ok(limit <= Math.max(10, most))
            assert.ok(request >= least)
            assert.ok(limit <= limitRatio * request)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('more weight never gets less', () => {
    fc.assert(
      fc.property(anyNode, fc.nat(), ({ allocatable, pods, rules }, any) => {
        // The members of a coalition share by claims, not by weight.
        const single = pods.filter(({ wishes }) => wishes.coalition === undefined)
        const plan = (pods: readonly NodePod[]) =>
          planNode({ allocatable }, pods, { ...rules, respondsToPrice: false })
        const { decisions, sold } = plan(single)
        const chosen = decisions[any % Math.max(1, decisions.length)]
        if (chosen === undefined) return
        const { wishes, uid } = chosen.pod
        const priorityMultiplier = Math.min(10, wishes.priorityMultiplier * 2)
        const heavier = { ...chosen.pod, wishes: { ...wishes, priorityMultiplier } }
        const after = plan(single.map((pod) => (pod.uid === uid ? heavier : pod)))
        // Others may be left with too little to enforce: then they keep what they have, and more is held.
        if (after.sold < sold) return
        const same = after.decisions.find(({ pod }) => pod.uid === uid)
        assert.ok(same !== undefined && same.limit >= chosen.limit)
      }),
      { numRuns: 500 },
    )
  })

  void test('the order of the pods does not matter', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const plan = planNode({ allocatable }, pods, rules)
        assert.deepEqual(planNode({ allocatable }, pods.toReversed(), rules), plan)
      }),
    )
  })
})

void describe('sharing over containers', () => {
  const share = { need: millicores(1150), limit: millicores(1150), requestRatio: 0.75 }

  void test('an idle container beside a busy one keeps enough to wake up', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const [first, second] = shareOverContainers([busy, idle], share)
    assert.deepEqual([first?.limit, second?.limit], [1089, 61])
  })

  void test('what a LimitRange does not let one have goes to the others', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const capped = { ...share, range: { container: millicores(700) } }
    const [first, second] = shareOverContainers([busy, idle], capped)
    assert.deepEqual([first?.limit, second?.limit], [700, 450])
  })

  void test('an idle container is promised what a LimitRange wants', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const shares = shareOverContainers([busy, idle], { ...share, range: { least: millicores(90) } })
    const amounts = shares.map(({ request, limit }) => [request, limit])
    assert.deepEqual(amounts, [
      [741, 989],
      [90, 161],
    ])
  })

  void test('without a limit only the request moves, without a request nothing does', () => {
    const free = container({ demandCores: 1, limit: undefined })
    const bare = container({ name: 'bare', request: undefined, limit: undefined, demandCores: 1 })
    const shares = shareOverContainers([free, bare], share)
    assert.deepEqual(shares, [{ name: 'app', request: 575, limit: undefined }])
  })
})

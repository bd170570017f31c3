import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { anyPods } from '../../../test/node-pods.ts'
import { mechanismNames } from '../market/mechanism-names.ts'
import { millicores } from '../units.ts'
import { type Decision, planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'
import { ownCpusOf, promisedTo } from './unmanaged.ts'

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

const rulesOf = (enforcement: fc.Arbitrary<BiddingRules['enforcement']>) =>
  fc.record<BiddingRules>({
    enforcement,
    reserveRatio: fc.constantFrom(0, 0.1, 0.3),
    floor: fc.constantFrom(10, 100, 250).map(millicores),
    headroomRatio: fc.constantFrom(0, 0.05, 0.15),
    isCostMode: fc.boolean(),
    respondsToPrice: fc.boolean(),
    mechanism: fc.constantFrom(...mechanismNames),
    skipsGuaranteed: fc.boolean(),
  })

const nodeOf = (rules: fc.Arbitrary<BiddingRules>) =>
  fc.record({ allocatable: fc.nat(32_000).map(millicores), pods: anyPods, rules })

/** Strict and elastic pods side by side, whatever is the default. */
const anyNode = nodeOf(rulesOf(fc.constantFrom('elastic', 'strict')))

const isStrict = ({ enforcement }: Decision): boolean => enforcement === 'strict'

void describe('laws of the plan, in every mode and by all rules', () => {
  void test('strict limits fit into what is sold, beside what others are given', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { sold, reserve, held, decisions } = planNode({ allocatable }, pods, rules)
        assert.equal(sold, Math.max(0, allocatable - reserve - held))
        const shares = decisions.map((one) => (isStrict(one) ? one.limit : one.given))
        assert.ok(sum(shares) <= sold)
      }),
      { numRuns: 1000 },
    )
  })

  void test('requests of all together fit into allocatable, but for LimitRanges', () => {
    fc.assert(
      fc.property(anyNode, fc.boolean(), ({ allocatable, pods, rules }, isByRequests) => {
        const plain = pods.map((pod): NodePod => Object.assign({}, pod, { range: undefined }))
        const { decisions, unmanaged } = planNode({ allocatable, isByRequests }, plain, rules)
        const others = sum(unmanaged.map(({ pod }) => promisedTo(pod)))
        // A Guaranteed pod requests all that it is given, also what others leave only now.
        const lent = decisions.map(({ pod, request, entitled }) =>
          pod.qosClass === 'Guaranteed' ? request - entitled : 0,
        )
        // What is left to promise may be less than 1m for each container, which is the least.
        const least = sum(decisions.map(({ containers }) => containers.length))
        const promised = sum(decisions.map(({ request }) => request)) - sum(lent)
        assert.ok(promised <= least || promised + others <= allocatable + least)
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
        for (const decision of planNode({ allocatable }, pods, rules).decisions) {
          const { pod, containers, ...all } = decision
          const { limitRatio = Infinity } = pod.range ?? {}
          assert.notEqual(pod.qosClass, 'BestEffort')
          for (const { name, request, limit } of containers) {
            const before = pod.containers.find((container) => container.name === name)
            assert.ok(before?.request !== undefined || before?.limit !== undefined)
            assert.equal(limit === undefined, before.limit === undefined)
            assert.ok(Number.isSafeInteger(request) && request >= 1)
            if (limit === undefined) continue
            assert.ok(Number.isSafeInteger(limit) && limit >= (isStrict(decision) ? 10 : 2))
            if (pod.qosClass === 'Guaranteed') assert.equal(request, limit)
            // Of a limit below 6m, a request within a ratio of 1.2 is all.
            else assert.ok(request < limit || Math.ceil(limit / limitRatio) === limit)
          }
          assert.equal(sum(containers.map(({ request }) => request)), all.request)
          const limits = sum(containers.map(({ limit }) => limit ?? 0))
          const isLimited = pod.containers.every(({ limit }) => limit !== undefined)
          assert.ok(isLimited ? limits === all.limit : limits <= all.limit)
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('floors are kept, and no ceiling or LimitRange is exceeded', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { decisions } = planNode({ allocatable }, pods, rules)
        for (const decision of decisions) {
          const { pod, bid, given, limit, containers } = decision
          assert.ok(given >= bid.floor && given <= bid.ceiling)
          if (isStrict(decision)) {
            assert.ok(limit >= given && limit <= bid.ceiling)
            assert.ok(limit <= (pod.bound?.limit ?? Infinity))
          }
          const { container: most = Infinity, least = 0, limitRatio = Infinity } = pod.range ?? {}
          for (const { name, request, limit = request } of containers) {
            // A limit above the most that its owner wrote is not ours.
            const own = pod.containers.find((container) => container.name === name)?.limit ?? 0
            const written = isStrict(decision) ? 0 : own
            assert.ok(limit <= Math.max(10, most, Math.ceil(least / 0.75), written))
            assert.ok(request >= least)
            assert.ok(limit <= limitRatio * request)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('floors of bids never exceed what is sold', () => {
    fc.assert(
      fc.property(anyNode, ({ allocatable, pods, rules }) => {
        const { sold, clearing, decisions } = planNode({ allocatable }, pods, rules)
        assert.ok(sum(decisions.map(({ bid }) => bid.floor)) <= sold)
        assert.notEqual(clearing.mode, 'overloaded')
      }),
      { numRuns: 500 },
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
        assert.ok(same !== undefined && same.given >= chosen.given)
        if (isStrict(chosen)) assert.ok(same.limit >= chosen.limit)
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

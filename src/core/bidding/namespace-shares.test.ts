import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, container, pod } from '../../../test/node-pods.ts'
import { enforcements } from '../enforcement/enforcements.ts'
import { mechanismNames } from '../market/mechanism-names.ts'
import { millicores } from '../units.ts'
import { guaranteeShares, sharesOf } from './namespace-shares.ts'
import { planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import { biddingRules } from './rules.ts'
import { promisedTo } from './unmanaged.ts'
import { requestedBy } from './weights.ts'

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

const bidder = (namespace: string, floor: number, need: number, weight: number) => {
  const amounts = { floor: millicores(floor), need: millicores(need), ceiling: millicores(9000) }
  return { namespace, bid: { id: namespace, weight, ...amounts } }
}

void describe('the share of a namespace', () => {
  const sold = millicores(3600)

  each(
    [
      {
        name: 'is by weight',
        all: [bidder('greedy', 0, 4000, 1), bidder('shop', 0, 5000, 2)],
        gives: { greedy: 1200, shop: 2400 },
      },
      {
        name: 'is not taken by floors of another: they count within its own share',
        all: [bidder('greedy', 1500, 4000, 2), bidder('shop', 100, 5000, 2)],
        gives: { greedy: 1800, shop: 1800 },
      },
      {
        name: 'is at least the floors of a namespace, which its pods are entitled to',
        all: [bidder('greedy', 2000, 4000, 2), bidder('shop', 100, 5000, 2)],
        gives: { greedy: 2000, shop: 1600 },
      },
      {
        name: 'who bears the floors of one may need its own floors then',
        all: [bidder('a', 2600, 4000, 2), bidder('b', 900, 5000, 2), bidder('c', 10, 5000, 2)],
        gives: { a: 2600, b: 900, c: 100 },
      },
      { name: 'of nobody is none', all: [], gives: {} },
    ],
    ({ all, gives }) => assert.deepEqual(Object.fromEntries(sharesOf(sold, all)), gives),
  )

  void test('shares come to all that is sold, none below its floors', () => {
    const amount = fc.nat(1000)
    const one = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      amount,
      amount,
      fc.integer({ min: 1, max: 50 }),
    )
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), amount, (given, more) => {
        const all = given.map(([namespace, floor, need, weight], i) => {
          const { bid } = bidder(namespace, floor, need, weight)
          return { namespace, bid: { ...bid, id: `b${i}` } }
        })
        const capacity = millicores(sum(given.map(([, floor]) => floor)) + more)
        const shares = sharesOf(capacity, all)
        assert.equal(sum([...shares.values()]), capacity)
        for (const [namespace, share] of shares) {
          const floors = all
            .filter((one) => one.namespace === namespace)
            .map(({ bid }) => bid.floor)
          assert.ok(share >= sum(floors))
        }
      }),
    )
  })

  void test('holds no more than it needs', () => {
    const all = [bidder('greedy', 50, 4000, 0.1), bidder('shop', 100, 3000, 2)]
    assert.deepEqual(
      guaranteeShares(sold, all).map(({ floor }) => floor),
      [171, 3000],
    )
  })

  void test('is not counted where all needs fit, or there is one namespace', () => {
    const fitting = [bidder('a', 50, 400, 0.1), bidder('b', 100, 3000, 2)]
    assert.deepEqual(
      guaranteeShares(sold, fitting),
      fitting.map(({ bid }) => bid),
    )
    const alone = [bidder('a', 50, 4000, 0.1)]
    assert.deepEqual(
      guaranteeShares(sold, alone),
      alone.map(({ bid }) => bid),
    )
  })
})

/** Everything that an owner may write, for pods that ask for all they can get. */
const greedyPods = fc
  .array(
    fc.record({
      request: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      minCpu: fc.option(fc.integer({ min: 1, max: 64_000 }), { nil: undefined }),
      priorityMultiplier: fc.double({ min: 0.1, max: 10, noNaN: true }),
      priority: fc.integer({ min: -1e6, max: 1e9 }),
      coalition: fc.constantFrom(undefined, 'x'),
      isOptedOut: fc.boolean(),
      readyCores: fc.constantFrom(undefined, 64),
      enforcement: fc.constantFrom(undefined, 'strict' as const),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ request, minCpu, readyCores, enforcement, priority, ...wishes }, i): NodePod => {
      const asked = request === undefined ? undefined : millicores(request)
      return pod({
        name: `greedy-${i}`,
        namespace: 'greedy',
        priority,
        readyCores,
        enforcement,
        containers: [
          container({ request: asked, limit: millicores(4000), demandCores: 8, usageCores: 4 }),
        ],
        wishes: { ...wishes, minCpu: minCpu === undefined ? undefined : millicores(minCpu) },
      })
    }),
  )

void describe('a greedy namespace', () => {
  const node = fc.record({
    allocatable: fc.integer({ min: 1000, max: 32_000 }).map(millicores),
    request: fc.integer({ min: 10, max: 4000 }).map(millicores),
    demandCores: fc.double({ min: 0, max: 8, noNaN: true }),
    mechanism: fc.constantFrom(...mechanismNames),
    enforcement: fc.constantFrom(...enforcements),
  })

  void test('pushes no other below its need or its share by requests, whatever it writes', () => {
    fc.assert(
      fc.property(node, greedyPods, ({ allocatable, request, demandCores, ...rest }, greedy) => {
        const limit = millicores(32_000)
        const containers = [container({ request, limit, demandCores, usageCores: 0 })]
        const victim = pod({ name: 'victim', namespace: 'shop', containers })
        const plan = planNode({ allocatable }, [victim, ...greedy], { ...biddingRules, ...rest })
        const { sold, reserve, decisions, unmanaged } = plan
        const its = decisions.find(({ pod }) => pod.name === 'victim')
        const managed = decisions.map(({ pod }) => pod)
        const requested = sum((its === undefined ? [victim, ...managed] : managed).map(requestedBy))
        // Who stays out has what it requested, and takes no more from what others did.
        const promisedOut = sum(unmanaged.map(({ pod }) => promisedTo(pod)))
        assert.ok(sold >= Math.min(requested, allocatable - reserve - promisedOut))
        const share = (sold * request) / requested
        // Strict, less than the kernel can enforce is given to nobody: it keeps what it has.
        if (its === undefined) {
          return assert.ok(rest.enforcement === 'strict' && (share < 12 || sold < 12))
        }
        const least = Math.min(its.need, Math.floor(share) - 2)
        assert.ok(its.given >= least, `${its.given} of ${least}, ${sold}`)
      }),
      { numRuns: 1000 },
    )
  })

  void test('and among many pods of many namespaces each has its share, where nobody waives any', () => {
    const size = fc.integer({ min: 500, max: 16_000 }).map(millicores)
    const enforcement = fc.constantFrom(...enforcements)
    fc.assert(
      fc.property(anyPods, size, enforcement, (pods, allocatable, enforcement) => {
        const plain = pods.map((one): NodePod => {
          const wishes = { ...one.wishes, minCpu: undefined }
          return { ...one, wishes, shareFactor: undefined, maxMinCpu: undefined }
        })
        const plan = planNode({ allocatable }, plain, { ...biddingRules, enforcement })
        const { sold, decisions } = plan
        const requested = sum(decisions.map(({ pod }) => requestedBy(pod)))
        for (const namespace of new Set(decisions.map(({ pod }) => pod.namespace))) {
          const own = decisions.filter(({ pod }) => pod.namespace === namespace)
          const share = (sold * sum(own.map(({ pod }) => requestedBy(pod)))) / requested
          const least = Math.min(sum(own.map(({ need }) => need)), share) - own.length - 2
          assert.ok(sum(own.map(({ given }) => given)) >= least)
        }
      }),
      { numRuns: 500 },
    )
  })
})

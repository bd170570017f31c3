import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { pod, type PodGiven } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { fitPromises, leastPromiseOf, promiseOf } from './promise.ts'
import { biddingRules } from './rules.ts'

type Row = {
  readonly entitled?: number
  readonly need: number
  readonly given?: number
  readonly pod?: PodGiven
  /** Of a strict pod. */
  readonly limit?: number | undefined
  readonly isByRequests?: boolean
}

const promised = ({ entitled = 1000, need, given = need, ...row }: Row) =>
  promiseOf({
    pod: pod(row.pod),
    entitled: millicores(entitled),
    need: millicores(need),
    given: millicores(given),
    limit: row.limit === undefined ? undefined : millicores(row.limit),
    isByRequests: row.isByRequests ?? false,
    rules: biddingRules,
  })

const usual = (amount: number, more: PodGiven = {}) => ({ usual: millicores(amount), ...more })

void describe('the request that an elastic pod is promised', () => {
  each(
    [
      { name: 'is what is usual of it', need: 350, pod: usual(300), gives: 300 },
      { name: 'its need, where nothing is known to be usual', need: 350, gives: 350 },
      { name: 'stays in a burst', need: 900, pod: usual(300), gives: 300 },
      { name: 'stays in a lull', need: 0, pod: usual(300), gives: 300 },
      {
        name: 'never follows idle CPU that it takes beyond its entitlement',
        need: 3500,
        pod: usual(3000),
        gives: 1000,
      },
      {
        name: 'is what its bursts were given, where its target was missed',
        need: 1800,
        pod: usual(1400, { isShort: true }),
        gives: 1800,
      },
      {
        name: 'not more than the market had',
        need: 1800,
        given: 1300,
        pod: usual(1400, { isShort: true }),
        gives: 1300,
      },
      {
        name: 'nor more than twice what is usual',
        need: 1800,
        pod: usual(700, { isShort: true }),
        gives: 1400,
      },
      {
        name: 'and not less than without a target',
        need: 200,
        pod: usual(700, { isShort: true }),
        gives: 700,
      },
      { name: 'is never below 100m', need: 5, pod: usual(5), gives: 100 },
      { name: 'unless it is entitled to less', entitled: 20, need: 5, pod: usual(5), gives: 20 },
      {
        name: 'or may have less',
        need: 5,
        pod: usual(5, { wishes: { maxCpu: millicores(50) } }),
        gives: 50,
      },
      {
        name: 'is never below min-cpu, as far as that counts',
        entitled: 300,
        need: 5,
        pod: usual(5, { wishes: { minCpu: millicores(400) } }),
        gives: 300,
      },
      {
        name: 'is what the market gave, where weights cannot be written',
        need: 3500,
        given: 2500,
        pod: usual(300),
        isByRequests: true,
        gives: 2500,
      },
      {
        name: 'and what is usual, where that is more',
        need: 100,
        pod: usual(300),
        isByRequests: true,
        gives: 300,
      },
    ],
    ({ gives, ...row }) => assert.equal(promised(row), gives),
  )
})

void describe('the request that a strict pod is promised', () => {
  each(
    [
      { name: 'is its need', entitled: 100, need: 460, gives: 460 },
      { name: 'but no more than is usual', entitled: 100, need: 460, pod: usual(200), gives: 200 },
      { name: 'nor more than its need', entitled: 100, need: 300, pod: usual(900), gives: 300 },
      { name: 'nor more than its limit', entitled: 100, need: 460, limit: 400, gives: 400 },
      {
        name: 'is not raised for a target: its limit is',
        entitled: 100,
        need: 460,
        pod: usual(200, { isShort: true }),
        gives: 200,
      },
      {
        name: 'nor by read-only cgroups',
        need: 460,
        pod: usual(200),
        isByRequests: true,
        gives: 200,
      },
      {
        name: 'is never below what a Guaranteed pod was created with',
        entitled: 700,
        need: 460,
        pod: { qosClass: 'Guaranteed' as const },
        gives: 700,
      },
      {
        name: 'and all of its limit, which its request has to be',
        entitled: 300,
        need: 460,
        limit: 600,
        pod: usual(200, { qosClass: 'Guaranteed' as const }),
        gives: 600,
      },
    ],
    ({ gives, ...row }) => assert.equal(promised({ limit: row.need, ...row }), gives),
  )
})

void test('a promise is from the least to the largest of entitlement, need and least', () => {
  const amount = fc.nat(4000).map(millicores)
  const row = fc.record({
    entitled: amount,
    need: amount,
    limit: fc.option(amount, { nil: undefined }),
    isByRequests: fc.boolean(),
    pod: fc.record({
      usual: fc.option(amount, { nil: undefined }),
      isShort: fc.boolean(),
      wishes: fc.record({ minCpu: fc.option(amount, { nil: undefined }) }),
    }),
  })
  fc.assert(
    fc.property(row, fc.double({ min: 0, max: 1, noNaN: true }), (row, part) => {
      const given = Math.floor(row.need * part)
      const least = leastPromiseOf(pod(row.pod), row.entitled, biddingRules)
      const promise = promised({ ...row, given })
      assert.ok(least <= row.entitled && promise >= least)
      const isMore = row.limit !== undefined || row.isByRequests || row.pod.isShort
      assert.ok(promise <= Math.max(row.entitled, isMore ? row.need : 0))
    }),
  )
})

void describe('promises together', () => {
  const fit = (sold: number, all: readonly (readonly [number, number])[]) =>
    fitPromises(
      all.map(([entitled, promise]) => {
        return { entitled: millicores(entitled), promise: millicores(promise), isFixed: false }
      }),
      millicores(sold),
    )
  each(
    [
      {
        name: 'stay where they fit',
        sold: 1000,
        all: [
          [100, 400],
          [500, 500],
        ],
        gives: [400, 500],
      },
      {
        name: 'stay within entitlements, and what is beyond them is cut',
        sold: 1000,
        all: [
          [500, 400],
          [500, 900],
        ],
        gives: [400, 600],
      },
      {
        name: 'in equal parts',
        sold: 1000,
        all: [
          [300, 900],
          [100, 300],
        ],
        gives: [750, 250],
      },
      {
        name: 'down to the entitlements',
        sold: 800,
        all: [
          [700, 700],
          [100, 900],
        ],
        gives: [700, 100],
      },
      { name: 'of nobody are none', sold: 1000, all: [], gives: [] },
    ] as const,
    ({ sold, all, gives }) => assert.deepEqual(fit(sold, all), gives),
  )

  void test('count what a Guaranteed pod was given, which is not cut', () => {
    const amounts = (entitled: number, promise: number) => {
      return { entitled: millicores(entitled), promise: millicores(promise) }
    }
    const all = [
      { ...amounts(300, 700), isFixed: true },
      { ...amounts(300, 900), isFixed: false },
    ]
    assert.deepEqual(fitPromises(all, millicores(1200)), [700, 500])
    assert.deepEqual(fitPromises(all, millicores(900)), [700, 300])
  })
})

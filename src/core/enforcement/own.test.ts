import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import { largestOwn, type Owner, ownOf } from './own.ts'

const owner = (id: string, entitled: number, more: Partial<Owner> = {}): Owner => ({
  id,
  namespace: 'shop',
  entitled: millicores(entitled),
  say: 1,
  hasTarget: false,
  works: true,
  isInLane: true,
  isStrict: false,
  wanted: 64_000,
  ...more,
})

void describe('what counts as its own', () => {
  each<{
    name: string
    all: readonly Owner[]
    gives: readonly number[]
    yields?: readonly string[]
  }>(
    [
      { name: 'is what it requested', all: [owner('a', 1000), owner('b', 500)], gives: [1, 0.5] },
      {
        name: 'follows multipliers inside a namespace',
        all: [owner('a', 1000, { say: 4 }), owner('b', 1000)],
        gives: [1.6, 0.4],
      },
      {
        name: 'is all its own while the other sleeps',
        all: [owner('a', 1000, { say: 4, works: false }), owner('b', 1000)],
        gives: [1, 1],
      },
      {
        name: 'is nothing to other namespaces',
        all: [owner('a', 1000, { say: 10, namespace: 'greedy' }), owner('b', 1000)],
        gives: [1, 1],
      },
      {
        name: 'is no less for a mate that counts for more and wants little',
        all: [owner('a', 1000, { say: 10, wanted: 200 }), owner('b', 1000, { wanted: 600 })],
        gives: [1, 1],
      },
      {
        name: 'has what such a mate leaves, and the mate what it wants',
        all: [owner('a', 1000, { say: 4, wanted: 800 }), owner('b', 1000)],
        gives: [1.2, 0.8],
      },
      {
        name: 'goes to latency targets first, but for a tenth, and a hundredth is kept',
        all: [owner('a', 1000, { hasTarget: true }), owner('b', 1000)],
        gives: [1.9, 0.01],
        yields: ['b'],
      },
      {
        name: 'goes to a target that wants more than its entitlement, also from who is out of the lane',
        all: [
          owner('a', 1000, { hasTarget: true, isInLane: false, wanted: 1000 }),
          owner('b', 1000, { isInLane: false }),
        ],
        gives: [1.5, 1],
        yields: ['b'],
      },
      {
        name: 'yields to a target that is calm, so that its burst does not wait',
        all: [owner('a', 1000, { hasTarget: true, works: false }), owner('b', 1000)],
        gives: [1, 1],
        yields: ['b'],
      },
      {
        name: 'yields to nobody beside another namespace that could burst',
        all: [
          owner('a', 1000, { hasTarget: true, wanted: 200 }),
          owner('b', 1000),
          owner('c', 1000, { namespace: 'greedy', hasTarget: true, isInLane: false }),
        ],
        gives: [1, 1, 1],
      },
      {
        name: 'is not changed by targets of other namespaces',
        all: [owner('a', 1000), owner('b', 1000, { namespace: 'greedy', hasTarget: true })],
        gives: [1, 1],
      },
      {
        name: 'is kept from targets where it is a strict share',
        all: [owner('a', 1000, { hasTarget: true }), owner('b', 1000, { isStrict: true })],
        gives: [1, 1],
      },
      {
        name: 'follows multipliers among targets',
        all: [
          owner('a', 1000, { say: 4, hasTarget: true }),
          owner('b', 1000, { hasTarget: true }),
          owner('c', 1000),
        ],
        gives: [2.32, 0.58, 0.01],
        yields: ['c'],
      },
      { name: 'is nothing where nothing was requested', all: [owner('a', 0)], gives: [0] },
    ],
    ({ all, gives, yields = [] }) => {
      const own = ownOf(all)
      assert.deepEqual(
        all.map(({ id }) => own.get(id)?.cores),
        gives,
      )
      assert.deepEqual(
        [...own].flatMap(([id, { yields }]) => (yields ? [id] : [])),
        yields,
      )
    },
  )

  const drawn = fc
    .array(
      fc.record({
        entitled: fc.integer({ min: 0, max: 64_000 }),
        say: fc.double({ min: 0.1, max: 100, noNaN: true }),
        namespace: fc.constantFrom('a', 'b', 'c'),
        hasTarget: fc.boolean(),
        works: fc.boolean(),
        isInLane: fc.boolean(),
        isStrict: fc.boolean(),
        wanted: fc.double({ min: 0, max: 100_000, noNaN: true }),
      }),
      { maxLength: 12 },
    )
    .map((all) => all.map(({ entitled, ...one }, i) => owner(`${i}`, entitled, one)))

  void test('what a namespace can take by it is what was requested in it', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const own = ownOf(all)
        for (const namespace of ['a', 'b', 'c']) {
          const members = all.filter((one) => one.namespace === namespace)
          const requested = members.reduce((sum, { entitled }) => sum + entitled / 1000, 0)
          const takes = members
            .filter(({ works, hasTarget, isInLane }) => works && (hasTarget || isInLane))
            .reduce((sum, { id }) => sum + (own.get(id)?.cores ?? 0), 0)
          assert.ok(takes <= requested + 1e-6 * Math.max(1, requested), `${takes} of ${requested}`)
        }
      }),
    )
  })

  void test('while its namespace has enough for all, everybody counts for three quarters of what it wants of its own', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const own = ownOf(all)
        for (const namespace of ['a', 'b', 'c']) {
          const members = all.filter(
            (one) => one.namespace === namespace && one.works && !one.isStrict,
          )
          const requested = members.reduce((sum, { entitled }) => sum + entitled, 0)
          if (members.reduce((sum, { wanted }) => sum + 1.5 * wanted, 0) > requested) continue
          for (const { id, entitled, wanted } of members) {
            // The rest is what calm mates keep, and do not use.
            const needs = (0.75 * Math.min(entitled, wanted)) / 1000
            const has = own.get(id)?.cores ?? 0
            assert.ok(has >= needs - 1e-9, `${has} of ${needs}`)
          }
        }
      }),
    )
  })

  void test('never comes to more than what is told to be the most', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const most = largestOwn(all)
        for (const { cores } of ownOf(all).values()) assert.ok(cores <= most * (1 + 1e-9))
      }),
    )
  })
})

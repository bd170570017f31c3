import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { shareOut } from './proportions.ts'
import { bounds, nextSizes, type Sized } from './rollout.ts'

const set = (id: string, replicas: number, available = replicas): Sized => ({
  id,
  replicas,
  available,
})

void describe('a rolling update', () => {
  const base = { wanted: 4, maxSurge: 1, maxUnavailable: 1 }
  each(
    [
      { name: 'a first rollout has all at once', fresh: set('new', 0), old: [], gives: { new: 4 } },
      {
        name: 'one more than wanted, one fewer of the old',
        fresh: set('new', 0),
        old: [set('old', 4)],
        gives: { new: 1, old: 3 },
      },
      {
        name: 'new ones that are not there yet hold it up',
        fresh: set('new', 2, 0),
        old: [set('old', 3)],
        gives: {},
      },
      {
        name: 'new ones that serve let old ones go',
        fresh: set('new', 2),
        old: [set('old', 3)],
        gives: { old: 1 },
      },
      {
        name: 'old ones that do not serve go first',
        fresh: set('new', 1, 0),
        old: [set('old', 4, 2)],
        gives: { old: 3 },
      },
      {
        name: 'the last old one goes',
        fresh: set('new', 4),
        old: [set('old', 1)],
        gives: { old: 0 },
      },
      { name: 'too many new ones go at once', fresh: set('new', 6), old: [], gives: { new: 4 } },
    ],
    ({ fresh, old, gives }) => {
      assert.deepEqual(Object.fromEntries(nextSizes({ ...base, fresh, old })), gives)
    },
  )

  void test('it ends with the new ones only, and never breaks its bounds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (wanted, surge, unavailable, oldSets) => {
          const limits = bounds({ maxSurge: surge, maxUnavailable: unavailable }, wanted)
          const sizes = new Map<string, number>([['new', 0]])
          for (let i = 0; i < oldSets; i += 1) sizes.set(`old${i}`, i === 0 ? wanted : 0)
          for (let step = 0; step < 200; step += 1) {
            const sized = (id: string) => set(id, sizes.get(id) ?? 0)
            const old = [...sizes.keys()].filter((id) => id !== 'new').map(sized)
            const next = nextSizes({ wanted, ...limits, fresh: sized('new'), old })
            if (next.size === 0) break
            for (const [id, size] of next) sizes.set(id, size)
            const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
            assert.ok(total <= wanted + limits.maxSurge)
            assert.ok(total >= wanted - limits.maxUnavailable)
          }
          assert.equal(sizes.get('new'), wanted)
          assert.equal(
            [...sizes.values()].reduce((sum, size) => sum + size, 0),
            wanted,
          )
        },
      ),
    )
  })
})

void describe('scaling in the middle of a rollout', () => {
  const sets = [
    { id: 'old', replicas: 8, most: 13 },
    { id: 'new', replicas: 5, most: 13 },
  ]
  each(
    [
      { name: 'up: each keeps its share', wanted: 15, gives: { old: 11, new: 7 } },
      { name: 'down: each keeps its share', wanted: 5, gives: { old: 5, new: 3 } },
      { name: 'to nothing: all go', wanted: 0, gives: { old: 0, new: 0 } },
      { name: 'not at all: nothing moves', wanted: 10, gives: { old: 8, new: 5 } },
    ],
    ({ wanted, gives }) => {
      assert.deepEqual(Object.fromEntries(shareOut(sets, { wanted, maxSurge: 3 })), gives)
    },
  )

  void test('the shares add up to all that is allowed', () => {
    const portion = fc.record({ replicas: fc.integer({ min: 1, max: 50 }) })
    fc.assert(
      fc.property(
        fc.array(portion, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 10 }),
        (portions, wanted, maxSurge) => {
          const most = portions.reduce((sum, { replicas }) => sum + replicas, 0)
          const named = portions.map(({ replicas }, i) => ({ id: String(i), replicas, most }))
          const sizes = [...shareOut(named, { wanted, maxSurge }).values()]
          const total = sizes.reduce((sum, size) => sum + size, 0)
          assert.equal(total, wanted === 0 ? 0 : wanted + maxSurge)
          assert.ok(sizes.every((size) => size >= 0))
        },
      ),
    )
  })
})

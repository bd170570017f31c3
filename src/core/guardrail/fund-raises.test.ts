import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import { type Ask, fundRaises, type Party, type Raises } from './fund-raises.ts'
import { type Rung, rungs } from './ladder.ts'

type Brief = readonly [id: string, current: number, need: number, floor: number, weight: number]

const party = ([id, current, need, floor, weight]: Brief, isBlocked = false): Party => ({
  id,
  current: millicores(current),
  need: millicores(need),
  floor: millicores(floor),
  weight,
  isBlocked,
})
const ask = (id: string, to: number, rung: Rung = 'warn'): Ask => ({ id, to: millicores(to), rung })
const moves = (of: Raises) => Object.fromEntries(fundRaises(of).map(({ id, to }) => [id, to]))
const capacity = millicores(1000)

void describe('who gives', () => {
  each<{ name: string; parties: Party[]; asks: Ask[]; gives: Record<string, number> }>(
    [
      {
        name: 'unsold capacity first',
        parties: [party(['a', 400, 400, 100, 2]), party(['b', 400, 300, 100, 1])],
        asks: [ask('a', 500)],
        gives: { a: 500 },
      },
      {
        name: 'then the lighter, down to its floor',
        parties: [party(['a', 400, 400, 100, 2]), party(['b', 600, 300, 100, 1])],
        asks: [ask('a', 2000)],
        gives: { a: 900, b: 100 },
      },
      {
        name: 'one of equal weight only what it does not need',
        parties: [party(['a', 400, 400, 100, 1]), party(['b', 600, 500, 100, 1])],
        asks: [ask('a', 900)],
        gives: { a: 500, b: 500 },
      },
      {
        name: 'a heavier one what it does not need',
        parties: [party(['a', 400, 400, 100, 1]), party(['b', 600, 500, 100, 3])],
        asks: [ask('a', 900)],
        gives: { a: 500, b: 500 },
      },
      {
        name: 'what one does not need before what another does, the lightest first',
        parties: [
          party(['a', 400, 400, 100, 3]),
          party(['b', 300, 200, 100, 2]),
          party(['c', 300, 300, 100, 1]),
        ],
        asks: [ask('a', 550)],
        gives: { a: 550, b: 200, c: 250 },
      },
      {
        name: 'not one that suffers itself',
        parties: [party(['a', 400, 400, 100, 2]), party(['b', 600, 300, 100, 1], true)],
        asks: [ask('a', 500)],
        gives: {},
      },
      {
        name: 'unless the other suffers although it was raised',
        parties: [party(['a', 400, 400, 100, 2]), party(['b', 600, 300, 100, 1], true)],
        asks: [ask('a', 500, 'yield')],
        gives: { a: 500, b: 500 },
      },
      {
        name: 'the heavy before the light',
        parties: [party(['a', 400, 400, 100, 1], true), party(['b', 500, 300, 100, 2], true)],
        asks: [ask('a', 500), ask('b', 580)],
        gives: { a: 420, b: 580 },
      },
      {
        name: 'equals share by what they ask for',
        parties: [party(['a', 450, 400, 100, 1]), party(['b', 450, 300, 100, 1])],
        asks: [ask('a', 750), ask('b', 550)],
        gives: { a: 525, b: 475 },
      },
      {
        name: 'nothing of a node that is oversold',
        parties: [party(['a', 900, 900, 100, 1]), party(['b', 900, 900, 100, 1])],
        asks: [ask('a', 950), ask('gone', 100), ask('b', 800)],
        gives: {},
      },
      {
        name: 'nor what is above the capacity, however little it is needed',
        parties: [party(['a', 500, 500, 100, 2]), party(['b', 3000, 400, 300, 1])],
        asks: [ask('a', 2000)],
        gives: { a: 700, b: 2800 },
      },
    ],
    ({ parties, asks, gives }) => assert.deepEqual(moves({ capacity, parties, asks }), gives),
  )

  void test('says why', () => {
    const parties = [party(['a', 400, 400, 100, 2]), party(['b', 550, 300, 200, 1])]
    assert.deepEqual(
      fundRaises({ capacity, parties, asks: [ask('a', 900)] }).map(({ reason }) => reason),
      [
        'gets 50m of unsold CPU; gets 250m of b, which does not need it; gets 100m of b, which weighs less; 100m short',
        'gave 250m to a, which needs it; gave 100m to a, which needs it and weighs more',
      ],
    )
  })

  const anyRaises: fc.Arbitrary<Raises> = fc
    .array(
      fc.record({
        amounts: fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(500), fc.integer({ min: 1, max: 4 })),
        isBlocked: fc.boolean(),
        asks: fc.option(fc.tuple(fc.nat(2000), fc.constantFrom(...rungs))),
      }),
      { maxLength: 8 },
    )
    .chain((all) =>
      fc.nat(4000).map((capacity) => ({
        capacity: millicores(capacity),
        parties: all.map(({ amounts, isBlocked }, i) =>
          // Who asks suffers, so that it is blocked.
          party([`p${i}`, ...amounts], isBlocked || all[i]?.asks !== null),
        ),
        asks: all.flatMap(({ asks }, i) => (asks === null ? [] : [ask(`p${i}`, ...asks)])),
      })),
    )

  void test('laws: capacity, floors, weights and asks hold; nobody loses for nothing', () => {
    fc.assert(
      fc.property(anyRaises, (of) => {
        const found = fundRaises(of)
        const sum = of.parties.reduce((total, { current }) => total + current, 0)
        const moved = found.reduce((total, { from, to }) => total + to - from, 0)
        assert.ok(sum + moved <= Math.max(sum, of.capacity))
        assert.ok(moved >= 0)
        const gained = found.reduce((total, { from, to }) => total + Math.max(0, to - from), 0)
        const kept = of.parties.reduce(
          (total, { current, floor }) => total + Math.min(current, floor),
          0,
        )
        assert.ok(kept + gained <= Math.max(kept, of.capacity), 'of what there is')
        const asks = new Map(of.asks.map((one) => [one.id, one]))
        const raised = found.filter(({ from, to }) => to > from)
        for (const { id, to, from, reason } of found) {
          const { floor, need, weight, isBlocked } =
            of.parties.find((p) => p.id === id) ?? party(['', 0, 0, 0, 0])
          assert.ok(reason !== '')
          if (to > from) assert.ok(to <= (asks.get(id)?.to ?? -1))
          if (to >= from) continue
          assert.ok(to >= floor)
          const heavier = raised.filter(
            (r) => (of.parties.find((p) => p.id === r.id)?.weight ?? 0) > weight,
          )
          assert.ok(heavier.length > 0 || (to >= need && !isBlocked && raised.length > 0))
          if (isBlocked) {
            assert.ok(
              heavier.some((r) => ['yield', 'isolate'].includes(asks.get(r.id)?.rung ?? '')),
            )
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  void test('the order of parties and asks does not matter', () => {
    fc.assert(
      fc.property(anyRaises, (of) => {
        const reversed = { ...of, parties: of.parties.toReversed(), asks: of.asks.toReversed() }
        assert.deepEqual(fundRaises(reversed), fundRaises(of))
      }),
    )
  })
})

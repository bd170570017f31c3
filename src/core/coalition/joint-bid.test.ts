import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type Bid, countedNeed } from '../market/bid.ts'
import { type Bytes, bytes, type Millicores, millicores } from '../units.ts'
import { joinBids, splitAmong } from './joint-bid.ts'

const bid = (id: string, given: { floor?: number; need: number; ceiling?: number }) => ({
  id,
  floor: millicores(given.floor ?? 0),
  need: millicores(given.need),
  ceiling: millicores(given.ceiling ?? 1e9),
  weight: 1,
})
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const needs = (members: readonly Bid<Millicores>[]) => sum(members.map(countedNeed))

const member = fc.record({
  floor: fc.nat(300),
  need: fc.nat(1000),
  room: fc.nat(700),
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
})
const coalition = fc.array(member, { minLength: 1, maxLength: 7 }).map((members) =>
  members.map(({ floor, need, room, weight }, i) => ({
    ...bid(`pod-${i}`, { floor, need, ceiling: floor + room }),
    weight,
  })),
)
const coalitionWithAmount = coalition.chain((members) =>
  fc.record({
    members: fc.constant(members),
    amount: fc.integer({ min: 0, max: needs(members) }).map(millicores),
  }),
)

void describe('core/coalition/joint-bid', () => {
  void test('a joint bid sums floors, counted needs, ceilings and weights', () => {
    const members = [
      bid('a', { floor: 100, need: 50, ceiling: 400 }),
      bid('b', { floor: 10, need: 900, ceiling: 500 }),
      { ...bid('c', { need: 70, ceiling: 80 }), weight: 0.5 },
    ]
    assert.deepEqual(joinBids('trio', members), {
      id: 'trio',
      floor: 110,
      need: 100 + 500 + 70,
      ceiling: 980,
      weight: 2.5,
    })
  })

  const trio = [bid('a', { need: 100 }), bid('b', { need: 200 }), bid('c', { need: 300 })]
  each(
    [
      { name: 'ties of rounding go by id', amount: 200, members: trio, gives: [34, 83, 83] },
      {
        name: 'floors come first',
        amount: 260,
        members: trio.map((bid) => ({ ...bid, floor: millicores(20) })),
        gives: [50, 100, 110],
      },
      {
        name: 'floors that do not fit are the claims',
        amount: 50,
        members: [bid('a', { floor: 20, need: 900 }), bid('b', { floor: 40, need: 40 })],
        gives: [15, 35],
      },
      {
        name: 'all needs are met when they fit',
        amount: 600,
        members: trio,
        gives: [100, 200, 300],
      },
      { name: 'nothing is shared as nothing', amount: 0, members: trio, gives: [0, 0, 0] },
      { name: 'nobody shares nothing', amount: 0, members: [], gives: [] },
    ],
    ({ amount, members, gives }) => {
      assert.deepEqual(splitAmong(millicores(amount), members).amounts, gives)
    },
  )

  void test('whole amounts sum to the amount, each its exact share rounded up or down', () => {
    fc.assert(
      fc.property(coalitionWithAmount, ({ members, amount }) => {
        const { exact, amounts } = splitAmong(amount, members)
        assert.equal(sum(amounts), amount)
        assert.ok(Math.abs(sum(exact) - amount) < 1e-6)
        for (const [i, got] of amounts.entries()) {
          const share = exact[i] ?? NaN
          assert.ok(got >= Math.floor(share) && got <= Math.ceil(share), `${got} of ${share}`)
        }
      }),
    )
  })

  void test('nobody gets more than its need, nor less than its floor when floors fit', () => {
    fc.assert(
      fc.property(coalitionWithAmount, ({ members, amount }) => {
        const fits = amount >= sum(members.map(({ floor }) => floor))
        for (const [i, got] of splitAmong(amount, members).amounts.entries()) {
          const member = members[i] ?? bid('', { need: NaN })
          assert.ok(got >= (fits ? member.floor : 0))
          assert.ok(got <= (fits ? countedNeed(member) : member.floor))
        }
      }),
    )
  })

  void test('the order of the members does not matter, to the last bit', () => {
    const shuffled = coalitionWithAmount.chain(({ members, amount }) =>
      fc.record({
        members: fc.constant(members),
        amount: fc.constant(amount),
        other: fc.shuffledSubarray(members, { minLength: members.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ members, amount, other }) => {
        const byId = (members: readonly Bid<Millicores>[]) => {
          const { exact, amounts } = splitAmong(amount, members)
          return new Map(members.map(({ id }, i) => [id, [exact[i], amounts[i]]]))
        }
        assert.deepEqual(byId(other), byId(members))
        assert.deepEqual(joinBids('', other), joinBids('', members))
      }),
    )
  })

  void test('a larger amount takes nothing from anybody, but for rounding', () => {
    fc.assert(
      fc.property(coalitionWithAmount, fc.nat(100), ({ members, amount }, more) => {
        const grown = millicores(Math.min(amount + more, needs(members)))
        const after = splitAmong(grown, members).exact
        for (const [i, share] of splitAmong(amount, members).exact.entries()) {
          assert.ok((after[i] ?? NaN) >= share - 1e-6)
        }
      }),
    )
  })

  void test('above 20 members the split is sampled, the same every time', () => {
    const members = Array.from({ length: 40 }, (_, i) =>
      bid(`pod-${i}`, { floor: 10, need: 50 + i }),
    )
    const first = splitAmong(millicores(1500), members)
    assert.deepEqual(splitAmong(millicores(1500), members), first)
    assert.equal(sum(first.amounts), 1500)
    for (const [i, got] of first.amounts.entries()) assert.ok(got >= 10 && got <= 50 + i)
  })

  void test('nothing is lost of amounts as large as memory', () => {
    const members = Array.from({ length: 12 }, (_, i): Bid<Bytes> => {
      const need = bytes(2 ** 42 + 12_345_678_901 * i)
      return { id: `pod-${i}`, floor: bytes(2 ** 20 + i), need, ceiling: need, weight: 1 }
    })
    const amount = bytes(2 ** 45 + 1)
    assert.equal(sum(splitAmong(amount, members).amounts), amount)
  })

  void test('more than all need is refused', () => {
    assert.throws(
      () => splitAmong(millicores(601), trio),
      /splitting 601 among a, b, c: expected a whole number of 0 to 600, their needs/,
    )
    assert.throws(() => splitAmong(millicores(-1), trio), /splitting -1 among a, b, c/)
  })
})

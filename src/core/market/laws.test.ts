/**
 * The laws of the market, each over every mechanism. Where a mechanism is exempt, the reason stands
 * beside it, and an example shows that it really breaks the law.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import {
  bid,
  cleared,
  congestedMarket,
  type CpuBid,
  type Market,
  market,
} from '../../../test/markets.ts'
import { type Millicores, millicores } from '../units.ts'
import { countedNeed } from './bid.ts'
import type { Clearing } from './clear.ts'
import { type MechanismName, mechanismNames } from './mechanism-names.ts'

type Clear = (capacity: number, bids: readonly CpuBid[]) => Clearing<Millicores>

type Law = {
  readonly name: string
  readonly over: fc.Arbitrary<Market>
  readonly holds: (clear: Clear, market: Market, pick: number, mechanism: MechanismName) => void
  readonly exempt?: {
    readonly [name in MechanismName]?: { why: string; breaks: (clear: Clear) => boolean }
  }
}

const laws: readonly Law[] = [
  {
    name: 'feasible: whole, within bounds, the sum within capacity and equal to it unless there is slack',
    over: market,
    holds: (clear, { capacity, bids }) => {
      const { amounts, mode } = clear(capacity, bids)
      const needs = bids.map(countedNeed)
      assert.equal(total(amounts), mode === 'uncongested' ? total(needs) : capacity)
      for (const [i, amount] of amounts.entries()) {
        assert.ok(Number.isSafeInteger(amount) && amount >= 0 && amount <= (needs[i] ?? 0))
      }
    },
  },
  {
    // When overloaded nobody can be given the floor, by definition; the overload law below says what holds.
    name: 'individually rational: nobody gets less than the floor, unless overloaded',
    over: market,
    holds: (clear, { capacity, bids }) => {
      const { amounts, exact, mode } = clear(capacity, bids)
      if (mode === 'overloaded') return
      for (const [i, { floor }] of bids.entries()) {
        assert.ok((amounts[i] ?? 0) >= floor && (exact[i] ?? 0) >= floor)
      }
    },
  },
  {
    name: 'overloaded: nobody gets more than the floor, and equals get what equals get',
    over: market.map(({ bids }) => {
      const floors = total(bids.map(({ floor }) => floor))
      return { bids, capacity: Math.floor(floors / 2) }
    }),
    holds: (clear, { capacity, bids }) => {
      const { amounts, mode, price } = clear(capacity, bids)
      if (total(bids.map(({ floor }) => floor)) === 0) return
      assert.equal(mode, 'overloaded')
      assert.equal(price, null)
      for (const [i, { floor }] of bids.entries()) assert.ok((amounts[i] ?? 0) <= floor)
    },
  },
  {
    name: 'Pareto-optimal: nobody can get more of what it needs without another getting less',
    over: market,
    holds: (clear, { capacity, bids }) => {
      const { amounts } = clear(capacity, bids)
      const left = capacity - total(amounts)
      const wanting = bids.filter((bid, i) => (amounts[i] ?? 0) < countedNeed(bid))
      assert.ok(left === 0 || wanting.length === 0)
    },
  },
  {
    name: 'anonymous: names do not matter to the exact result, and to whole units only in a tie',
    over: market,
    holds: (clear, { capacity, bids }) => {
      const renamed = bids.map((bid, i) => ({ ...bid, id: `z${bids.length - i}` }))
      const [a, b] = [clear(capacity, bids), clear(capacity, renamed)]
      assert.deepEqual(a.exact, b.exact)
      assert.equal(a.price, b.price)
      for (const [i, amount] of a.amounts.entries()) {
        const other = b.amounts[i] ?? 0
        const twin = bids.some((bid, j) => j !== i && bid.weight === bids[i]?.weight)
        assert.ok(amount === other || (twin && Math.abs(amount - other) === 1))
      }
    },
  },
  {
    name: 'order-independent: the order of the bids never matters, to the last bit',
    over: market,
    holds: (clear, { capacity, bids }, pick) => {
      const moved = [
        ...bids.slice(pick % (bids.length + 1)),
        ...bids.slice(0, pick % (bids.length + 1)),
      ]
      for (const order of [bids.toReversed(), moved]) {
        const [a, b] = [clear(capacity, bids), clear(capacity, order)]
        const inOrder = <T>(values: readonly T[]) => order.map((bid) => values[bids.indexOf(bid)])
        assert.deepEqual(inOrder(a.amounts), b.amounts)
        assert.deepEqual(inOrder(a.exact), b.exact)
        assert.deepEqual([a.price, a.certificate], [b.price, b.certificate])
      }
    },
  },
  {
    name: 'monotone in capacity: with more to share nobody gets less, in whole units too',
    over: market,
    holds: (clear, { capacity, bids }, pick) => {
      const less = clear(capacity, bids)
      for (const more of [1, 1 + (pick % 50)].map((extra) => clear(capacity + extra, bids))) {
        for (const [i, amount] of less.amounts.entries()) {
          assert.ok((more.amounts[i] ?? 0) >= amount)
          assert.ok((more.exact[i] ?? 0) >= (less.exact[i] ?? 0) - 1e-9 * Math.max(1, capacity))
        }
      }
    },
  },
  {
    name: 'scale-covariant: k times everything gives k times the exact result; weights count by ratio',
    over: market,
    holds: (clear, { capacity, bids }, pick) => {
      const k = 2 + (pick % 7)
      const scaled = bids.map((bid) => ({
        ...bid,
        floor: millicores(bid.floor * k),
        need: millicores(bid.need * k),
        ceiling: millicores(bid.ceiling * k),
      }))
      const heavier = bids.map((bid) => ({ ...bid, weight: bid.weight * k }))
      const { exact } = clear(capacity, bids)
      const results = [
        clear(capacity * k, scaled).exact.map((x) => x / k),
        clear(capacity, heavier).exact,
      ]
      for (const result of results) {
        for (const [i, value] of exact.entries()) close(result[i] ?? 0, value, capacity)
      }
    },
  },
  {
    name: 'independent of irrelevant alternatives: giving up what one does not get changes nothing',
    over: congestedMarket,
    holds: (clear, { capacity, bids }, pick) => {
      const before = clear(capacity, bids)
      const fewer = bids.map((bid, i) => {
        const got = before.amounts[i] ?? 0
        const need = got + (((pick * (i + 1)) % 3) * (countedNeed(bid) - got)) / 2
        return { ...bid, need: millicores(Math.ceil(Math.max(need, before.exact[i] ?? 0))) }
      })
      const after = clear(capacity, fewer)
      if (after.mode !== 'congested') return
      assert.deepEqual(after.amounts, before.amounts)
      for (const [i, value] of before.exact.entries()) close(after.exact[i] ?? 0, value, capacity)
    },
    exempt: {
      'kalai-smorodinsky': {
        why: 'it shares by what each asks, so asking for less gets less',
        breaks: (clear) => {
          const [a, b] = [bid({ need: 900 }), bid({ need: 300 })]
          const before = clear(600, [a, b])
          const after = clear(600, [{ ...a, need: millicores(before.amounts[0] ?? 0) }, b])
          return after.amounts[0] !== before.amounts[0]
        },
      },
    },
  },
  {
    // Kalai-Smorodinsky is known for it; with one capacity and boxes the others have it as well.
    name: 'individually monotone: who needs more does not get less for it',
    over: congestedMarket,
    holds: (clear, { capacity, bids }, pick) => {
      const index = pick % bids.length
      const more = bids.map((bid, i) =>
        i === index
          ? { ...bid, need: millicores(bid.need + 100), ceiling: millicores(bid.ceiling + 100) }
          : bid,
      )
      const [before, after] = [clear(capacity, bids), clear(capacity, more)]
      assert.ok((after.amounts[index] ?? 0) >= (before.amounts[index] ?? 0))
    },
  },
  {
    name: 'price: 0 when uncongested, positive when congested, none where nothing is above the floors',
    over: market,
    holds: (clear, { capacity, bids }, _pick, mechanism) => {
      const { mode, price } = clear(capacity, bids)
      const floors = total(bids.map(({ floor }) => floor))
      if (mode === 'uncongested') assert.equal(price, 0)
      else if (mode === 'overloaded') assert.equal(price, null)
      // Kalai-Smorodinsky's price is finite there: it is a fraction a unit, not a logarithm's slope.
      else if (capacity === floors && mechanism !== 'kalai-smorodinsky') assert.equal(price, null)
      else assert.ok(price !== null && price > 0 && price < Infinity)
    },
  },
  {
    name: 'deterministic: the same market gives the same clearing',
    over: market,
    holds: (clear, { capacity, bids }) => {
      assert.deepEqual(clear(capacity, bids), clear(capacity, structuredClone(bids)))
    },
  },
]

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function close(a: number, b: number, capacity: number): void {
  assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, capacity), `${a} is not ${b}`)
}

for (const mechanism of mechanismNames) {
  void describe(`core/market laws of ${mechanism}`, () => {
    const clear: Clear = (capacity, bids) => cleared(capacity, bids, { mechanism })
    for (const law of laws) {
      const exempt = law.exempt?.[mechanism]
      if (exempt !== undefined) {
        void test(`exempt from ${law.name}: ${exempt.why}`, () => assert.ok(exempt.breaks(clear)))
        continue
      }
      void test(law.name, () => {
        fc.assert(
          fc.property(law.over, fc.nat({ max: 1000 }), (market, pick) =>
            law.holds(clear, market, pick, mechanism),
          ),
          { numRuns: 300 },
        )
      })
    }
  })
}

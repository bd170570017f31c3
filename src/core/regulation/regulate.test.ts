import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type Millicores, millicores } from '../units.ts'
import { type Member, regulate } from './regulate.ts'

type Row = readonly [
  id: string,
  has: number,
  wants: number,
  least: number,
  floor: number,
  weight: number,
]

const member = ([id, has, wants, least, floor, weight]: Row): Member => ({
  id,
  weight,
  floor: millicores(floor),
  ceiling: millicores(2000),
  need: millicores(wants),
  current: millicores(has),
  least: millicores(least),
  wanted: millicores(wants),
  reason: `wants ${wants}m`,
  isSuffering: false,
  isBlocked: false,
  rung: 'monitor',
})

const amounts = (moves: readonly { readonly id: string; readonly to: number }[]) =>
  Object.fromEntries(moves.map(({ id, to }) => [id, to]))

void describe('core/regulation', () => {
  each<{ name: string; rows: readonly Row[]; now?: object; later?: object; unmet?: string[] }>(
    [
      {
        name: 'what one frees another takes at once',
        rows: [
          ['a', 400, 600, 100, 100, 1],
          ['b', 300, 200, 100, 100, 1],
        ],
        now: { a: 600, b: 200 },
      },
      {
        name: 'a heavier one takes from a lighter one',
        rows: [
          ['a', 500, 700, 100, 100, 2],
          ['b', 500, 500, 100, 100, 1],
        ],
        now: { a: 700, b: 300 },
      },
      {
        name: 'of what was published nothing is taken before that is told',
        rows: [
          ['a', 500, 900, 500, 100, 2],
          ['b', 500, 500, 500, 100, 1],
        ],
        later: { b: 100 },
        unmet: ['a'],
      },
      {
        name: 'equals wait for the market',
        rows: [
          ['a', 500, 900, 100, 100, 1],
          ['b', 500, 500, 100, 100, 1],
        ],
        unmet: ['a'],
      },
      {
        name: 'nobody falls below what is published',
        rows: [['a', 500, 100, 300, 100, 1]],
        now: { a: 300 },
      },
    ],
    ({ rows, now = {}, later = {}, unmet = [] }) => {
      const done = regulate(millicores(1000), rows.map(member))
      assert.deepEqual(
        { now: amounts(done.now), later: amounts(done.later), unmet: done.unmet },
        { now, later, unmet },
      )
    },
  )

  void test('who suffers is not lowered', () => {
    const suffering = { ...member(['a', 500, 100, 100, 100, 1]), isSuffering: true }
    assert.deepEqual(regulate(millicores(1000), [suffering]).now, [])
  })

  void test('who suffered lately falls by its own wish, but not for others', () => {
    const lately = { ...member(['a', 500, 100, 100, 100, 1]), isBlocked: true }
    const heavy = member(['b', 500, 900, 100, 100, 2])
    assert.deepEqual(amounts(regulate(millicores(1000), [lately]).now), { a: 100 })
    const wanting = { ...lately, wanted: millicores(500) }
    assert.deepEqual(regulate(millicores(1000), [wanting, heavy]).now, [])
  })

  void test('nobody is raised above its ceiling, and a move says why', () => {
    const greedy = { ...member(['a', 500, 900, 100, 100, 1]), ceiling: millicores(600) }
    const [move] = regulate(millicores(1000), [greedy]).now
    assert.equal(move?.to, 600)
    assert.match(move?.reason ?? '', /^wants 900m; .*unsold/)
  })

  void test('the reason names who gives and who gets', () => {
    const heavy = { ...member(['a', 500, 700, 100, 100, 2]), name: 'shop/web' }
    const light = { ...member(['b', 500, 500, 100, 100, 1]), name: 'shop/batch' }
    const [up, down] = regulate(millicores(1000), [heavy, light]).now
    assert.match(up?.reason ?? '', /gets 200m of shop\/batch/)
    assert.match(down?.reason ?? '', /gave 200m to shop\/web/)
  })

  void test('never more than the capacity, nor below the least, nor a raise above the wish', () => {
    const amount = fc.integer({ min: 10, max: 800 })
    const anyMember = fc.record({
      has: amount,
      wants: amount,
      least: amount,
      weight: fc.integer({ min: 1, max: 3 }),
      isBlocked: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(anyMember, { maxLength: 8 }),
        fc.integer({ min: 100, max: 4000 }),
        (rows, capacity) => {
          const members = rows.map((row, i) => ({
            ...member([
              `m${i}`,
              Math.max(row.has, row.least),
              row.wants,
              row.least,
              10,
              row.weight,
            ]),
            isBlocked: row.isBlocked,
            isSuffering: row.isBlocked,
          }))
          const { now } = regulate(capacity as Millicores, members)
          const to = amounts(now)
          const before = members.reduce((sum, { current }) => sum + current, 0)
          const after = members.reduce((sum, { id, current }) => sum + (to[id] ?? current), 0)
          assert.ok(after <= Math.max(before, capacity), `${after} of ${capacity}`)
          for (const { id, current, least, wanted } of members) {
            const held = to[id] ?? current
            assert.ok(held >= least && (held <= current || held <= wanted), `${id}: ${held}`)
          }
        },
      ),
    )
  })
})

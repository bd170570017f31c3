import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type ColumnKind, createRing, type Ring, type Strip } from './ring.ts'

/** One column, put into at these moments. */
function filled(kind: ColumnKind, size: { stepMillis: number; slots: number }, puts: number[][]) {
  const ring = createRing([kind], size)
  const strip = ring.newStrip()
  for (const [at = 0, value] of puts) {
    if (ring.open(at, [strip]) !== undefined) ring.put(strip, [value])
  }
  return { ring, strip }
}

const readAll = ({ ring, strip }: { ring: Ring; strip: Strip }, now = Infinity) =>
  ring.closed(0, Infinity, now).map(({ at, slot }) => [at, ring.get(strip, 0, slot)])

void describe('a ring of values over time', () => {
  const puts = [
    [1000, 100],
    [1002, 300],
    [1005, 50],
  ]
  each<{ name: string; kind: ColumnKind; gives: number }>(
    [
      { name: 'the mean of what falls into one slot', kind: 'mean', gives: 200 },
      { name: 'the last of it', kind: 'last', gives: 300 },
      { name: 'the most of it', kind: 'most', gives: 300 },
    ],
    ({ kind, gives }) => {
      const given = filled(kind, { stepMillis: 5, slots: 4 }, puts)
      assert.deepEqual(readAll(given), [
        [1000, gives],
        [1005, 50],
      ])
    },
  )

  void test('the oldest is overwritten, and what was left out is not there', () => {
    const given = filled('last', { stepMillis: 10, slots: 3 }, [
      [10, 1],
      [20, 2],
      [40, 4],
    ])
    assert.deepEqual(readAll(given), [
      [20, 2],
      [40, 4],
    ])
  })

  void test('the slot of now is not closed, and what is past is not opened again', () => {
    const given = filled('last', { stepMillis: 10, slots: 3 }, [
      [10, 1],
      [25, 2],
      [12, 9],
    ])
    assert.deepEqual(readAll(given, 29), [[10, 1]])
    assert.deepEqual(readAll(given, 30), [
      [10, 1],
      [20, 2],
    ])
  })

  void test('a value that is not known is null', () => {
    const ring = createRing(['last', 'last'], { stepMillis: 10, slots: 2 })
    const strip = ring.newStrip()
    ring.open(10, [strip])
    ring.put(strip, [undefined, 7])
    assert.deepEqual([ring.get(strip, 0, 1), ring.get(strip, 1, 1)], [null, 7])
  })

  void test('holds the newest slots that were put into, whatever the moments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 80 }),
        (gaps) => {
          let at = 100
          const puts = gaps.map((gap) => [(at += gap), at])
          const told = readAll(filled('last', { stepMillis: 50, slots: 5 }, puts))
          const last = new Map(puts.map(([at = 0]) => [Math.floor(at / 50), at]))
          const newest = Math.floor(at / 50)
          const wanted = [...last].filter(([step]) => step > newest - 5)
          assert.deepEqual(
            told,
            wanted.map(([step, value]) => [step * 50, value]),
          )
        },
      ),
    )
  })
})

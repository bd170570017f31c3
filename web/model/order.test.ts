import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { keepOrder, nextSort, readSort, type Sortable, sortedKeys, writeSort } from './order.ts'

type Row = { readonly key: string; readonly value: Sortable }
const row = (key: string, value?: number | string): Row => ({ key, value })
const keys = (rows: readonly Row[], descending: boolean): readonly string[] =>
  sortedKeys(rows, { keyOf: (r) => r.key, valueOf: (r) => r.value, descending })

void describe('sorting', () => {
  each(
    [
      { name: 'the least first', rows: [row('a', 10), row('b', 9)], descending: false, is: 'b a' },
      {
        name: 'the greatest first',
        rows: [row('a', 9), row('b', 10)],
        descending: true,
        is: 'b a',
      },
      {
        name: 'equals are in the order of their keys',
        rows: [row('b', 1), row('a', 1)],
        descending: true,
        is: 'a b',
      },
      {
        name: 'what has no value comes last',
        rows: [row('a'), row('b', 1)],
        descending: false,
        is: 'b a',
      },
      {
        name: 'and last also from the greatest',
        rows: [row('a'), row('b', 1)],
        descending: true,
        is: 'b a',
      },
      {
        name: 'words are sorted as words',
        rows: [row('a', 'z'), row('b', 'y')],
        descending: false,
        is: 'b a',
      },
    ],
    ({ rows, descending, is }) => assert.equal(keys(rows, descending).join(' '), is),
  )

  void test('a click on another column starts with the greatest, and one on the same turns it', () => {
    const first = nextSort(undefined, 'used', true)
    assert.deepEqual(first, { column: 'used', descending: true })
    assert.deepEqual(nextSort(first, 'used', true), { column: 'used', descending: false })
    assert.deepEqual(nextSort(first, 'pod', false), { column: 'pod', descending: false })
  })

  void test('what is in the address is read again as it was', () => {
    for (const text of ['used', '-used']) assert.equal(writeSort(readSort(text)), text)
  })

  void test('an order is kept: what went leaves no gap, what is new comes last', () => {
    assert.deepEqual(keepOrder(['c', 'a', 'b'], ['a', 'b', 'd', 'c']), ['c', 'a', 'b', 'd'])
    assert.deepEqual(keepOrder(['c', 'a'], ['a', 'x']), ['a', 'x'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import type { NodeHistory } from '../../src/apis/dashboard.ts'
import { each } from '../../test/each.ts'
import { appendColumns, appendNodeHistory, indexAt, KEPT_SAMPLES, thin, within } from './columns.ts'

const history = (at: readonly number[], pods: NodeHistory['pods'] = []): NodeHistory => ({
  at,
  price: at.map(() => null),
  mode: at.map(() => 'congested'),
  capacity: at.map(() => 4000),
  pods,
})
const band = (key: string, values: readonly (number | null)[]): NodeHistory['pods'][number] => ({
  key,
  held: values,
  used: values,
})

void describe('appending samples', () => {
  each(
    [
      { name: 'new samples come after the old', old: [1, 2], fresh: [3, 4], is: [1, 2, 3, 4] },
      { name: 'samples told twice are kept once', old: [1, 2], fresh: [1, 2, 3], is: [1, 2, 3] },
      { name: 'nothing new changes nothing', old: [1, 2], fresh: [2], is: [1, 2] },
      { name: 'the first samples start a history', old: [], fresh: [1], is: [1] },
    ],
    ({ old, fresh, is }) => {
      const joined = appendColumns({ at: old, used: old }, { at: fresh, used: fresh })
      assert.deepEqual(joined, { at: is, used: is })
    },
  )

  void test('an hour is kept, and the oldest go first', () => {
    const at = Array.from({ length: KEPT_SAMPLES }, (_, i) => i)
    const joined = appendColumns({ at }, { at: [KEPT_SAMPLES] })
    assert.deepEqual([joined.at.length, joined.at[0], joined.at.at(-1)], [3600, 1, 3600])
  })

  void test('a pod that comes was not there before, one that goes is not there after', () => {
    const old = history([1, 2], [band('a/old', [5, 6])])
    const { pods } = appendNodeHistory(old, history([3], [band('a/new', [7])]))
    assert.deepEqual(pods, [band('a/old', [5, 6, null]), band('a/new', [null, null, 7])])
  })

  void test('a pod of which no sample is left is forgotten', () => {
    const at = Array.from({ length: KEPT_SAMPLES }, (_, i) => i)
    const old = history(at, [band('a/old', [1, ...at.slice(1).map(() => null)])])
    assert.deepEqual(appendNodeHistory(old, history([KEPT_SAMPLES])).pods, [])
  })
})

void describe('finding samples', () => {
  each(
    [
      { name: 'before the first there is none', moment: 5, is: -1 },
      { name: 'at a sample it is that', moment: 20, is: 1 },
      { name: 'between two it is the one before', moment: 29, is: 1 },
      { name: 'after the last it is the last', moment: 99, is: 2 },
    ],
    ({ moment, is }) => assert.equal(indexAt([10, 20, 30], moment), is),
  )

  void test('a stretch takes a sample more on either side', () => {
    assert.deepEqual(within([10, 20, 30, 40, 50], { from: 25, to: 35 }), [1, 4])
  })
})

void describe('thinning', () => {
  void test('the samples ascend, are few enough, and end with the last', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 900 }),
        (n, most) => {
          const kept = thin(n, most)
          assert.ok(kept.length <= most && kept.at(-1) === n - 1)
          assert.ok(kept.every((index, i) => index > (kept[i - 1] ?? -1)))
        },
      ),
    )
  })

  each(
    [
      { name: 'few samples are all drawn', length: 3, most: 9, is: [0, 1, 2] },
      { name: 'many are spread evenly', length: 10, most: 4, is: [0, 3, 6, 9] },
      { name: 'of none there are none', length: 0, most: 4, is: [] },
    ],
    ({ length, most, is }) => assert.deepEqual(thin(length, most), is),
  )
})

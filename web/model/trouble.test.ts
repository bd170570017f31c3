import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { nodeTile } from '../../test/web/builders.ts'
import { countModes, troubleOf, usedRatio, wrongWith } from './trouble.ts'

const now = 1_000_000
const calm = nodeTile({
  mode: 'uncongested',
  suffering: 0,
  used: 100,
  allocatable: 4000,
  clearedAt: now,
})

void describe('which node to look at first', () => {
  each(
    [
      {
        name: 'overload before suffering',
        worse: { mode: 'overloaded' as const },
        than: { suffering: 9 },
      },
      {
        name: 'suffering before a silent agent',
        worse: { suffering: 1 },
        than: { trouble: 'no answer' },
      },
      {
        name: 'a silent agent before congestion',
        worse: { trouble: 'no answer' },
        than: { mode: 'congested' as const },
      },
      {
        name: 'an old market before congestion',
        worse: { clearedAt: now - 90_000 },
        than: { mode: 'congested' as const },
      },
      {
        name: 'congestion before much use',
        worse: { mode: 'congested' as const },
        than: { used: 4000 },
      },
      {
        name: 'more suffering before less',
        worse: { suffering: 2 },
        than: { suffering: 1, used: 4000 },
      },
      { name: 'more use before less', worse: { used: 200 }, than: {} },
    ],
    ({ worse, than }) =>
      assert.ok(troubleOf({ ...calm, ...worse }, now) > troubleOf({ ...calm, ...than }, now)),
  )

  void test('use is of what the node has, and never more than all', () => {
    assert.equal(usedRatio({ ...calm, used: 1000 }), 0.25)
    assert.equal(usedRatio({ ...calm, used: 9000 }), 1)
    assert.equal(usedRatio({ ...calm, allocatable: 0 }), 0)
  })

  each(
    [
      { name: 'nothing is wrong with a calm node', tile: {}, says: undefined },
      {
        name: 'a silent agent is told of with how long it is',
        tile: { silentSince: now - 52_000, trouble: 'connection refused' },
        says: 'agent silent for 52 s',
      },
      { name: 'else what is known', tile: { trouble: 'no answer' }, says: 'no answer' },
      { name: 'or that it is old', tile: { clearedAt: now - 90_000 }, says: 'its market is old' },
    ],
    ({ tile, says }) => assert.equal(wrongWith({ ...calm, ...tile }, now), says),
  )

  void test('modes are counted', () => {
    const counts = countModes([calm, { ...calm, mode: 'congested' }, calm])
    assert.deepEqual(
      [...counts],
      [
        ['uncongested', 2],
        ['congested', 1],
      ],
    )
  })
})

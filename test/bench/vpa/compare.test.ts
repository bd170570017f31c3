import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { behindIn, gapOf, spreadOf } from './compare.ts'
import type { Repeated } from './contest.ts'
import type { Figure } from './figure-list.ts'

const passesOf = (arm: string, values: readonly number[]): Repeated[] =>
  values.map((requestedCores, i) => ({
    arm,
    repeat: i + 1,
    services: [],
    requestedCores,
    usedCores: 1,
    changes: 0,
    changesUnderLoad: 0,
    kernelChanges: 0,
    restarts: 0,
    pendingResizes: 0,
    programCores: 0,
    stealRatio: 0,
    othersRatio: 0,
  }))

const figure = (better: Figure['better']): Figure => ({
  name: 'CPU requested',
  of: ({ requestedCores }) => requestedCores,
  better,
  digits: 2,
})

const gap = (
  own: readonly number[],
  theirs: readonly number[],
  better: Figure['better'] = 'less',
) =>
  gapOf([...passesOf('MBCAS', own), ...passesOf('VPA', theirs)], figure(better), {
    ours: 'MBCAS',
    rival: 'VPA',
  })

void describe('a figure of the real node', () => {
  void test('is the median of the repeats, between the least and the most', () => {
    const spread = spreadOf(passesOf('VPA', [3, 1, 2, 9, 5]), 'VPA', figure('less'))
    assert.deepEqual(spread, { median: 3, low: 1, high: 9 })
    assert.equal(spreadOf([], 'VPA', figure('less')), undefined)
  })

  each(
    [
      {
        name: 'twice as much each time is behind',
        own: [2, 4, 6],
        theirs: [1, 2, 3],
        log: Math.LN2,
      },
      { name: 'half as much is ahead', own: [1, 2, 3], theirs: [2, 4, 6], log: -Math.LN2 },
      {
        name: 'more is better of what one gets',
        own: [2, 4],
        theirs: [1, 2],
        more: true,
        log: -Math.LN2,
      },
    ],
    ({ own, theirs, log, more = false }) => {
      const found = gap(own, theirs, more ? 'more' : 'less')
      assert.ok(found?.isRatio && Math.abs(found.gap.mean - log) < 0.001)
      assert.equal(found.isBeyondChance, log > 0)
    },
  )

  void test('where one has none the difference counts', () => {
    const found = gap([24, 20], [0, 2])
    assert.deepEqual([found?.isRatio, found?.gap.mean], [false, 21])
  })

  void test('one repeat, or repeats that disagree, are within chance', () => {
    assert.equal(gap([2], [1])?.isBeyondChance, false)
    assert.equal(gap([2, 1], [1, 2.1])?.isBeyondChance, false)
  })

  void test('only what is compared and behind is named', () => {
    const passes = [
      ...passesOf('MBCAS', [2, 2]),
      ...passesOf('VPA', [1, 1]),
      ...passesOf('x', [3, 3]),
    ]
    const all = [figure('less'), figure('neither')]
    const found = behindIn(passes, all, { ours: 'MBCAS', rivals: ['VPA', 'x'] })
    assert.deepEqual(
      found.map((one) => [one.figure, one.rival]),
      [['CPU requested', 'VPA']],
    )
  })
})

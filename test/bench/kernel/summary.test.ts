import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import type { Repeated } from './contest.ts'
import { p99Ratio, summarise } from './summary.ts'
import { judge } from './verdict.ts'

type Given = {
  readonly arm: string
  readonly p99s: readonly number[]
  readonly hogOfLeft?: number
}

const passesOf = ({ arm, p99s, hogOfLeft }: Given): Repeated[] =>
  p99s.map((p99, i) => ({
    scene: 'beside-hog',
    arm,
    repeat: i + 1,
    isAgain: false,
    groups: [
      {
        name: 'service',
        usedCores: 0.6,
        calm: { requests: 100, p50: 4, p99, givenUpRatio: 0 },
        contended: undefined,
      },
    ],
    ...(hogOfLeft === undefined ? {} : { hogOfLeft }),
    agentCores: 0,
    stealRatio: 0,
    othersRatio: 0.01,
  }))

const ours = passesOf({ arm: 'MBCAS', p99s: [10, 20, 40], hogOfLeft: 0.95 })
const order = ['alone', 'no limits', 'by hand', 'MBCAS']

const verdictsBeside = (rival: Given) => {
  const passes = [...ours, ...passesOf(rival)]
  const all = judge(passes, summarise(passes, order))
  return all.filter(({ figure }) => figure.startsWith('p99'))
}

void describe('the summary', () => {
  void test('has medians, group by group, arms in the order of the tables', () => {
    const passes = [...ours, ...passesOf({ arm: 'alone', p99s: [9, 7, 8] })].toReversed()
    const summaries = summarise(passes, order)
    assert.deepEqual(
      summaries.map(({ arm, p99, p99s }) => [arm, p99, p99s]),
      [
        ['alone', 8, [9, 7, 8]],
        ['MBCAS', 20, [10, 20, 40]],
      ],
    )
  })

  void test('ratios are repeat by repeat, so that what all repeats share is not in doubt', () => {
    const passes = [...ours, ...passesOf({ arm: 'static', p99s: [20, 40, 80] })]
    const pair = { scene: 'beside-hog', group: 'service', ours: 'MBCAS', rival: 'static' }
    const { mean, low, high } = p99Ratio(passes, pair) ?? assert.fail()
    for (const value of [mean, low, high]) assert.ok(Math.abs((value ?? NaN) - 0.5) < 1e-9)
    assert.equal(p99Ratio(passes, { ...pair, rival: 'VPA' }), undefined)
  })
})

void describe('the verdicts', () => {
  each<{ name: string; rival: Given; met: readonly boolean[] }>(
    [
      {
        name: '1.25 times alone will do',
        rival: { arm: 'alone', p99s: [8, 16, 32] },
        met: [true],
      },
      { name: 'twice alone will not', rival: { arm: 'alone', p99s: [5, 10, 20] }, met: [false] },
      {
        name: '1.33 times by hand will do',
        rival: { arm: 'by hand', p99s: [7.5, 15, 30] },
        met: [true],
      },
      {
        name: 'a rival is ahead that is so in every repeat',
        rival: { arm: 'no limits', p99s: [9, 18, 36] },
        met: [false],
      },
      {
        name: 'a rival is not ahead by chance',
        rival: { arm: 'no limits', p99s: [5, 30, 30] },
        met: [true],
      },
    ],
    ({ rival, met }) =>
      assert.deepEqual(
        verdictsBeside(rival).map(({ isMet }) => isMet),
        met,
      ),
  )

  void test('the hog must have most of what is left', () => {
    const of = (hogOfLeft: number) => judge(passesOf({ arm: 'MBCAS', p99s: [1], hogOfLeft }), [])
    assert.deepEqual([of(0.91)[0]?.isMet, of(0.89)[0]?.isMet], [true, false])
  })
})

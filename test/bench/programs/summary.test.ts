import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import type { Repeated } from './contest.ts'
import { medianOf, summarise } from './summary.ts'
import { judge } from './verdict.ts'

type Brief = { readonly arm: string; readonly p99: number; readonly batchCores?: number }

const runOf = ({ arm, p99, batchCores }: Brief, repeat: number): Repeated => ({
  scene: 'postgres-steady',
  arm,
  repeat,
  services: [{ name: 'postgres', requests: 100, p50: 4, p90: 5, p99, max: p99, usedCores: 0.6 }],
  ...(batchCores === undefined ? {} : { batchCores }),
  agentCores: 0,
  stealRatio: 0,
  othersRatio: 0,
})

const runs = [
  [10, 12, 20].map((p99, i) => runOf({ arm: 'alone', p99 }, i)),
  [60, 50, 70].map((p99, i) => runOf({ arm: 'no limits', p99, batchCores: 1.4 }, i)),
  [15, 15, 15].map((p99, i) => runOf({ arm: 'by hand', p99, batchCores: 1.3 }, i)),
  [18, 17, 90].map((p99, i) => runOf({ arm: 'MBCAS', p99, batchCores: 1.2 }, i)),
].flat()

const arms = ['alone', 'no limits', 'static-burst', 'by hand', 'MBCAS']

void describe('summaries of the programs bench', () => {
  each(
    [
      { name: 'the one in the middle', values: [5, 1, 3], gives: 3 },
      { name: 'the mean of the two in the middle', values: [4, 1, 2, 9], gives: 3 },
      { name: 'the only one', values: [7], gives: 7 },
    ],
    ({ values, gives }) => assert.equal(medianOf(values), gives),
  )

  void test('arms that ran, in the order of the tables, with medians beside two others', () => {
    const summaries = summarise(runs.toReversed(), arms)
    assert.deepEqual(
      summaries.map(({ arm }) => arm),
      ['alone', 'no limits', 'by hand', 'MBCAS'],
    )
    const ours = summaries.at(-1)
    assert.deepEqual(ours?.p99s, [18, 17, 90])
    assert.deepEqual(
      [ours.p99, ours.toAlone, ours.toByHand, ours.batchCores],
      [18, 18 / 12, 18 / 15, 1.2],
    )
    assert.equal(summaries[0]?.batchCores, undefined)
  })

  each(
    [
      { name: 'a steady load', isBursty: false, met: [true, true, false] },
      {
        name: 'a load in bursts, where the aim is a fifth',
        isBursty: true,
        met: [true, false, false],
      },
    ],
    ({ isBursty, met }) => {
      const verdicts = judge(summarise(runs, arms), { ours: 'MBCAS', isBursty: () => isBursty })
      assert.deepEqual(
        verdicts.map(({ isMet }) => isMet),
        met,
      )
    },
  )

  void test('nothing is said beside an arm that was not run', () => {
    const own = runs.filter(({ arm }) => arm === 'MBCAS')
    assert.deepEqual(judge(summarise(own, arms), { ours: 'MBCAS', isBursty: () => true }), [])
  })
})

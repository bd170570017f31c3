import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import type { Contestant } from './contest.ts'
import { judge, summarise } from './summary.ts'

type Given = { readonly p99s: readonly number[]; readonly quota: number; readonly steps?: number[] }

const contestant = (name: string, { p99s, quota, steps = [1] }: Given): Contestant => ({
  arm: { name, isOurs: name.startsWith('MBCAS') },
  stepSeconds: steps,
  passes: p99s.map((p99) => ({
    latencies: [p99],
    p50: 1,
    p95: 2,
    p99,
    throttledRatio: 0.1,
    promisedCores: 1,
    allowedCores: quota,
    usedCores: 1,
    changesPerMinute: 3,
    jain: 1,
    p99ByService: {},
    byPhase: {},
    disturbance: { stealRatio: 0.02, othersRatio: 0.04 },
  })),
})

void describe('the summary', () => {
  const ours = contestant('MBCAS', { p99s: [10, 20, 30], quota: 1 })

  void test('differences are repeat by repeat, so that what all repeats share is not in doubt', () => {
    const rival = contestant('static', { p99s: [15, 25, 35], quota: 1.5 })
    const [, of] = summarise([ours, rival], 'MBCAS')
    assert.deepEqual(of?.lessOurs?.p99, { mean: 5, low: 5, high: 5 })
    assert.equal(of.lessOurs.allowedCores.mean, 0.5)
    assert.ok((of.means.p99.high ?? 0) > 40)
    assert.deepEqual(of.disturbance, { stealRatio: 0.02, othersRatio: 0.04 })
  })

  void test('ours is not compared to itself, and nothing to ours when it did not run', () => {
    assert.equal(summarise([ours], 'MBCAS')[0]?.lessOurs, undefined)
    const alone = summarise([contestant('VPA', { p99s: [1], quota: 1 })], 'MBCAS')
    assert.equal(alone[0]?.lessOurs, undefined)
    assert.deepEqual(judge(alone), [])
  })

  void test('a step that most groups never got over has no end', () => {
    const steps = [Infinity, 1, Infinity, 2, Infinity]
    const [of] = summarise([contestant('static', { p99s: [1], quota: 1, steps })], 'MBCAS')
    assert.equal(of?.stepSeconds, Infinity)
  })

  each(
    [
      { name: 'better in both', p99s: [40, 40, 40], quota: 2, says: 'both' },
      { name: 'better in p99 alone', p99s: [40, 40, 40], quota: 0.9, says: 'p99' },
      { name: 'better in quota alone', p99s: [5, 5, 5], quota: 2, says: 'quota' },
      { name: 'a tie is no better', p99s: [10, 20, 30], quota: 1, says: 'neither' },
    ],
    ({ p99s, quota, says }) => {
      const [verdict] = judge(summarise([contestant('static', { p99s, quota }), ours], 'MBCAS'))
      assert.equal(verdict?.betterIn, says)
      assert.equal(verdict.quotaRatio, 1 / quota)
    },
  )

  void test('each of ours is judged beside each rival', () => {
    const all = ['static', 'VPA', 'MBCAS', 'MBCAS cost'].map((name) =>
      contestant(name, { p99s: [1], quota: 1 }),
    )
    const pairs = judge(summarise(all, 'MBCAS')).map(({ ours, rival }) => `${ours}/${rival}`)
    assert.deepEqual(pairs, ['MBCAS/static', 'MBCAS/VPA', 'MBCAS cost/static', 'MBCAS cost/VPA'])
  })
})

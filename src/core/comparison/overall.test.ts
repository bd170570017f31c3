import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { arm, workload } from '../../../test/web/builders.ts'
import type { ArmResult } from './arm-result.ts'
import { overallVerdicts } from './overall-verdicts.ts'
import { overallOf } from './overall.ts'
import { summaryOf } from './summary.ts'

const of = (name: string, sloViolationRatio: number, more: Partial<ArmResult> = {}): ArmResult =>
  arm({ name, sloViolationRatio, p99Millis: 10, keptRatio: 1, ...more })

const overall = (...all: readonly ArmResult[][]) =>
  new Map(overallOf(all.map((arms) => summaryOf('one', arms))).map((one) => [one.name, one]))

void describe('many comparisons together', () => {
  void test('every scenario counts alike', () => {
    const found = overall([of('a', 0.1), of('b', 0)], [of('a', 0.3), of('b', 0.1)])
    assert.deepEqual([found.get('a')?.missedRatio, found.get('b')?.missedRatio], [0.2, 0.05])
  })

  void test('who misses half a point more than another is behind, but not than hindsight', () => {
    const found = overall(
      [of('a', 0.105), of('b', 0.1), of('oracle', 0)],
      [of('a', 0.106), of('b', 0.1), of('oracle', 0)],
    )
    assert.deepEqual(
      ['a', 'b', 'oracle'].map((name) => found.get(name)?.unbeaten),
      [1, 2, 2],
    )
  })

  void test('a scenario without targets judges nobody', () => {
    const silent = arm({ name: 'a', sloViolationRatio: 0 })
    const { p99Millis: _none, ...rest } = silent
    assert.equal(overall([rest as ArmResult]).get('a')?.withTargets, 0)
  })

  void test('the least work of any scenario is told beside that of no limits', () => {
    const found = overall(
      [of('a', 0, { usedCores: 2 }), of('unlimited', 0, { usedCores: 2 })],
      [of('a', 0, { usedCores: 1.9 }), of('unlimited', 0, { usedCores: 2 })],
    )
    assert.equal(found.get('a')?.leastWorkRatio, 0.95)
  })

  void test('what is promised beyond a request counts where that covers what is wanted', () => {
    const workloads = [
      workload({ name: 'covered', writtenCores: 1, demandedCores: 0.9, promisedCores: 1.2 }),
      workload({ name: 'small', writtenCores: 0.5, demandedCores: 0.9, promisedCores: 1.2 }),
      workload({ name: 'rounded', writtenCores: 1, demandedCores: 0.9, promisedCores: 1.005 }),
    ]
    assert.equal(overall([of('a', 0, { workloads })]).get('a')?.overPromised, 1)
  })
})

void describe('what many comparisons say of ours', () => {
  const all = [
    summaryOf('one', [of('unlimited', 0.1, { usedCores: 2 }), of('mbcas', 0.02, { usedCores: 2 })]),
    summaryOf('two', [
      of('unlimited', 0.1, { usedCores: 2 }),
      of('mbcas', 0.2, { usedCores: 1.9 }),
    ]),
  ]

  void test('names every scenario in which it does not lead', () =>
    assert.deepEqual(overallVerdicts(all), [
      'mbcas misses 11.0 % of targets, the best other arm, unlimited, 10.0 % (oracle aside), 1.10 of it.',
      'In 1 of 2 scenarios with targets no other arm misses fewer by more than half a point (oracle aside); one does in two (20.0 % against 10.0 % of unlimited).',
      'In 1 of 2 scenarios mbcas does at least 99.0 % of the work of unlimited; less in two (95.0 %).',
      'Where a written request covers what a workload wants, mbcas promises no more than that in any scenario.',
      'Targets, work and promises are all so in 1 of 2 scenarios (oracle aside).',
    ]))

  void test('says it without the arms that are made by hand as well, where those were played', () => {
    const arms = [of('unlimited', 0.1), of('mbcas', 0.02), of('by-hand', 0)]
    const said = overallVerdicts([summaryOf('one', arms)])
    assert.match(said[0] ?? '', /the best other arm, by-hand, 0\.0 % \(oracle aside\)\./)
    assert.match(said[2] ?? '', /unlimited, 10\.0 % \(oracle, by-hand aside\), 0\.20 of it/)
  })

  void test('says nothing where ours was not played', () =>
    assert.deepEqual(overallVerdicts([summaryOf('one', [of('unlimited', 0)])]), []))
})

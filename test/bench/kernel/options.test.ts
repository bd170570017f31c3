import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { millicores } from '../../../src/core/units.ts'
import { each } from '../../each.ts'
import { arms, fit } from './arm.ts'
import { secondsOf } from './contest.ts'
import { readOptions } from './options.ts'

void describe('the options of the kernel bench', () => {
  void test('without any, all arms five times take under 55 minutes, with passes run again', () => {
    const { plan } = readOptions([])
    assert.equal(plan.arms, arms)
    assert.equal(plan.repeats, 5)
    assert.ok(plan.spareRuns > 0 && secondsOf(plan) < 55 * 60)
  })

  void test('the quick form takes under three minutes', () => {
    const { plan } = readOptions(['--quick'])
    assert.equal(plan.arms, arms)
    assert.ok(secondsOf(plan) < 180)
  })

  void test('arms are named as in the tables, in any case', () => {
    const { plan } = readOptions([
      '--arms',
      'static, captain 0.02,MBCAS,no limit',
      '--repeats',
      '2',
    ])
    const names = plan.arms.map(({ name }) => name)
    assert.deepEqual(names, ['static', 'Captain 0.02', 'MBCAS', 'no limit'])
    assert.equal(plan.repeats, 2)
  })

  each(
    [
      {
        name: 'an unknown arm',
        flags: ['--arms', 'vpaa'],
        says: /--arms: expected names among static, VPA,.*got vpaa/,
      },
      {
        name: 'no number',
        flags: ['--repeats', 'many'],
        says: /--repeats: expected a whole number/,
      },
      { name: 'part of a second', flags: ['--pass-seconds', '1.5'], says: /--pass-seconds/ },
      { name: 'an unknown flag', flags: ['--fast'], says: /--fast/ },
    ],
    ({ flags, says }) => assert.throws(() => readOptions(flags), says),
  )
})

void describe('first quotas', () => {
  each(
    [
      { name: 'stay if the machine can promise them', wanted: [300, 500], gives: [300, 500] },
      { name: 'are cut alike if it cannot', wanted: [1600, 800], gives: [800, 400] },
    ],
    ({ wanted, gives }) => assert.deepEqual(fit(wanted.map(millicores), millicores(1200)), gives),
  )
})

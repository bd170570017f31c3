import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { arms } from './arm.ts'
import { countOf, secondsOf } from './contest.ts'
import { readOptions } from './options.ts'
import { scenes } from './scene.ts'

void describe('the options of the kernel bench', () => {
  void test('without any, all arms in both scenes eight times take under an hour', () => {
    const { plan } = readOptions([], () => 42)
    assert.deepEqual([plan.scenes, plan.arms, plan.repeats, plan.seed], [scenes, arms, 8, 42])
    assert.ok(secondsOf(plan) < 60 * 60, `${secondsOf(plan) / 60}`)
  })

  void test('only beside a hog a service runs alone', () => {
    const { plan } = readOptions(['--repeats', '1'])
    assert.equal(countOf(plan), 2 * arms.length - 1)
  })

  void test('the quick form takes under three minutes', () => {
    const { plan } = readOptions(['--quick'])
    assert.equal(plan.arms, arms)
    assert.ok(secondsOf(plan) < 180)
  })

  void test('names are as in the tables, in any case; all targets of Captain can be asked for', () => {
    const flags = ['--arms', 'by-hand, captain 0.02,MBCAS', '--scenes', 'each-other', '--seed', '9']
    const { plan } = readOptions(flags)
    const names = plan.arms.map(({ name }) => name)
    assert.deepEqual(names, ['by hand', 'Captain 0.02', 'MBCAS'])
    assert.deepEqual([plan.scenes.map(({ name }) => name), plan.seed], [['each-other'], 9])
  })

  each(
    [
      {
        name: 'an unknown arm',
        flags: ['--arms', 'vpaa'],
        says: /--arms: expected names among alone, no limits,.*got vpaa/,
      },
      {
        name: 'no number',
        flags: ['--repeats', 'many'],
        says: /--repeats: expected a whole number/,
      },
      { name: 'an unknown flag', flags: ['--fast'], says: /--fast/ },
    ],
    ({ flags, says }) => assert.throws(() => readOptions(flags), says),
  )
})

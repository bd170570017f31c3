import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { arms } from './arms.ts'
import { secondsOf } from './contest.ts'
import { readOptions } from './options.ts'

void describe('the options of the bench vpa', () => {
  void test('without any, four arms five times take at most 35 minutes', () => {
    const { plan } = readOptions([], () => 42)
    assert.deepEqual([plan.arms, plan.repeats, plan.seed], [arms, 5, 42])
    assert.ok(secondsOf(plan) <= 35 * 60, `${secondsOf(plan) / 60}`)
  })

  void test('the quick form takes under four minutes, with time to start', () => {
    assert.ok(secondsOf(readOptions(['--quick']).plan) < 240)
  })

  void test('further arms can be asked for by their names', () => {
    const { plan } = readOptions(['--arms', 'static-burst,vpa-requests-only', '--seed', '9'])
    const names = plan.arms.map(({ name }) => name)
    assert.deepEqual([names, plan.seed], [['static-burst', 'VPA, requests only'], 9])
  })

  void test('an unknown arm is refused with those that there are', () => {
    assert.throws(
      () => readOptions(['--arms', 'vpaa']),
      /--arms: expected names among static limits/,
    )
  })
})

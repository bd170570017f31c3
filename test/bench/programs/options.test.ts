import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { arms } from './arm.ts'
import { readOptions } from './options.ts'
import { scenes } from './scene.ts'

void describe('the options of the programs bench', () => {
  void test('without any, all arms in all scenes eight times, by a seed that is drawn', () => {
    const { plan } = readOptions([], () => 42)
    assert.deepEqual([plan.scenes, plan.arms, plan.repeats, plan.seed], [scenes, arms, 8, 42])
  })

  void test('the quick form is one scene, once', () => {
    const { plan } = readOptions(['--quick'])
    assert.deepEqual([plan.scenes.length, plan.arms, plan.repeats], [1, arms, 1])
  })

  void test('names are as in the tables, in any case, with or without spaces', () => {
    const flags = ['--scene', 'late-hog,Redis-steady', '--arm', 'by-hand, CPU.idle']
    const { plan } = readOptions([...flags, '--seconds', '7', '--json', 'x.json'])
    assert.deepEqual(
      plan.scenes.map(({ name }) => name),
      ['late-hog', 'redis-steady'],
    )
    assert.deepEqual(
      plan.arms.map(({ name }) => name),
      ['by hand', 'cpu.idle'],
    )
    assert.equal(plan.lengths.seconds, 7)
  })

  each(
    [
      {
        name: 'an unknown arm',
        flags: ['--arm', 'vpa'],
        says: /--arm: expected names among alone,/,
      },
      { name: 'an unknown scene', flags: ['--scene', 'x'], says: /--scene: expected names among/ },
      {
        name: 'too short for a burst',
        flags: ['--quick', '--scene', 'late-hog', '--seconds', '2'],
        says: /judging late-hog: expected a burst.*give it more --seconds/,
      },
      { name: 'no repeats', flags: ['--repeats', '0'], says: /--repeats: expected a whole number/ },
    ],
    ({ flags, says }) => {
      assert.throws(() => readOptions(flags), says)
    },
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { ComparisonView } from '../../apis/dashboard.ts'
import { createTally } from '../../core/comparison/tally.ts'
import { type Comparing, compareArms } from './compare.ts'

const arms = ['static', 'vpa', 'mbcas'] as const

/** One arm after the other comes to its end, the last one first. */
const playBackwards: Comparing['play'] = async (arm, tell) => {
  tell(0.5)
  for (let turns = arms.length - arms.findIndex((one) => one === arm); turns > 0; turns--) {
    await Promise.resolve()
  }
  return createTally().result(arm, 10)
}

void describe('comparing', () => {
  void test('arms are in the order asked for, whichever is done first', async () => {
    const views: ComparisonView[] = []
    const view = await compareArms({
      scenario: 'test',
      arms,
      parallel: 3,
      play: playBackwards,
      onProgress: (told) => views.push(told),
    })
    assert.deepEqual(
      view.arms.map(({ name }) => name),
      arms,
    )
    assert.equal(view.progress, undefined)
    assert.deepEqual(
      views.map(({ progress = 0 }) => progress.toFixed(2)),
      ['0.17', '0.33', '0.50', '0.67', '0.83', '1.00'],
    )
    assert.deepEqual(
      views[3]?.arms.map(({ name }) => name),
      ['mbcas'],
    )
  })

  void test('no more are played at once than told', async () => {
    let playing = 0
    let most = 0
    const play: Comparing['play'] = async (arm) => {
      playing += 1
      most = Math.max(most, playing)
      await Promise.resolve()
      playing -= 1
      return createTally().result(arm, 10)
    }
    await compareArms({ scenario: 'test', arms, parallel: 2, play })
    assert.equal(most, 2)
  })
})

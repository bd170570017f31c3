import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { type History, noHistory, recommend, remember, vpa } from './vpa.ts'

const MINUTE = 60_000
const DAY = 24 * 60

function pass(history: History, { minutes, cores }: { minutes: number; cores: number }): History {
  let now = history.last ?? 0
  let after = history
  for (let i = 0; i < minutes; i++) {
    now += MINUTE
    after = remember(after, { at: millis(now), cores })
  }
  return after
}

const days = (count: number): History => pass(noHistory, { minutes: count * DAY, cores: 0.3 })

/** Hours of 0.90 core until a figure leaves where it was. */
function hoursToMove(history: History, figure: 'target' | 'lower'): number {
  const before = recommend(history)[figure]
  let after = history
  for (let minute = 1; ; minute++) {
    after = pass(after, { minutes: 1, cores: 0.9 })
    if (recommend(after)[figure] > before * 1.5) return minute / 60
  }
}

void describe('vpa', () => {
  each(
    [
      {
        name: '8 days of history hold the target for 3.63 h',
        of: 8,
        figure: 'target',
        hours: 3.63,
      },
      { name: 'one day holds it for 1.88 h', of: 1, figure: 'target', hours: 1.88 },
      { name: '8 days hold the lower bound for 23.9 h', of: 8, figure: 'lower', hours: 23.9 },
      { name: 'one day holds it for 14.1 h', of: 1, figure: 'lower', hours: 14.1 },
    ] as const,
    ({ of, figure, hours }) => {
      const got = hoursToMove(days(of), figure)
      assert.ok(Math.abs(got - hours) < 0.06, `${got}`)
    },
  )

  each(
    [
      { name: 'steady use costs 17 %', history: days(8), gives: [349, 350, 393] },
      { name: 'little history widens the bounds', history: days(1), gives: [349, 350, 700] },
      { name: 'no history is the minimum', history: noHistory, gives: [25, 25, 1e14] },
    ],
    ({ history, gives }) => {
      const { lower, target, upper } = recommend(history)
      assert.deepEqual([lower, target, upper], gives)
    },
  )

  void test('the minimum of a pod is shared by its containers', () => {
    assert.equal(recommend(noHistory, 5).target, 5)
  })

  each(
    [
      {
        name: 'a request within the bounds stays',
        request: 360,
        hours: 1,
        gives: 360,
        why: /within/,
      },
      {
        name: 'one below is moved at once',
        request: 300,
        hours: 1,
        gives: 350,
        why: /lower bound/,
      },
      { name: 'one above as well', request: 500, hours: 1, gives: 350, why: /upper bound/ },
      { name: 'after 12 h a tenth suffices', request: 392, hours: 13, gives: 350, why: /12 h/ },
      { name: 'but not less', request: 380, hours: 13, gives: 380, why: /within/ },
    ],
    ({ request, hours, gives, why }) => {
      const history = days(8)
      const law = vpa(history)
      const at = millis((history.last ?? 0) + MINUTE)
      const state = law.start(millicores(request), millis(at - hours * 60 * MINUTE))
      const sample = { at, seconds: 60, usageCores: 0.3, throttledPeriods: 600 }
      const decision = law.decide(state, sample)
      assert.deepEqual([decision.request, decision.quota], [gives, gives])
      assert.match(decision.reason, why)
    },
  )
})

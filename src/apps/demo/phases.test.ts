import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../apis/read-scenario.ts'
import { phasesAt } from './phases.ts'

const phases = [
  { name: 'calm', at: '0s' },
  { name: 'rush', at: '10s' },
]

void describe('the marks of phases', () => {
  void test('are of one round where nothing begins anew', () => {
    assert.deepEqual(phasesAt(readScenario({ phases }), { startsAt: 1000, now: 5000 }), [
      { name: 'calm', at: 1000 },
      { name: 'rush', at: 11_000 },
    ])
  })

  void test('go from the round before this one to rounds to come', () => {
    const scenario = readScenario({ duration: '60s', phases })
    const marks = phasesAt(scenario, { startsAt: 1000, now: 200_000 })
    assert.deepEqual(marks.slice(0, 3), [
      { name: 'calm', at: 121_000 },
      { name: 'rush', at: 131_000 },
      { name: 'calm', at: 181_000 },
    ])
    assert.ok((marks.at(-1)?.at ?? 0) > 600_000)
  })
})

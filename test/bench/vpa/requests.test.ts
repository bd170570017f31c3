import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { openEvaluation } from './evaluation.ts'
import { slotsOf } from './requests.ts'

void describe('the requests of a pass', async () => {
  const evaluation = await openEvaluation({ cpus: 2, seconds: 75 })
  const slots = slotsOf(evaluation, 7)
  const gateway = slots[0]?.requests ?? []
  const countIn = (phase: number): number => {
    const { fromSecond = 0, toSecond = 0 } = evaluation.phases[phase] ?? {}
    const isIn = (at: number): boolean => at >= fromSecond * 1e6 && at < toSecond * 1e6
    return gateway.filter(({ atMicros }) => isIn(atMicros)).length
  }

  void test('are the same for the same seed, and others for another', () => {
    assert.deepEqual(slotsOf(evaluation, 7), slots)
    assert.notDeepEqual(slotsOf(evaluation, 8), slots)
  })

  void test('come in order, and as many as the phase has', () => {
    assert.deepEqual(
      gateway,
      gateway.toSorted((a, b) => a.atMicros - b.atMicros),
    )
    assert.ok(Math.abs(countIn(2) - 625) < 100, `${countIn(2)}`)
    assert.ok(countIn(1) < 0.7 * countIn(2) && countIn(0) < countIn(1))
  })

  void test('none are of the noise', () => {
    assert.deepEqual(
      slots.map(({ workload, requests }) => [workload, requests.length > 0]),
      [
        ['gateway', true],
        ['worker-a', true],
        ['worker-b', true],
        ['noise', false],
      ],
    )
  })
})

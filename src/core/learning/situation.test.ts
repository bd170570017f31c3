import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { rewardOf, type Situation, situationName, situationNames } from './situation.ts'

const calm: Situation = { demandCores: 0.1, allocationCores: 0.125, waitedRatio: 0 }

const situation = fc.record({
  demandCores: fc.double({ min: 0, max: 64, noNaN: true }),
  allocationCores: fc.double({ min: 0.01, max: 64, noNaN: true }),
  waitedRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  latencyRatio: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
})

void describe('situation', () => {
  each(
    [
      { name: 'slack costs', of: calm, is: '0.7-0.85/none/unknown', reward: -0.2 },
      {
        name: 'waiting costs more than slack',
        of: { ...calm, allocationCores: 0.1, waitedRatio: 0.2 },
        is: 'from 1/some/unknown',
        reward: -0.8,
      },
      {
        name: 'and is much where a pod is said to wait',
        of: { ...calm, allocationCores: 0.1, waitedRatio: 0.3 },
        is: 'from 1/much/unknown',
        reward: -1.2,
      },
      {
        name: 'latency within its target costs nothing',
        of: { ...calm, waitedRatio: 0.01, latencyRatio: 0.9 },
        is: '0.7-0.85/some/near',
        reward: -0.24,
      },
      {
        name: 'beyond it does, up to three times',
        of: { ...calm, latencyRatio: 50 },
        is: '0.7-0.85/none/late',
        reward: -4.2,
      },
    ],
    ({ of, is, reward }) => {
      assert.equal(situationName(of), is)
      assert.ok(Math.abs(rewardOf(of) - reward) < 1e-12)
    },
  )

  void test('every situation has one of 60 names, and no reward is above 0', () => {
    assert.equal(situationNames.size, 60)
    fc.assert(
      fc.property(situation, (one) => {
        assert.ok(situationNames.has(situationName(one)))
        assert.ok(rewardOf(one) <= 0 && Number.isFinite(rewardOf(one)))
      }),
    )
  })

  void test('units do not matter', () => {
    fc.assert(
      fc.property(situation, (one) => {
        const { demandCores, allocationCores } = one
        const scaled = {
          ...one,
          demandCores: 4 * demandCores,
          allocationCores: 4 * allocationCores,
        }
        assert.equal(situationName(scaled), situationName(one))
        assert.equal(rewardOf(scaled), rewardOf(one))
      }),
    )
  })
})

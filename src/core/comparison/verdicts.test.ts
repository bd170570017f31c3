import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { ArmResult } from './arm-result.ts'
import { figures, leadersIn, missed } from './figures.ts'
import { verdictsOf } from './verdicts.ts'

const arm = (name: string, given: Partial<ArmResult> = {}): ArmResult => ({
  name,
  sloViolationRatio: 0.1,
  p99Millis: 50,
  throttledRatio: 0,
  writtenCores: 4,
  promisedCores: 4,
  allowedCores: 8,
  usedCores: 3,
  demandedCores: 4,
  changes: 0,
  jain: 1,
  restarts: 0,
  pendingPods: 0,
  workloads: [],
  history: { at: [], promised: [], allowed: [], used: [], violating: [] },
  ...given,
})

void describe('verdicts', () => {
  each(
    [
      {
        name: 'a lead at less CPU',
        ours: { sloViolationRatio: 0.02, promisedCores: 3.5 },
        says: [
          'mbcas misses fewer targets than static, does as much of the work and promises less CPU: targets missed 2.0 % against 10.0 %, work done 75.0 % against 75.0 %, CPU promised 3.50 cores against 4.00 cores.',
        ],
      },
      {
        name: 'more CPU promised is told twice',
        ours: { sloViolationRatio: 0.02, promisedCores: 5 },
        says: [
          'mbcas misses fewer targets than static, does as much of the work and promises more CPU: targets missed 2.0 % against 10.0 %, work done 75.0 % against 75.0 %, CPU promised 5.00 cores against 4.00 cores.',
          'Ahead of mbcas (5.00 cores) in CPU promised: static (4.00 cores).',
        ],
      },
      {
        name: 'where we trail it is told',
        ours: { sloViolationRatio: 0.2, changes: 3, jain: 0.9 },
        says: [
          'mbcas misses more targets than static, does as much of the work and promises as much CPU: targets missed 20.0 % against 10.0 %, work done 75.0 % against 75.0 %, CPU promised 4.00 cores against 4.00 cores.',
          'Ahead of mbcas (20.0 %) in targets missed: static (10.0 %).',
          'Ahead of mbcas (3) in changes: static (0).',
          'Ahead of mbcas (0.900) in fairness (Jain): static (1.000).',
        ],
      },
      {
        name: 'work that is held back is told twice',
        ours: { sloViolationRatio: 0.02, usedCores: 2 },
        says: [
          'mbcas misses fewer targets than static, does less of the work and promises as much CPU: targets missed 2.0 % against 10.0 %, work done 50.0 % against 75.0 %, CPU promised 4.00 cores against 4.00 cores.',
          'Ahead of mbcas (50.0 %) in work done: static (75.0 %).',
        ],
      },
      {
        name: 'limits that add up to more than there is are no disadvantage',
        ours: { allowedCores: 80 },
        says: [
          'mbcas misses as many targets as static, does as much of the work and promises as much CPU: targets missed 10.0 % against 10.0 %, work done 75.0 % against 75.0 %, CPU promised 4.00 cores against 4.00 cores.',
        ],
      },
    ],
    ({ ours, says }) => assert.deepEqual(verdictsOf([arm('static'), arm('mbcas', ours)]), says),
  )

  void test('those ahead are told from the best on', () => {
    const arms = [arm('static', { changes: 2 }), arm('vpa'), arm('mbcas', { changes: 9 })]
    assert.ok(verdictsOf(arms).includes('Ahead of mbcas (9) in changes: vpa (0), static (2).'))
  })

  void test('nothing is said of targets where there are none, nor without mbcas', () => {
    const { p99Millis: _, ...aimless } = arm('static')
    assert.deepEqual(verdictsOf([aimless, { ...aimless, name: 'mbcas' }]), [])
    assert.deepEqual(verdictsOf([arm('static'), arm('vpa', { changes: 5 })]), [])
  })
})

void describe('leaders', () => {
  void test('are all that none is better than', () => {
    const arms = [arm('a'), arm('b', { sloViolationRatio: 0.3 }), arm('c')]
    assert.deepEqual(
      leadersIn(missed, arms).map(({ name }) => name),
      ['a', 'c'],
    )
  })

  void test('are none where all look alike', () => {
    const arms = [arm('a'), arm('b', { sloViolationRatio: 0.10001 })]
    for (const figure of figures) assert.deepEqual(leadersIn(figure, arms), [])
  })
})

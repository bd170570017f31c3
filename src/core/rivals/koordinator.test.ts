import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { type Millicores, millicores, millis } from '../units.ts'
import { koordinator, type KoordinatorOptions, type KoordinatorState } from './koordinator.ts'
import type { Decision, Sample } from './law.ts'

const second: Sample = {
  at: millis(0),
  seconds: 1,
  usageCores: 0.1,
  throttledPeriods: 0,
  sharePoolRatio: 0.1,
}
const throttled: Sample = { ...second, throttledPeriods: 3 }

function run(samples: readonly Sample[], options?: KoordinatorOptions) {
  const law = koordinator(options)
  const all: Decision<KoordinatorState>[] = []
  let state = law.start(millicores(100), millis(0))
  for (const sample of samples) {
    const decision = law.decide(state, sample)
    all.push(decision)
    ;({ state } = decision)
  }
  return all
}

const quotas = (samples: readonly Sample[], options?: KoordinatorOptions): Millicores[] =>
  run(samples, options).map(({ quota }) => quota)
const times = (count: number, sample: Sample) => Array.from({ length: count }, () => sample)

void describe('koordinator', () => {
  each(
    [
      {
        name: 'x 3 takes 7 s, and no more',
        of: times(8, throttled),
        gives: [120, 144, 173, 207, 249, 299, 300, 300],
      },
      {
        name: 'it never shrinks while the node is idle',
        of: [throttled, ...times(3, second)],
        gives: [120, 120, 120, 120],
      },
      {
        name: 'at half of the share pool it shrinks to the limit',
        of: [throttled, throttled, ...times(3, { ...throttled, sharePoolRatio: 0.5 })],
        gives: [120, 144, 115, 100, 100],
      },
      {
        name: 'from 45 % it does not grow',
        of: [throttled, { ...throttled, sharePoolRatio: 0.45 }],
        gives: [120, 120],
      },
      {
        name: 'nor when the pool is unknown',
        of: [{ ...throttled, sharePoolRatio: undefined }],
        gives: [100],
      },
    ],
    ({ of, gives }) => assert.deepEqual(quotas(of), gives),
  )

  const busy = { ...throttled, usageCores: 0.2 }
  each(
    [
      { name: 'an empty bucket shrinks', of: [busy], filledRatio: 0, gives: [100] },
      // 2 s of the largest burst are 4 tokens, half are there, and each second at twice the limit costs 1.
      {
        name: 'tokens are spent above the limit',
        of: times(4, busy),
        filledRatio: 0.5,
        gives: [120, 100, 100, 100],
      },
      {
        name: 'and neither spent nor saved from 60 %',
        of: times(3, { ...throttled, usageCores: 0.07 }),
        filledRatio: 0.5,
        gives: [120, 144, 173],
      },
      {
        name: 'idle time saves them',
        of: [...times(3, busy), ...times(2, { ...second, usageCores: 0 }), throttled],
        filledRatio: 0.5,
        gives: [120, 100, 100, 100, 100, 120],
      },
    ],
    ({ of, filledRatio, gives }) => {
      assert.deepEqual(quotas(of, { burstSeconds: 2, filledRatio }), gives)
    },
  )

  void test('the request stays the limit, and every decision tells why', () => {
    const [decision] = run([throttled])
    assert.deepEqual([decision?.request, decision?.reason], [100, 'throttled in 3 periods'])
  })
})

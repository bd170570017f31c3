import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import type { Outcome } from './pass.ts'
import { profiles } from './profile.ts'
import { compare, judge } from './verdict.ts'

const [profile] = profiles
assert.ok(profile)

const outcomes = (p99s: readonly number[], quotas: readonly number[]): Outcome[] =>
  p99s.map((p99, seed) => ({
    scene: { profile, seed },
    latencies: Float64Array.of(p99),
    quotaCores: quotas[seed] ?? NaN,
    usageCores: 0.1,
    throttledRatio: 0,
    changesPerMinute: 0,
    stepSeconds: undefined,
  }))

const scale = (values: readonly number[], factor: number) => values.map((value) => value * factor)
const p99s = [5, 50, 500, 5, 50, 500]
const quotas = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]

void describe('verdict', () => {
  each(
    [
      { name: 'the same is no help', p99: 1, quota: 1, helps: false },
      { name: 'a better p99 at the same quota helps', p99: 0.9, quota: 1, helps: true },
      { name: 'a lower quota at the same p99 helps', p99: 1, quota: 0.9, helps: true },
      { name: 'a better p99 at more quota does not', p99: 0.5, quota: 1.01, helps: false },
      { name: 'a lower quota at a worse p99 does not', p99: 1.01, quota: 0.5, helps: false },
    ],
    ({ p99, quota, helps }) => {
      const added = outcomes(scale(p99s, p99), scale(quotas, quota))
      assert.equal(judge(outcomes(p99s, quotas), added).helps, helps)
    },
  )

  void test('a gain in one pass alone is within doubt', () => {
    const added = outcomes([1, ...p99s.slice(1)], quotas)
    const { helps, p99 } = judge(outcomes(p99s, quotas), added)
    assert.ok(p99.mean < 1 && p99.high >= 1 && !helps)
  })

  void test('pairs are compared as ratios: large values do not drown small ones', () => {
    const { mean, low, high } = compare([1, 1000], [2, 500])
    assert.ok(Math.abs(mean - 1) < 1e-12 && low < 1 && high > 1)
  })
})

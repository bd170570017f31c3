import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { seededRandom } from '../random.ts'
import { millis } from '../units.ts'
import { followTrend, type Measurement, predictDemand, startTrend, type Trend } from './trend.ts'

const every =
  (step: number) =>
  (cores: number, i: number): Measurement => ({ at: millis(Math.round(i * step * 1000)), cores })

function follow(measurements: readonly Measurement[]): Trend {
  const [first, ...rest] = measurements
  assert.ok(first)
  return rest.reduce(followTrend, startTrend(first))
}

const constant = (cores: number, count: number) => Array.from({ length: count }, () => cores)
const ramp = (slope: number, count: number) => Array.from({ length: count }, (_, i) => slope * i)

void describe('trend', () => {
  each(
    [
      { name: 'a constant stays', cores: constant(0.3, 20), level: 0.3, velocity: 0, in2s: 0.3 },
      {
        name: 'a ramp is followed without lag',
        cores: ramp(0.1, 60),
        level: 5.9,
        velocity: 0.1,
        in2s: 6.1,
      },
      {
        name: 'one outlier in a constant is kept out',
        cores: [...constant(0.3, 20), 0.9],
        level: 0.3,
        velocity: 0,
        in2s: 0.3,
      },
      {
        name: 'three in a row are a new level',
        cores: [...constant(0.3, 20), 0.9, 0.9, 0.9],
        level: 0.9,
        velocity: 0,
        in2s: 0.9,
      },
      {
        name: 'outliers on both sides are none',
        cores: [...constant(0.3, 20), 0.9, 0.1, 0.9],
        level: 0.3,
        velocity: 0,
        in2s: 0.3,
      },
    ],
    ({ cores, level, velocity, in2s }) => {
      const trend = follow(cores.map(every(1)))
      const close = (got: number, want: number) => assert.ok(Math.abs(got - want) < 0.005, `${got}`)
      close(trend.level, level)
      close(trend.velocity, velocity)
      close(predictDemand(trend, 2), in2s)
    },
  )

  void test('a forecast is never negative', () => {
    const falling = follow(
      ramp(-0.1, 30)
        .map((fall) => 3 + fall)
        .map(every(1)),
    )
    assert.ok(falling.velocity < -0.09)
    assert.equal(predictDemand(falling, 60), 0)
  })

  void test('noise is averaged out: the level is nearer to the truth than the measurements', () => {
    const random = seededRandom(7)
    const noisy = Array.from({ length: 400 }, () => 1 + 0.4 * (random() - 0.5))
    let trend = startTrend({ at: millis(0), cores: noisy[0] ?? 0 })
    let [ours, theirs] = [0, 0]
    for (const [i, cores] of noisy.entries()) {
      trend = followTrend(trend, { at: millis(i * 1000), cores })
      if (i < 50) continue
      ours += (trend.level - 1) ** 2
      theirs += (cores - 1) ** 2
    }
    assert.ok(ours < theirs / 2, `${ours} against ${theirs}`)
  })

  void test('the course hardly depends on how often it is measured', () => {
    const slow = follow(ramp(0.1, 60).map(every(1)))
    const fast = follow(ramp(0.025, 237).map(every(0.25)))
    assert.equal(slow.at, fast.at)
    assert.ok(Math.abs(predictDemand(slow, 3) - predictDemand(fast, 3)) < 0.01)
  })

  void test('a gap is bridged by the velocity, a long one starts anew', () => {
    const rising = follow(ramp(0.1, 60).map(every(1)))
    const bridged = followTrend(rising, { at: millis(69_000), cores: 6.9 })
    assert.ok(Math.abs(bridged.velocity - 0.1) < 0.01 && bridged.reason === 'as expected')
    const anew = followTrend(rising, { at: millis(120_000), cores: 1 })
    assert.deepEqual([anew.level, anew.velocity], [1, 0])
    assert.match(anew.reason, /started anew after 61 s/)
  })

  void test('a measurement that is not later is left out', () => {
    const trend = follow(constant(0.3, 5).map(every(1)))
    const again = followTrend(trend, { at: trend.at, cores: 9 })
    assert.deepEqual({ ...again, reason: '' }, { ...trend, reason: '' })
    assert.match(again.reason, /left out/)
  })

  const steps = fc.array(
    fc.record({
      millis: fc.integer({ min: 20, max: 40_000 }),
      cores: fc.integer({ min: 0, max: 64_000 }).map((milli) => milli / 1000),
    }),
    { minLength: 2, maxLength: 60 },
  )
  const courseOf = (
    all: readonly { millis: number; cores: number }[],
    factor = 1,
  ): Measurement[] => {
    let at = 0
    return all.map((one) => ({ at: millis((at += one.millis)), cores: one.cores * factor }))
  }

  void test('the covariance stays positive definite whatever comes', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const [p00, p01, p11] = follow(courseOf(all)).covariance
        assert.ok(p00 > 0 && p11 > 0 && p00 * p11 > p01 * p01)
      }),
    )
  })

  void test('scaled measurements give scaled forecasts', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: -10, max: 10 }), (all, power) => {
        // A power of two scales without rounding, so that no gate falls differently.
        const factor = 2 ** power
        const plain = follow(courseOf(all))
        const scaled = follow(courseOf(all, factor))
        assert.equal(scaled.level, plain.level * factor)
        assert.equal(scaled.velocity, plain.velocity * factor)
        assert.equal(scaled.noise, plain.noise * factor * factor)
      }),
    )
  })
})

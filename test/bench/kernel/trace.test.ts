import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { type Reading, secondsToSuffice, stretchOf } from './trace.ts'

/** A reading every second, of a group that uses half of its quota. */
const readingsOf = (quotas: readonly number[]): Reading[] => {
  let usageMicros = 0
  return quotas.map((quotaCores, i) => {
    if (i > 0) usageMicros += (quotas[i - 1] ?? 0) * 0.5e6
    return {
      atMicros: i * 1e6,
      usageMicros,
      periods: i * 10,
      throttledPeriods: i,
      quotaCores,
      promisedCores: 1,
    }
  })
}

void describe('a stretch of a run', () => {
  const readings = readingsOf([1, 1, 3, 3, 2, 2])

  void test('averages by time and counts what changed in it', () => {
    assert.deepEqual(stretchOf(readings, { fromMicros: 0, toMicros: 5e6 }), {
      seconds: 5,
      usedCores: 1,
      allowedCores: 2,
      promisedCores: 1,
      periods: 50,
      throttledPeriods: 5,
      changes: 2,
    })
  })

  void test('knows nothing of what was before and after', () => {
    const part = stretchOf(readings, { fromMicros: 2e6, toMicros: 4.5e6 })
    assert.deepEqual([part.seconds, part.allowedCores, part.changes], [2, 3, 1])
  })

  void test('of one reading nothing can be said', () => {
    assert.throws(() => stretchOf(readings.slice(0, 1), { fromMicros: 0, toMicros: 9 }), /two/)
  })
})

void describe('the time to a quota that suffices', () => {
  const step = { atMicros: 1.5e6, cores: 2 }
  each(
    [
      { name: 'is that of the first reading with it', quotas: [1, 1, 1, 2, 1], gives: 1.5 },
      { name: 'is none if it stood there before', quotas: [1, 2, 2, 2], gives: 0 },
      { name: 'counts from the step, whatever was long before', quotas: [3, 1, 3], gives: 0.5 },
      { name: 'is infinite if it never came', quotas: [1, 1, 1.99], gives: Infinity },
    ],
    ({ quotas, gives }) => assert.equal(secondsToSuffice(readingsOf(quotas), step), gives),
  )
})

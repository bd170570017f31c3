import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { systemClock } from './system-clock.ts'

void describe('adapters/system-clock', () => {
  void test('sleeps as long as asked, or longer', async () => {
    const start = performance.now()
    await systemClock.sleep(50)
    const slept = performance.now() - start
    // A timer counts whole milliseconds of a clock that may stand still for one.
    assert.ok(slept > 48, `${slept} ms`)
  })

  void test('an aborted sleep ends at once, without an error', async () => {
    const stop = new AbortController()
    const sleeps = Array.from({ length: 20 }, async () => systemClock.sleep(60_000, stop.signal))
    stop.abort()
    await Promise.all([...sleeps, systemClock.sleep(60_000, stop.signal)])
  })

  void test('a sleep of a year is not a sleep of a millisecond', async () => {
    const stop = new AbortController()
    const year = systemClock.sleep(365 * 86_400_000, stop.signal).then(() => 'year')
    const short = systemClock.sleep(10).then(() => 'short')
    assert.equal(await Promise.race([year, short]), 'short')
    stop.abort()
    await year
  })
})

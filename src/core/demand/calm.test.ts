import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { judgeLook, type Look } from './calm.ts'
import type { CpuReading } from './reading.ts'

const start: CpuReading = {
  atMicros: 10_000_000,
  usageMicros: 1_000_000,
  periods: 100,
  throttledPeriods: 3,
  throttledMicros: 0,
  quotaMicros: 50_000,
  periodMicros: 100_000,
  weight: 1024,
  burstLimitMicros: 50_000,
}
const before = { ...start, atMicros: start.atMicros + 250_000, usageMicros: 1_020_000 }
const next = { ...before, atMicros: before.atMicros + 250_000, usageMicros: 1_045_000 }

const later = (seconds: number) => ({ atMicros: start.atMicros + seconds * 1e6 })

void describe('a look at a container', () => {
  each<{ name: string; now: Partial<CpuReading>; demandCores?: number; is: Look }>(
    [
      { name: 'at a fifth of its quota is calm', now: {}, is: 'calm' },
      {
        name: 'is news when it uses much less than before',
        now: { usageMicros: 1_022_000 },
        is: 'news',
      },
      { name: 'is news when it uses much more', now: { usageMicros: 1_065_000 }, is: 'news' },
      { name: 'is news above half of it', now: { usageMicros: 1_090_000 }, is: 'news' },
      { name: 'is news when throttled', now: { throttledPeriods: 4 }, is: 'news' },
      { name: 'is news under another quota', now: { quotaMicros: 60_000 }, is: 'news' },
      { name: 'is news with another burst', now: { burstLimitMicros: 0 }, is: 'news' },
      { name: 'is news when it started anew', now: { usageMicros: 5 }, is: 'news' },
      { name: 'is news when the clock stands', now: { atMicros: before.atMicros }, is: 'news' },
      {
        name: 'is due after a second',
        now: { ...later(1), usageMicros: 1_095_000 },
        is: 'due',
      },
      {
        name: 'is news after a second, too',
        now: { ...later(1), usageMicros: 1_300_000 },
        is: 'news',
      },
      {
        name: 'is calm after a second when it is idle',
        now: { ...later(1), usageMicros: 1_021_000 },
        demandCores: 0.001,
        is: 'calm',
      },
      {
        name: 'and due after two',
        now: { ...later(2), usageMicros: 1_021_000 },
        demandCores: 0.001,
        is: 'due',
      },
    ],
    ({ now, demandCores = 0.1, is }) =>
      assert.equal(judgeLook({ taken: start, before, now: { ...next, ...now }, demandCores }), is),
  )

  each([{ name: 'without a limit is calm, whatever it uses' }], () => {
    const now = { ...next, quotaMicros: null, usageMicros: 1_500_000 }
    const free = { ...before, quotaMicros: null }
    assert.equal(judgeLook({ taken: start, before: free, now, demandCores: 2 }), 'calm')
  })
})

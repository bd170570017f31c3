import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { isCalm } from './calm.ts'
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

void describe('a container is calm', () => {
  each<{ name: string; now: Partial<CpuReading>; calm: boolean }>(
    [
      { name: 'at a fifth of its quota', now: {}, calm: true },
      {
        name: 'not when it uses much less than before',
        now: { usageMicros: 1_022_000 },
        calm: false,
      },
      { name: 'not when it uses much more', now: { usageMicros: 1_065_000 }, calm: false },
      { name: 'not above half of it', now: { usageMicros: 1_090_000 }, calm: false },
      { name: 'not when throttled', now: { throttledPeriods: 4 }, calm: false },
      { name: 'not when its turn has come', now: { atMicros: start.atMicros + 1e6 }, calm: false },
      { name: 'not under another quota', now: { quotaMicros: 60_000 }, calm: false },
      { name: 'not with another burst', now: { burstLimitMicros: 0 }, calm: false },
      { name: 'not when it started anew', now: { usageMicros: 5 }, calm: false },
      { name: 'not when the clock stands', now: { atMicros: before.atMicros }, calm: false },
    ],
    ({ now, calm }) =>
      assert.equal(
        isCalm({ taken: start, before, now: { ...next, ...now }, demandCores: 0.1 }),
        calm,
      ),
  )

  each([{ name: 'without a limit, whatever it uses' }], () => {
    const free = { ...next, quotaMicros: null, usageMicros: 1_500_000 }
    assert.equal(
      isCalm({ taken: start, before: { ...before, quotaMicros: null }, now: free, demandCores: 2 }),
      true,
    )
  })
})

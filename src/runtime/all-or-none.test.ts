import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { allOrNone } from './all-or-none.ts'

void describe('runtime/all-or-none', () => {
  void test('when one part fails, it ends once the others have stopped', async () => {
    const clock = manualClock()
    const ending = new AbortController()
    const log: string[] = []
    const slow = async (): Promise<void> => {
      await clock.sleep(60_000, ending.signal)
      await clock.sleep(3000)
      log.push('slow part stopped')
    }
    const failing = async (): Promise<void> => {
      await clock.sleep(1000)
      throw new Error('no more')
    }
    const all = allOrNone([slow(), failing()], () => ending.abort()).catch((error: unknown) =>
      log.push(String(error)),
    )
    await clock.advance(2000)
    assert.deepEqual(log, [])
    await clock.advance(3000)
    await all
    assert.deepEqual(log, ['slow part stopped', 'Error: no more'])
  })
})

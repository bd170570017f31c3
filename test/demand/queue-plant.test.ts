import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { seededRandom } from '../../src/core/random.ts'
import { each } from '../each.ts'
import { createKernelPlant } from './kernel-plant.ts'
import { createQueuePlant } from './queue-plant.ts'

void describe('the plant', () => {
  each(
    [
      { name: 'one thread that is throttled', rate: 600, threads: 1, quotaMicros: 40_000 },
      { name: 'four threads that are', rate: 900, threads: 4, quotaMicros: 60_000 },
      { name: 'two that are now and then', rate: 400, threads: 2, quotaMicros: 55_000 },
    ],
    ({ rate, threads, quotaMicros }) => {
      const queue = createQueuePlant(
        { threads, cpuMicros: 1000, arrivals: { ratePerSecond: () => rate, highestRate: rate } },
        { cpus: 4, random: seededRandom(2), limit: { quotaMicros, burstMicros: quotaMicros } },
      )
      const load = `requests rate=${rate} cpu=1ms spread=exponential threads=${threads} queue=100000 seed=4`
      const kernel = createKernelPlant(load, { cpus: 4, quotaMicros })
      const [ours, theirs] = [queue.read(100_000_000), kernel.read(100_000_000)]
      for (const counter of ['usageMicros', 'periods', 'throttledPeriods'] as const) {
        const off =
          Math.abs(ours[counter] - theirs[counter]) / Math.max(theirs.periods, theirs[counter])
        assert.ok(off < 0.05, `${counter}: ${ours[counter]} against ${theirs[counter]}`)
      }
      const waited = Math.abs(ours.throttledMicros - theirs.throttledMicros) / 100_000_000
      assert.ok(
        waited < 0.05 * threads,
        `${ours.throttledMicros} against ${theirs.throttledMicros}`,
      )
    },
  )

  void test('clients that think use what their number and their thinking say', () => {
    const load = { threads: 4, cpuMicros: 1000, arrivals: { clients: 4, thinkMicros: 9000 } }
    const plant = createQueuePlant(load, { cpus: 4, random: seededRandom(1) })
    assert.ok(Math.abs(plant.read(100_000_000).usageMicros / 40_000_000 - 1) < 0.02)
  })

  void test('a burst above the quota is refused, as by the kernel', () => {
    const load = { threads: 1, cpuMicros: 1000, arrivals: { clients: 1, thinkMicros: 9000 } }
    const plant = createQueuePlant(load, { cpus: 1, random: seededRandom(1) })
    assert.throws(() => plant.set(1000, 2000), RangeError)
  })
})

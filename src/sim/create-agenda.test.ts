import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { createAgenda } from './create-agenda.ts'

const atOnce = () => createAgenda({ speed: 'max', startsAt: Date.UTC(2026, 0, 1) })

void describe('an agenda as fast as the machine allows', () => {
  void test('tasks run by moment, those of one moment in the order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }),
        async (moments) => {
          const agenda = atOnce()
          const seen: [number, number][] = []
          moments.forEach((moment, index) =>
            agenda.at(moment, () => seen.push([agenda.now(), index])),
          )
          await agenda.run({ until: 20 })
          const wanted = moments.map((moment, index): [number, number] => [moment, index])
          assert.deepEqual(
            seen,
            wanted.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
          )
        },
      ),
    )
  })

  void test('what is crossed out does not run', async () => {
    const agenda = atOnce()
    const seen: number[] = []
    const cancels = [1, 2, 3, 4].map((moment) => agenda.at(moment, () => seen.push(moment)))
    cancels[1]?.()
    agenda.at(2, () => cancels[2]?.())
    await agenda.run({ until: 10 })
    assert.deepEqual(seen, [1, 4])
    assert.equal(agenda.now(), 10)
  })

  void test('time stands still until promises have settled', async () => {
    const agenda = atOnce()
    const seen: string[] = []
    const loop = async (name: string, every: number) => {
      for (let i = 0; i < 3; i += 1) {
        await agenda.clock.sleep(every)
        for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
        seen.push(`${agenda.now()} ${name}`)
      }
    }
    const loops = [loop('a', 10), loop('b', 15)]
    await agenda.run({ until: 100 })
    await Promise.all(loops)
    assert.deepEqual(seen, ['10 a', '15 b', '20 a', '30 b', '30 a', '45 b'])
  })

  void test('a moment that is past is now, after what is queued', async () => {
    const agenda = atOnce()
    const seen: string[] = []
    agenda.at(50, () => {
      agenda.at(10, () => seen.push(`late ${agenda.now()}`))
      agenda.soon(() => seen.push('soon'))
    })
    await agenda.run({ until: 100 })
    assert.deepEqual(seen, ['soon', 'late 50'])
  })

  void test('an aborted sleep ends early, and an aborted run stops', async () => {
    const agenda = atOnce()
    const stop = new AbortController()
    const slept = agenda.clock.sleep(1e9, stop.signal)
    agenda.at(5, () => stop.abort())
    agenda.at(6, () => assert.fail('ran on'))
    await agenda.run({ signal: stop.signal })
    await slept
    assert.equal(agenda.now(), 5)
  })

  void test('the wall clock is the start and what has passed', async () => {
    const agenda = atOnce()
    await agenda.run({ until: 90_000 })
    assert.equal(new Date(agenda.wall()).toISOString(), '2026-01-01T00:01:30.000Z')
    assert.equal(agenda.clock.wall(), agenda.wall())
  })
})

void describe('an agenda at a factor of real time', () => {
  void test('where the machine is too slow time goes slower, and nothing comes much too late', async () => {
    const agenda = createAgenda({ speed: 10, startsAt: 0 })
    const late: number[] = []
    const moments = Array.from({ length: 20 }, (_, i) => i * 100)
    for (const moment of moments)
      agenda.at(moment, () => {
        late.push(agenda.now() - moment)
        const done = performance.now() + 20
        while (performance.now() < done); // twice as long as it has
      })
    agenda.at(2000, () => {}) // the last one, too, has one after it
    await agenda.run({ until: 2000 })
    assert.equal(late.length, moments.length)
    assert.ok(Math.max(...late) <= 600, `${Math.max(...late)} ms`)
  })

  void test('an hour at factor 100,000 runs its tasks in order, and no earlier than it should', async () => {
    const agenda = createAgenda({ speed: 100_000, startsAt: 0 })
    const seen: number[] = []
    for (const minute of [30, 10, 20])
      agenda.at(minute * 60_000, () => {
        assert.ok(agenda.now() >= minute * 60_000)
        seen.push(minute)
      })
    await agenda.run({ until: 3_600_000 })
    assert.deepEqual(seen, [10, 20, 30])
  })

  void test('what falls due while the process stands still is run, and no more than that', async () => {
    const agenda = createAgenda({ speed: 100_000, startsAt: 0 })
    const seen: number[] = []
    agenda.at(0, () => {
      const done = performance.now() + 72 // two hours
      while (performance.now() < done);
    })
    for (const minute of [10, 59, 61]) agenda.at(minute * 60_000, () => seen.push(minute))
    await agenda.run({ until: 3_600_000 })
    assert.deepEqual(seen, [10, 59])
  })

  void test('what comes from outside wakes it up', async () => {
    const agenda = createAgenda({ speed: 1, startsAt: 0 })
    const stop = new AbortController()
    const running = agenda.run({ signal: stop.signal })
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise<void>((resolve) => agenda.soon(resolve))
    await new Promise<void>((resolve) => void agenda.at(agenda.now(), resolve))
    stop.abort()
    await running
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { parseLoad } from './load.ts'
import { parseRecording } from './recording.ts'

const recordings = new Map(
  Object.entries({
    'plain.csv': '0,1\n10,2.5\n',
    'rate.csv': 'seconds,rate\n0,1\n10,2.5\n',
    'cores.csv': 'seconds,cores\n0,1\n10,2.5\n',
    'dense.csv': '0,1\n0.01,2\n',
  }).map(([name, text]) => [name, parseRecording(text, name)]),
)
const play = (text: string) => parseLoad(`recorded ${text}`, recordings)

void describe('a recorded load', () => {
  each(
    [
      { name: 'of requests, as cpu says', text: 'file=plain.csv cpu=1ms' },
      { name: 'of requests, as the file says too', text: 'file=rate.csv cpu=1ms' },
    ],
    ({ text }) => {
      const load = play(`${text} scale=2 speed=3 after=loop threads=4 seed=7`)
      assert.ok(load.kind === 'requests' && load.rate.shape === 'recorded')
      const { recording, ...how } = load.rate.replay
      assert.deepEqual(recording.figures, [1, 2.5])
      assert.deepEqual(how, { scale: 2, speed: 3, after: 'loop' })
      assert.deepEqual([load.cpuMicros, load.threads, load.queue, load.seed], [1000, 4, 1000, 7])
    },
  )

  each(
    [
      { name: 'of cores has the threads that its peak needs', text: 'file=plain.csv', threads: 3 },
      { name: 'of cores may say so', text: 'file=cores.csv', threads: 3 },
      { name: 'of more cores has more threads', text: 'file=cores.csv scale=2', threads: 5 },
      { name: 'of cores may have more threads', text: 'file=cores.csv threads=8', threads: 8 },
      { name: 'of next to nothing has one', text: 'file=cores.csv scale=0.01', threads: 1 },
    ],
    ({ text, threads }) => {
      const load = play(text)
      assert.deepEqual([load.kind, 'threads' in load && load.threads], ['replayed', threads])
    },
  )

  each(
    [
      {
        name: 'no such recording',
        text: 'file=/etc/passwd',
        says: `there is no recording "/etc/passwd" in this cluster's scenario`,
      },
      {
        name: 'cores as requests',
        text: 'file=cores.csv cpu=1ms',
        says: 'expected no cpu, as the header of the file says cores, got the CPU time of a request',
      },
      {
        name: 'rates as cores',
        text: 'file=rate.csv',
        says: 'expected cpu, the CPU time of a request, as the header of the file says rate, got none',
      },
      {
        name: 'too many requests',
        text: 'file=rate.csv cpu=1ms scale=1000000',
        says: 'expected at most 1000000 requests per second, got 2500000',
      },
      {
        name: 'too many CPUs',
        text: 'file=cores.csv scale=1000',
        says: 'expected at most 1000 CPUs, got 2500',
      },
      {
        name: 'more cores than threads',
        text: 'file=cores.csv threads=2',
        says: 'expected at most 1 CPU for each of 2 threads, got 2.5',
      },
      {
        name: 'more changes than can be played',
        text: 'file=dense.csv speed=20',
        says: 'expected at most 1000 rows per second, got 2000 at speed=20',
      },
    ].map(({ name, text, says }) => ({ name: `is refused: ${name}`, text, says })),
    ({ text, says }) =>
      assert.throws(() => play(text), {
        name: 'InvalidInput',
        message: `parsing load "recorded ${text}": ${says}`,
      }),
  )

  void test('is refused wherever nothing was recorded', () => {
    assert.throws(() => parseLoad('recorded file=rate.csv cpu=1ms'), /there is no recording/)
  })
})

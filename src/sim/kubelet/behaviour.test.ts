import assert from 'node:assert/strict'

import { each } from '../../../test/each.ts'
import type { SimPod } from '../nodes/pod.ts'
import { endingOf, memoryOf } from './behaviour.ts'

const shell = (script: string) => ['/bin/sh', '-c', script]

each(
  [
    { name: 'true ends at once', command: ['/bin/true'], gives: [0, 0] },
    { name: 'false ends with 1', command: ['false'], gives: [0, 1] },
    { name: 'sleep ends after its time', command: ['/bin/sleep', '3600'], gives: [3_600_000, 0] },
    { name: 'sleep knows units', command: ['sleep', '1.5m'], gives: [90_000, 0] },
    {
      name: 'a shell runs its steps',
      command: shell('echo a; sleep 2 && exit 3'),
      gives: [2000, 3],
    },
    { name: 'exit gives the code of the last step', command: shell('false; exit'), gives: [0, 1] },
    { name: 'a loop has no end', command: shell('while :; do sleep 1; done'), gives: undefined },
    { name: 'sleep for no number has no end', command: ['sleep', '1.2.3'], gives: undefined },
    {
      name: 'sleep beyond all numbers has no end',
      command: ['sleep', '9'.repeat(400)],
      gives: undefined,
    },
    { name: 'sleep infinity has no end', command: ['sleep', 'infinity'], gives: undefined },
    { name: 'a server has no end', command: ['nginx', '-g', 'daemon off;'], gives: undefined },
    { name: 'an image without a command has no end', command: [], gives: undefined },
  ],
  ({ command, gives }) => {
    const ending = endingOf({ name: 'main', command })
    assert.deepEqual(ending && [ending.afterMillis, ending.exitCode], gives)
  },
)

each(
  [
    { name: 'memory is what the annotation says', text: '1Mi', bytes: 1_048_576 },
    { name: 'memory that is no amount counts as not said', text: 'lots', bytes: 12 * 1_048_576 },
    { name: 'memory beyond all numbers counts as not said', text: '1e300', bytes: 12 * 1_048_576 },
  ],
  ({ text, bytes }) => {
    const metadata = { annotations: { 'sim.mbcas.io/memory': text } }
    assert.equal(memoryOf({ metadata } as unknown as SimPod), bytes)
  },
)

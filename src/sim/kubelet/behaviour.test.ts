import assert from 'node:assert/strict'

import { each } from '../../../test/each.ts'
import { endingOf } from './behaviour.ts'

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
    { name: 'sleep infinity has no end', command: ['sleep', 'infinity'], gives: undefined },
    { name: 'a server has no end', command: ['nginx', '-g', 'daemon off;'], gives: undefined },
    { name: 'an image without a command has no end', command: [], gives: undefined },
  ],
  ({ command, gives }) => {
    const ending = endingOf({ name: 'main', command })
    assert.deepEqual(ending && [ending.afterMillis, ending.exitCode], gives)
  },
)

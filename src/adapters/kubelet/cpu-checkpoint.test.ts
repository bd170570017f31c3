import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseCpuCheckpoint } from './cpu-checkpoint.ts'

const none = '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}'
const assigned = (entries: object) =>
  JSON.stringify({ policyName: 'static', defaultCpuSet: '0-1', entries, checksum: 7 })

void describe("the checkpoint of a kubelet's CPU Manager", () => {
  each(
    [
      {
        name: 'without a policy nobody has CPUs of its own',
        text: none,
        is: { policy: 'none', shared: [], exclusive: new Map() },
      },
      {
        name: 'under the static one, those that got some',
        text: assigned({ u1: { app: '2-3,5', log: '7' }, u2: { app: '' } }),
        is: {
          policy: 'static',
          shared: [0, 1],
          exclusive: new Map([
            [
              'u1',
              new Map([
                ['app', [2, 3, 5]],
                ['log', [7]],
              ]),
            ],
            ['u2', new Map([['app', []]])],
          ]),
        },
      },
    ],
    ({ text, is }) => assert.deepEqual(parseCpuCheckpoint(text), is),
  )

  each(
    [
      { name: 'half a file', text: none.slice(0, 20), says: /JSON/ },
      { name: 'no object', text: '[]', says: /the checkpoint of the CPU Manager: .*expected/ },
      { name: 'no policy', text: '{}', says: /CPU Manager: expected policyName, got nothing/ },
      {
        name: 'the first format, which has no pods',
        text: assigned({ c1: '2-3' }),
        says: /expected c1 to be CPUs by container, got "2-3"/,
      },
      { name: 'no list', text: assigned({ u1: { app: '3-2' } }), says: /parsing CPUs "3-2"/ },
      { name: 'half a list', text: assigned({ u1: { app: '2,' } }), says: /parsing CPUs "2,"/ },
    ],
    ({ text, says }) => assert.throws(() => parseCpuCheckpoint(text), { message: says }),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseMemoryCheckpoint } from './memory-checkpoint.ts'

/** As Kubernetes 1.36 writes it for a pod of two containers on two NUMA nodes. */
const written = {
  policyName: 'Static',
  machineState: {
    '0': {
      numberOfAssignments: 1,
      memoryMap: {
        'hugepages-2Mi': { total: 0, systemReserved: 0, allocatable: 0, reserved: 0, free: 0 },
        memory: {
          total: 1073741824,
          systemReserved: 134217728,
          allocatable: 939524096,
          reserved: 67108864,
          free: 872415232,
        },
      },
      cells: [0],
    },
    '1': { numberOfAssignments: 0, memoryMap: {}, cells: [1] },
  },
  entries: {
    u1: { one: [{ numaAffinity: [0], type: 'memory', size: 67108864 }], other: [] },
  },
  checksum: 97784113,
}

void describe("the checkpoint of a kubelet's Memory Manager", () => {
  void test('tells what is reserved on each NUMA node, and what containers hold', () => {
    assert.deepEqual(parseMemoryCheckpoint(JSON.stringify(written)), {
      policy: 'Static',
      reserved: new Map([[0, { memory: 134217728 }]]),
      held: new Map([
        [
          'u1',
          new Map([
            ['one', [{ resource: 'memory', numa: [0], bytes: 67108864 }]],
            ['other', []],
          ]),
        ],
      ]),
    })
  })

  void test('without a policy it tells nothing else', () => {
    const none = '{"policyName":"None","machineState":{},"checksum":4236770233}'
    assert.deepEqual(parseMemoryCheckpoint(none), {
      policy: 'None',
      reserved: new Map(),
      held: new Map(),
    })
  })

  each(
    [
      { name: 'no policy', given: { policyName: 1 }, says: /expected policyName to be a text/ },
      {
        name: 'a block without a size',
        given: { entries: { u1: { app: [{ numaAffinity: [0], type: 'memory' }] } } },
        says: /expected size, got nothing/,
      },
      { name: 'a state that is a text', given: { machineState: '0' }, says: /memory by NUMA node/ },
    ],
    ({ given, says }) =>
      assert.throws(() => parseMemoryCheckpoint(JSON.stringify({ ...written, ...given })), {
        name: 'InvalidInput',
        message: says,
      }),
  )
})

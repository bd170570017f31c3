import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { InvalidInput } from '../core/errors.ts'
import { parseOptions, parseReservedMemory } from './kubelet-flags.ts'

void describe("apis: a kubelet's flags", () => {
  void test('options by name, on unless a value is given', () => {
    assert.deepEqual(parseOptions('full-pcpus-only, max-allowable-numa-nodes=16'), {
      'full-pcpus-only': 'true',
      'max-allowable-numa-nodes': '16',
    })
    assert.deepEqual(parseOptions(''), {})
  })

  void test('reserved memory by NUMA node and resource', () => {
    assert.deepEqual(
      [...parseReservedMemory('0:memory=1Gi,hugepages-2Mi=2Mi;1:memory=1Ki')],
      [
        [0, { memory: 2 ** 30, 'hugepages-2Mi': 2 ** 21 }],
        [1, { memory: 1024 }],
      ],
    )
  })

  each(
    [
      { text: '', says: ': expected such as 0:memory=1Gi, got ""' },
      { text: 'x:memory=1', says: ': expected such as 0:memory=1Gi, got "x:memory=1"' },
      { text: '0:', says: ' of NUMA node 0: expected such as memory=1Gi, got ""' },
      { text: '0:memory', says: ' of NUMA node 0: expected such as memory=1Gi, got "memory"' },
      { text: '0:memory=1,', says: ' of NUMA node 0: expected such as memory=1Gi, got ""' },
      { text: '0:memory=1,memory=2', says: ' of NUMA node 0: expected memory once, got it twice' },
      { text: '0:memory=1;0:memory=2', says: ': expected NUMA node 0 once, got it twice' },
      { text: '0:cpu=1', says: ' of NUMA node 0: expected memory or hugepages-SIZE, got cpu' },
      { text: '0:memory=0', says: ' of NUMA node 0: expected some memory, got 0' },
      { text: '0:memory=many', says: ' of NUMA node 0: memory: parsing quantity "many"' },
    ].map(({ text, says }) => ({ name: `reserved memory of "${text}" is refused`, text, says })),
    ({ text, says }) =>
      assert.throws(
        () => parseReservedMemory(text),
        (error) =>
          error instanceof InvalidInput && error.message.startsWith(`reserved memory${says}`),
      ),
  )
})

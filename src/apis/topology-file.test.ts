import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { readMachine } from './topology-file.ts'

/** Rows as util-linux 2.39 prints them with `lscpu -J -e`; two sockets of two cores of two threads. */
const rows = Array.from({ length: 8 }, (_, cpu) => {
  const core = cpu % 4
  const socket = Math.floor(core / 2)
  return {
    cpu,
    node: socket,
    socket,
    core,
    'l1d:l1i:l2:l3': `${core}:${core}:${core}:${socket}`,
    online: true,
  }
})

const summary = (fields: Readonly<Record<string, string>>) => ({
  lscpu: Object.entries({
    'Thread(s) per core': '2',
    'Core(s) per socket': '2',
    'Socket(s)': '2',
    'NUMA node(s)': '2',
    'NUMA node0 CPU(s)': '0,1,4,5',
    'NUMA node1 CPU(s)': '2,3,6,7',
    ...fields,
  }).map(([field, data]) => ({ field: `${field}:`, data })),
})

const cores = (document: unknown) => readMachine(document, 'machine').topology.core.members

void describe('apis: topology files', () => {
  const apart = [
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]

  void test('our own list, with the socket for a cache that is not given', () => {
    const { topology, nodes } = readMachine(
      {
        cpus: [
          { cpu: 0, core: 0, socket: 3, numa: 0 },
          { cpu: 1, core: 1, socket: 3, numa: 0, uncore: 7 },
        ],
        numaNodes: [
          { id: 1, memory: { memory: '1Gi' } },
          { id: 0, distances: [10, 20] },
        ],
      },
      'machine',
    )
    assert.deepEqual(topology.uncore.ids, [3, 7])
    assert.deepEqual(nodes, [
      { id: 0, distances: [10, 20] },
      { id: 1, memory: { memory: 2 ** 30 } },
    ])
  })

  void test('rows of lscpu', () => {
    const { topology } = readMachine({ cpus: rows }, 'machine')
    assert.deepEqual(topology.core.members, apart)
    assert.deepEqual(topology.uncore.ids, [0, 1])
  })

  void test('rows of an older lscpu: texts, dashes and CPUs that are off', () => {
    const old = rows.map(({ cpu, socket, core }) => ({
      cpu: String(cpu),
      node: '-',
      socket: String(socket),
      core: String(core),
      online: cpu === 7 ? 'no' : 'yes',
    }))
    const { topology } = readMachine({ cpus: old }, 'machine')
    assert.deepEqual(topology.cpus, [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(topology.numa.ids, [0, 1])
  })

  void test('a summary of lscpu whose NUMA nodes list a run for each thread', () => {
    assert.deepEqual(cores(summary({})), apart)
    assert.deepEqual(
      cores(
        summary({
          'Thread(s) per core': '1',
          'NUMA node0 CPU(s)': '0-3',
          'NUMA node1 CPU(s)': '4-7',
        }),
      ).length,
      8,
    )
  })

  void test('a summary with nested fields and several caches', () => {
    const { lscpu } = summary({ 'L3 cache': '32 MiB (4 instances)' })
    const nested = { lscpu: [{ field: 'CPU(s):', data: '8', children: lscpu }] }
    const { topology } = readMachine(nested, 'machine')
    assert.deepEqual(topology.uncore.ids, [0, 1, 2, 3])
    assert.deepEqual(topology.socket.members, [
      [0, 1, 4, 5],
      [2, 3, 6, 7],
    ])
  })

  each(
    [
      {
        name: 'a summary that does not say which threads share a core: refused',
        document: summary({ 'NUMA node0 CPU(s)': '0-3', 'NUMA node1 CPU(s)': '4-7' }),
        says: /give the output of lscpu -J -e$/,
      },
      {
        name: 'more threads than CPUs: refused',
        document: summary({ 'Thread(s) per core': '1000000000000000' }),
        says: /^lscpu: expected "Thread\(s\) per core" to be 4 at most, .* got 1000000000000000$/,
      },
      {
        name: 'rows without cores: refused',
        document: { cpus: [{ cpu: 0, socket: '-', core: 0 }] },
        says: /^lscpu: expected socket to be a number, got -/,
      },
      {
        name: 'an unknown key: refused',
        document: { cpus: [{ cpu: 0, core: 0, socket: 0, numa: 0, node: 0 }] },
        says: /unknown key "node"/,
      },
      {
        name: 'NUMA nodes without one that has CPUs: refused',
        document: { cpus: [{ cpu: 0, core: 0, socket: 0, numa: 2 }], numaNodes: [{ id: 1 }] },
        says: /expected NUMA node 2 among numaNodes/,
      },
      {
        name: 'a NUMA node twice: refused',
        document: {
          cpus: [{ cpu: 0, core: 0, socket: 0, numa: 0 }],
          numaNodes: [{ id: 0 }, { id: 0 }],
        },
        says: /^machine: expected NUMA node 0 once, got it twice$/,
      },
      {
        name: 'distances to some nodes only: refused',
        document: {
          cpus: [{ cpu: 0, core: 0, socket: 0, numa: 0 }],
          numaNodes: [{ id: 0, distances: [10] }, { id: 1 }],
        },
        says: /^machine: NUMA node 0: expected 2 distances, got 1$/,
      },
    ],
    ({ document, says }) => {
      assert.throws(() => readMachine(document, 'machine'), { name: 'InvalidInput', message: says })
    },
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Machine } from '../machine.ts'
import { readSysMachine } from './from-sys.ts'

/** Two sockets of two cores of two threads; `with` adds or replaces files, undefined removes. */
function readFiles(change: Readonly<Record<string, string | undefined>> = {}): Machine {
  const files: Record<string, string | undefined> = {
    'cpu/online': '0-7\n',
    'node/online': '0-1\n',
    'node/node0/cpulist': '0-1,4-5\n',
    'node/node1/cpulist': '2-3,6-7\n',
    'node/node0/distance': '10 21\n',
    'node/node1/distance': '21 10\n',
    'node/node0/meminfo': 'Node 0 MemTotal:       1024 kB\nNode 0 MemFree: 12 kB\n',
    'node/node1/meminfo': 'Node 1 MemTotal:       2048 kB\n',
    'node/node0/hugepages/hugepages-2048kB/nr_hugepages': '3\n',
  }
  for (let cpu = 0; cpu < 8; cpu++) {
    const socket = Math.floor((cpu % 4) / 2)
    files[`cpu/cpu${cpu}/topology/physical_package_id`] = `${socket}\n`
    // Of the kernel: within the socket.
    files[`cpu/cpu${cpu}/topology/core_id`] = `${cpu % 2}\n`
    files[`cpu/cpu${cpu}/cache/index0/level`] = '1\n'
    files[`cpu/cpu${cpu}/cache/index1/level`] = '3\n'
    files[`cpu/cpu${cpu}/cache/index1/id`] = `${socket + 5}\n`
    files[`cpu/cpu${cpu}/cache/index1/shared_cpu_list`] = socket === 0 ? '0-1,4-5\n' : '2-3,6-7\n'
  }
  const all = { ...files, ...change }
  return readSysMachine((path) => all[path])
}

const uncores = ({ topology: { uncore } }: Machine): number[] =>
  uncore.groupOf.map((group) => uncore.ids[group] ?? -1)

void describe('core/cpu: a machine from /sys', () => {
  void test('cores are known by their lowest CPU, over all sockets', () => {
    const { topology } = readFiles()
    assert.deepEqual(topology.core.ids, [0, 1, 2, 3])
    assert.deepEqual(topology.core.members, [
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ])
    assert.deepEqual(topology.numa.members, topology.socket.members)
  })

  void test('NUMA nodes come with distances and memory', () => {
    assert.deepEqual(readFiles().nodes, [
      {
        id: 0,
        distances: [10, 21],
        memory: { memory: 1024 * 1024, 'hugepages-2Mi': 3 * 2 * 1024 * 1024 },
      },
      { id: 1, distances: [21, 10], memory: { memory: 2048 * 1024 } },
    ])
  })

  void test('a cache of one whole node is not told from its socket', () => {
    assert.deepEqual(uncores(readFiles()), [0, 0, 1, 1, 0, 0, 1, 1])
  })

  void test('a cache of a part of a node has its own id', () => {
    const split: Record<string, string> = {}
    for (const cpu of [0, 4]) split[`cpu/cpu${cpu}/cache/index1/shared_cpu_list`] = '0,4\n'
    for (const cpu of [1, 5]) {
      split[`cpu/cpu${cpu}/cache/index1/shared_cpu_list`] = '1,5\n'
      split[`cpu/cpu${cpu}/cache/index1/id`] = '9\n'
    }
    assert.deepEqual(uncores(readFiles(split)), [5, 9, 1, 1, 5, 9, 1, 1])
  })

  void test('without a cache id the socket stands for it', () => {
    const gone = Object.fromEntries(
      [0, 1, 4, 5].map((cpu) => [`cpu/cpu${cpu}/cache/index1/id`, undefined]),
    )
    assert.deepEqual(uncores(readFiles(gone)), [0, 0, 1, 1, 0, 0, 1, 1])
  })

  void test('a CPU that is off is not there', () => {
    const { topology } = readFiles({ 'cpu/online': '0-3,5-7\n' })
    assert.deepEqual(topology.cpus, [0, 1, 2, 3, 5, 6, 7])
    assert.deepEqual(topology.core.members[0], [0])
  })

  void test('without NUMA nodes each socket is one', () => {
    const { topology, nodes } = readFiles({ 'node/online': undefined })
    assert.deepEqual(topology.numa.members, topology.socket.members)
    assert.deepEqual(nodes, [{ id: 0 }, { id: 1 }])
  })

  void test('a node of memory alone is a node, but not of the topology', () => {
    const { topology, nodes } = readFiles({
      'node/online': '0-2\n',
      'node/node2/cpulist': '\n',
    })
    assert.deepEqual(topology.numa.ids, [0, 1])
    assert.deepEqual(
      nodes.map(({ id }) => id),
      [0, 1, 2],
    )
  })

  void test('what is missing is named', () => {
    assert.throws(() => readFiles({ 'cpu/online': undefined }), {
      name: 'InvalidInput',
      message: 'reading cpu/online: there is no such file',
    })
    assert.throws(() => readFiles({ 'cpu/cpu3/topology/core_id': 'x' }), {
      name: 'InvalidInput',
      message: /^reading cpu\/cpu3\/topology: expected physical_package_id and core_id/,
    })
  })
})

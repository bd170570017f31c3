import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machines } from '../../../test/cpu/machines.ts'
import { each } from '../../../test/each.ts'
import { type CpuPlace, cpusIn, createTopology, idsTouched } from './topology.ts'

const place = (over: Partial<CpuPlace> = {}): CpuPlace => ({
  cpu: 0,
  core: 0,
  socket: 0,
  numa: 0,
  uncore: 0,
  ...over,
})

void describe('core/cpu: topology', () => {
  void test('groups CPUs by ids, whatever their order', () => {
    const topology = createTopology([
      place({ cpu: 9, core: 4, numa: 8, socket: 1 }),
      place({ cpu: 2, core: 1 }),
      place({ cpu: 1, core: 1 }),
    ])
    assert.deepEqual(topology.cpus, [1, 2, 9])
    assert.deepEqual(topology.numa.ids, [0, 8])
    assert.deepEqual(cpusIn(topology, 'core', 1), [1, 2])
    assert.deepEqual(cpusIn(topology, 'core', 2), [])
    assert.deepEqual(idsTouched(topology, 'socket', [9, 77]), [1])
  })

  void test('the size of a level is the average, rounded down', () => {
    const { core, socket } = machines['fast and slow cores']
    assert.equal(core.averageSize, 1)
    assert.equal(socket.averageSize, 8)
  })

  each(
    [
      { name: 'no CPUs: refused', places: [], says: /expected at least one CPU/ },
      { name: 'a CPU twice: refused', places: [place(), place({ core: 1 })], says: /CPU 0 once/ },
      {
        name: 'a negative id: refused',
        places: [place({ core: -1 })],
        says: /CPU 0: expected core/,
      },
      { name: 'half a socket: refused', places: [place({ socket: 0.5 })], says: /expected socket/ },
      {
        name: 'a node beyond 63: refused',
        places: [place({ numa: 64 })],
        says: /from 0 to 63, got 64/,
      },
      {
        name: 'a CPU beyond 65,535: refused',
        places: [place({ cpu: 65_536 })],
        says: /from 0 to 65535/,
      },
    ],
    ({ places, says }) => {
      assert.throws(() => createTopology(places), { name: 'InvalidInput', message: says })
    },
  )
})

import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { gibibytes } from '../../../../test/cpu/memory.ts'
import { each } from '../../../../test/each.ts'
import { bytes } from '../../units.ts'
import { refuseReservation, type Reserve } from './reserved.ts'

const memory = gibibytes(1)

type Row = {
  readonly name: string
  /** On NUMA nodes 0, 1, ... */
  readonly reserved: readonly Reserve[]
  readonly nodeReserved?: Reserve
  readonly error?: string
}

const rows: readonly Row[] = [
  {
    name: 'what a node keeps back anyway',
    reserved: [{ memory }, { memory }],
    nodeReserved: { memory: gibibytes(2) },
  },
  { name: 'anything, where nobody says what the node keeps back', reserved: [{ memory }] },
  {
    name: 'less than the node keeps back is refused',
    reserved: [{ memory }, { memory }],
    nodeReserved: { memory: gibibytes(3) },
    error:
      'the total amount "2Gi" of type "memory" is not equal to the value "3Gi" determined by Node Allocatable feature',
  },
  {
    name: 'a kind that the node keeps back, and no NUMA node, is refused',
    reserved: [{ memory }],
    nodeReserved: { memory, 'hugepages-1Gi': gibibytes(1) },
    error:
      'the total amount "0" of type "hugepages-1Gi" is not equal to the value "1Gi" determined by Node Allocatable feature',
  },
  {
    name: 'a kind that NUMA nodes keep back, and not the node, is refused',
    reserved: [{ memory, 'hugepages-2Mi': bytes(2 ** 21) }],
    nodeReserved: { memory },
    error:
      'the total amount "2Mi" of type "hugepages-2Mi" is not equal to the value "0" determined by Node Allocatable feature',
  },
  {
    name: 'a NUMA node that is not there is refused',
    reserved: [{ memory }, { memory }, { memory }],
    error:
      'the reserved memory configuration references a NUMA node 2 that does not exist on this machine',
  },
]

void describe('core/cpu: reserved memory of two NUMA nodes', () => {
  each(rows, ({ reserved, nodeReserved, error }) => {
    const reservation = {
      reserved: new Map(reserved.entries()),
      ...(nodeReserved && { nodeReserved }),
    }
    assert.equal(refuseReservation(reservation, [0, 1])?.error, error)
  })
})

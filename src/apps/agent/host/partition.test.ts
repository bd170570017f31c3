import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { machineNames, machines } from '../../../../test/cpu/machines.ts'
import { each } from '../../../../test/each.ts'
import type { HostGroup } from '../../../apis/agent-config.ts'
import { formatCpuSet, unionOf } from '../../../core/cpu/cpu-set.ts'
import { idsTouched } from '../../../core/cpu/topology.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { millicores } from '../../../core/units.ts'
import { partitionCpus } from './partition.ts'

const groups = (counts: readonly number[]): HostGroup[] =>
  counts.map((exclusiveCpus, i) => ({
    path: `g${i}`,
    floor: millicores(100),
    ceiling: undefined,
    weight: 1,
    exclusiveCpus,
  }))
const laptop = machines.laptop
const host = { topology: laptop, reserve: millicores(100), name: 'host.yaml' }

void describe('the CPUs of the groups', () => {
  each(
    [
      {
        name: 'whole cores, beside the reserved one',
        counts: [2, 0],
        own: ['1,5'],
        shared: '0,2-4,6-7',
      },
      {
        name: 'in the order of the groups',
        counts: [1, 3],
        own: ['4', '1-2,5'],
        shared: '0,3,6-7',
      },
      { name: 'all but the reserved one', counts: [7], own: ['1-7'], shared: '0' },
    ],
    ({ counts, own, shared }) => {
      const parts = partitionCpus(groups(counts), host)
      assert.deepEqual([...parts.own.values()].map(formatCpuSet), own)
      assert.equal(formatCpuSet(parts.shared), shared)
    },
  )

  void test('where cores differ in size nobody gets a CPU of another', () => {
    const topology = machines['fast and slow cores']
    const { own, shared } = partitionCpus(groups([3, 1, 2]), { ...host, topology })
    assert.deepEqual([...own.values()].map(formatCpuSet), ['5-7', '0', '1-2'])
    assert.equal(formatCpuSet(shared), '3-4')
  })

  void test('too many are refused by the group, with what was asked for and what there is', () => {
    assert.throws(() => partitionCpus(groups([5, 3]), { ...host, reserve: millicores(1500) }), {
      name: 'InvalidInput',
      message:
        'host.yaml: group g1: expected exclusiveCpus of at most the 1 left, got 3: of the 8 CPUs of this machine 2 must stay shared (reserve 1500m) and groups before it have 5',
    })
  })

  void test('CPUs of one NUMA node are taken where one has enough', () => {
    const topology = machines['two nodes a socket']
    const { own } = partitionCpus(groups([6, 6, 6]), { ...host, topology })
    for (const cpus of own.values()) assert.equal(idsTouched(topology, 'numa', cpus).length, 1)
  })

  void test('on every machine nobody shares CPUs of its own, and none is lost', () => {
    const asked = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.constantFrom(...machineNames), asked, (name, counts) => {
        const topology = machines[name]
        const wanted = counts.reduce((sum, count) => sum + count, 0)
        const part = () => partitionCpus(groups(counts), { ...host, topology })
        if (wanted > topology.cpus.length - 1) return assert.throws(part, InvalidInput)
        const { own, shared } = part()
        const parts = [shared, ...own.values()]
        assert.deepEqual(unionOf(...parts), topology.cpus)
        assert.equal(parts.flat().length, topology.cpus.length)
        assert.deepEqual(
          [...own.values()].map(({ length }) => length),
          counts.filter((count) => count > 0),
        )
        assert.ok(shared.length > 0)
      }),
    )
  })
})

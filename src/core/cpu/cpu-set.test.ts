import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import {
  cpuSet,
  equalSets,
  formatCpuSet,
  intersectionOf,
  parseCpuSet,
  unionOf,
  without,
} from './cpu-set.ts'

const sets = fc.array(fc.nat({ max: 400 }), { maxLength: 60 }).map(cpuSet)

void describe('core/cpu: CPU sets in list format', () => {
  each(
    [
      { name: 'nothing is no CPUs', text: '', cpus: [], written: '' },
      { name: 'one CPU', text: '7', cpus: [7], written: '7' },
      { name: 'ranges and single ones', text: '0-3,8', cpus: [0, 1, 2, 3, 8], written: '0-3,8' },
      { name: 'any order, and repeats', text: '5,4,4-6', cpus: [4, 5, 6], written: '4-6' },
      { name: 'a range of one', text: '3-3', cpus: [3], written: '3' },
      { name: 'two neighbours are a range', text: '1,2', cpus: [1, 2], written: '1-2' },
    ],
    ({ text, cpus, written }) => {
      assert.deepEqual(parseCpuSet(text), cpus)
      assert.equal(formatCpuSet(cpus), written)
    },
  )

  each(
    ['a', '1-', '-1', '3-1', '1,,2', ' 1', '0-99999', '1-2-3', '0x1'].map((text) => ({
      name: `"${text}" is refused`,
      text,
    })),
    ({ text }) => {
      assert.throws(() => parseCpuSet(text), { name: 'InvalidInput', message: /^parsing CPUs "/ })
    },
  )

  void test('what is written is read back', () => {
    fc.assert(
      fc.property(sets, (cpus) => {
        assert.deepEqual(parseCpuSet(formatCpuSet(cpus)), cpus)
      }),
    )
  })

  void test('a set is parted by another into what they share and the rest', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const shared = intersectionOf(a, b)
        const rest = without(a, b)
        assert.ok(equalSets(unionOf(shared, rest), a))
        assert.deepEqual(intersectionOf(rest, b), [])
        assert.equal(unionOf(a, b).length, a.length + b.length - shared.length)
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { simulateCpusets } from '../../../test/simulated-cpusets.ts'
import { formatCpuSet, parseCpuSet } from '../cpu/cpu-set.ts'
import { type Cpuset, type CpusetGroup, planCpuset } from './plan-cpuset.ts'

const set = (cpus: string, mems: string): Cpuset => ({ cpus, mems })
const empty = set('', '')
const way = (...sets: readonly (Cpuset | null)[]): CpusetGroup[] =>
  ['', 'services', 'services/db'].map((path, i) => ({ path, set: sets[i] ?? null }))

void describe('the way to a cpuset', () => {
  each(
    [
      {
        name: 'v1: groups that are missing are made, with what is above them',
        way: way(set('0-3', '0'), null, null),
        inherits: false,
        writes: [
          { path: 'services', from: null, to: set('0-3', '0') },
          { path: 'services/db', from: null, to: set('2-3', '0') },
        ],
      },
      {
        name: 'v1: sets that are empty are filled, those that are not are left',
        way: way(set('0-3', '0-1'), set('1-3', ''), empty),
        inherits: false,
        writes: [
          { path: 'services', from: set('1-3', ''), to: set('1-3', '0-1') },
          { path: 'services/db', from: empty, to: set('2-3', '0-1') },
        ],
      },
      {
        name: 'v1: only the group itself where all else is set',
        way: way(set('0-3', '0'), set('0-3', '0'), set('0-1', '0')),
        inherits: false,
        writes: [{ path: 'services/db', from: set('0-1', '0'), to: set('2-3', '0') }],
      },
      {
        name: 'v2: an empty set is that of the group above',
        way: way(set('0-3', '0'), empty, empty),
        inherits: true,
        writes: [{ path: 'services/db', from: empty, to: set('2-3', '') }],
      },
      {
        name: 'nothing where it stands',
        way: way(set('0-3', '0'), set('0-3', '0'), set('2-3', '0')),
        inherits: false,
        writes: [],
      },
    ],
    ({ way, inherits, writes }) =>
      assert.deepEqual(planCpuset({ way, inherits, cpus: [2, 3] }), writes),
  )

  void test('v1: every step is one that the kernel takes, and the last leaves the CPUs asked for', () => {
    const some = fc.option(fc.constantFrom('', '0-3', '2-3'), { nil: null })
    const asked = fc.constantFrom('2', '3', '2-3')
    fc.assert(
      fc.property(some, asked, (services, cpus) => {
        const cpusets = simulateCpusets(4)
        if (services !== null) cpusets.sets.set('services', set(services, services && '0'))
        const pinned = { inherits: false, cpus: parseCpuSet(cpus) }
        for (const change of planCpuset({ way: cpusets.wayTo('services/db'), ...pinned })) {
          assert.equal(cpusets.write(change), undefined)
        }
        assert.deepEqual(cpusets.sets.get('services/db'), set(formatCpuSet(pinned.cpus), '0'))
      }),
    )
  })
})

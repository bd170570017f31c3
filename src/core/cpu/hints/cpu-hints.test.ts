import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { shownHints } from '../../../../test/cpu/hints.ts'
import { machine, type MachineName, machines } from '../../../../test/cpu/machines.ts'
import { accepted, container, pod, policyOf } from '../../../../test/cpu/policies.ts'
import { each } from '../../../../test/each.ts'
import { parseCpuSet } from '../cpu-set.ts'
import { allocateCpus } from '../static-policy/allocate.ts'
import type { StaticOption } from '../static-policy/options.ts'
import { emptyState } from '../static-policy/state.ts'
import { containerCpuHints, cpuHints, podCpuHints } from './cpu-hints.ts'

type Row = {
  readonly name: string
  readonly on: MachineName
  readonly free?: string
  readonly reusable?: string
  readonly count: number
  readonly options?: readonly StaticOption[]
  readonly hints: string
}

const rows: readonly Row[] = [
  { name: 'nothing asked for', on: 'two sockets', count: 0, hints: 'no preference' },
  { name: 'either node would do', on: 'two sockets', count: 2, hints: '0* 1* 01' },
  { name: 'one node has too few', on: 'two sockets', free: '0-7', count: 5, hints: '01' },
  { name: 'more than a node', on: 'two sockets', count: 9, hints: '01*' },
  { name: 'more than the machine', on: 'two sockets', count: 17, hints: '' },
  {
    name: 'a node that is full is only in hints with others',
    on: 'two sockets',
    free: '4-7,12-15',
    count: 2,
    hints: '1* 01',
  },
  {
    name: 'what is to be reused must be in them',
    on: 'two sockets',
    free: '1-7,9-15',
    reusable: '0,8',
    count: 2,
    hints: '0* 01',
  },
  {
    name: 'what is to be reused counts',
    on: 'two sockets',
    free: '1-3',
    reusable: '0,8',
    count: 5,
    hints: '0* 01',
  },
  {
    name: 'sizes before nodes',
    on: 'two nodes a socket',
    count: 10,
    hints: '01* 02* 03* 12* 13* 23* 012 013 023 123 0123',
  },
  {
    name: 'nodes of as few sockets are preferred too',
    on: 'two nodes a socket',
    count: 4,
    options: ['align-by-socket'],
    hints: '0* 1* 2* 3* 01* 02 03 12 13 23* 012 013 023 123 0123',
  },
  {
    name: 'ids of nodes with gaps',
    on: 'four threads, nodes 0 and 8',
    count: 3,
    hints: '0* 8* 08',
  },
]

void describe('core/cpu: hints of the CPU Manager', () => {
  each(rows, ({ on, free, reusable = '', count, options = [], hints }) => {
    const policy = policyOf(machines[on], { options })
    const available = free === undefined ? policy.topology.cpus : parseCpuSet(free)
    const given = cpuHints(policy, { available, reusable: parseCpuSet(reusable), count })
    assert.equal(shownHints(given), hints)
  })

  void test('a wider set than a hint is a hint too', () => {
    const topology = machine({ sockets: 2, nodes: 2, cores: 2, threads: 1 })
    const policy = policyOf(topology)
    const asked = fc.tuple(fc.subarray([...topology.cpus]), fc.integer({ min: 1, max: 8 }))
    fc.assert(
      fc.property(asked, ([available, count]) => {
        const hints = cpuHints(policy, { available, reusable: [], count }) ?? []
        const has = new Set(hints.map(({ affinity }) => affinity?.join('')))
        for (const { affinity } of hints) {
          for (const node of topology.numa.ids) {
            const wider = new Set([...(affinity ?? []), node])
            assert.ok(has.has([...wider].toSorted((a, b) => a - b).join('')))
          }
        }
      }),
    )
  })
})

void describe('core/cpu: hints for containers and pods', () => {
  const policy = policyOf(machines['two sockets'], { reserved: '0' })
  const [first, second] = [container('a', 4), container('b', 4)]
  const both = pod('p', first, second)
  const empty = emptyState(policy)
  const { state } = accepted(
    allocateCpus(policy, empty, { pod: both, container: first, affinity: [1] }),
  )

  void test('a container that has its CPUs gets hints for these', () => {
    assert.equal(
      shownHints(containerCpuHints(policy, state, { pod: both, container: first })),
      '1* 01',
    )
  })

  void test('but none, if it asks for another number now', () => {
    const more = container('a', 5)
    assert.deepEqual(containerCpuHints(policy, state, { pod: both, container: more }), [])
    assert.deepEqual(podCpuHints(policy, state, pod('p', more, second)), [])
  })

  void test('a pod is asked for as a whole', () => {
    assert.equal(shownHints(podCpuHints(policy, empty, both)), '1* 01')
    assert.equal(shownHints(podCpuHints(policy, state, both)), '1* 01')
  })

  void test('a pod without whole CPUs has no preference', () => {
    assert.equal(podCpuHints(policy, empty, pod('q', container('c', 0.5))), null)
  })
})

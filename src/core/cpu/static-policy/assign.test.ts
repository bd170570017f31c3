/** What a kubelet gives on named machines; test/e2e asks its own code the same and more. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { type MachineName, machines } from '../../../../test/cpu/machines.ts'
import { type Asked, assigned, policyOf } from '../../../../test/cpu/policies.ts'
import { each } from '../../../../test/each.ts'
import type { StaticOption } from './options.ts'

type Row = Asked & {
  readonly on: MachineName
  readonly options?: readonly StaticOption[]
  readonly reserved?: string
  readonly gives: string
}

const rows: Readonly<Record<string, readonly Row[]>> = {
  packed: [
    { on: 'one CPU', count: 1, gives: '0' },
    { on: 'small cloud machine', count: 1, reserved: '0', gives: '1' },
    { on: 'laptop', count: 0, gives: '' },
    { on: 'laptop', count: 1, gives: '0' },
    { on: 'laptop', count: 2, gives: '0,4' },
    { on: 'laptop', count: 3, gives: '0-1,4' },
    { on: 'laptop', count: 1, free: '1-7', gives: '4' },
    { on: 'laptop', count: 8, gives: '0-7' },
    { on: 'threads together', count: 3, gives: '0-2' },
    { on: 'two sockets', count: 8, gives: '0-3,8-11' },
    { on: 'two sockets', count: 8, free: '1-15', gives: '4-7,12-15' },
    { on: 'two sockets', count: 10, gives: '0-4,8-12' },
    { on: 'two sockets, interleaved', count: 8, gives: '0,2,4,6,8,10,12,14' },
    { on: 'two sockets, interleaved', count: 2, free: '1-15', gives: '2,10' },
    { on: 'two sockets, interleaved', count: 1, free: '0,2-3', gives: '3' },
    { on: 'two sockets in one node', count: 4, free: '1-7', gives: '4-7' },
    { on: 'two sockets in one node', count: 5, free: '1-7', gives: '1,4-7' },
    { on: 'two nodes a socket', count: 16, gives: '0-7,16-23' },
    { on: 'two nodes a socket', count: 12, gives: '0-5,16-21' },
    { on: 'four sockets', count: 8, free: '0-11,16-27', gives: '0-3,16-19' },
    { on: 'split caches', count: 2, free: '3-15', gives: '3-4' },
    { on: 'four threads, nodes 0 and 8', count: 6, affinity: [8], gives: '16-21' },
    { on: 'eight nodes, 384 CPUs', count: 48, gives: '0-23,192-215' },
    { on: 'eight nodes, 384 CPUs', count: 192, gives: '0-95,192-287' },
  ],
  'near NUMA nodes': [
    { on: 'two sockets', count: 4, affinity: [1], gives: '4-5,12-13' },
    {
      on: 'two sockets',
      count: 6,
      affinity: [1],
      free: '0-5,8-13',
      gives: '0,4-5,8,12-13',
    },
    { on: 'two sockets', count: 2, affinity: [7], gives: '0,8' },
    { on: 'two nodes a socket', count: 10, affinity: [1], gives: '0,4-7,16,20-23' },
    {
      on: 'two nodes a socket',
      count: 10,
      affinity: [1],
      options: ['align-by-socket'],
      gives: '0-4,16-20',
    },
  ],
  'whole cores only': [
    { on: 'laptop', count: 4, options: ['full-pcpus-only'], gives: '0-1,4-5' },
    {
      on: 'laptop',
      count: 3,
      options: ['full-pcpus-only'],
      gives: 'SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2',
    },
    {
      on: 'laptop',
      count: 6,
      options: ['full-pcpus-only'],
      reserved: '0',
      gives: '1-3,5-7',
    },
    {
      on: 'laptop',
      count: 8,
      options: ['full-pcpus-only'],
      reserved: '0',
      gives:
        'SMT Alignment Error: not enough free physical CPUs: available physical CPUs = 6, requested CPUs = 8, CPUs per core = 2',
    },
    {
      on: 'four threads, nodes 0 and 8',
      count: 6,
      options: ['full-pcpus-only'],
      gives: 'SMT Alignment Error: requested 6 cpus not multiple cpus per core = 4',
    },
  ],
  'across cores': [
    { on: 'laptop', count: 4, options: ['distribute-cpus-across-cores'], gives: '0-3' },
    { on: 'laptop', count: 5, options: ['distribute-cpus-across-cores'], gives: '0-4' },
    // By ids, which here are those of one core.
    { on: 'threads together', count: 2, options: ['distribute-cpus-across-cores'], gives: '0-1' },
    {
      on: 'two sockets',
      count: 4,
      free: '1-15',
      options: ['distribute-cpus-across-cores'],
      gives: '1-3,8',
    },
  ],
  'across NUMA nodes': [
    {
      on: 'two nodes a socket',
      count: 6,
      options: ['distribute-cpus-across-numa'],
      gives: '0-2,16-18',
    },
    {
      on: 'two nodes a socket',
      count: 12,
      options: ['distribute-cpus-across-numa'],
      gives: '0-2,4-6,16-18,20-22',
    },
    {
      on: 'two nodes a socket',
      count: 20,
      options: ['distribute-cpus-across-numa'],
      gives: '0-10,16-18,20-22,24-26',
    },
    {
      on: 'four sockets',
      count: 12,
      options: ['distribute-cpus-across-numa', 'full-pcpus-only'],
      gives: '0-2,4-6,16-18,20-22',
    },
    {
      on: 'eight nodes, 384 CPUs',
      count: 100,
      options: ['distribute-cpus-across-numa', 'full-pcpus-only'],
      gives: '0-16,24-40,48-63,192-208,216-232,240-255',
    },
    // Judged best were nodes 0 to 3; see combinations.ts.
    {
      on: 'eight nodes, 384 CPUs',
      count: 192,
      options: ['distribute-cpus-across-numa'],
      gives: '0-71,168-263,360-383',
    },
  ],
  'by cache': [
    { on: 'split caches', count: 6, options: ['prefer-align-cpus-by-uncorecache'], gives: '0-5' },
    {
      on: 'split caches',
      count: 3,
      free: '1-15',
      options: ['prefer-align-cpus-by-uncorecache'],
      gives: '1-3',
    },
    {
      on: 'split caches',
      count: 2,
      free: '3-15',
      options: ['prefer-align-cpus-by-uncorecache'],
      gives: '4-5',
    },
    {
      on: 'split caches, two threads',
      count: 5,
      options: ['prefer-align-cpus-by-uncorecache'],
      gives: '0-2,16-17',
    },
    {
      on: 'caches over nodes',
      count: 9,
      options: ['prefer-align-cpus-by-uncorecache'],
      gives: '0-8',
    },
  ],
  'cores of different sizes': [
    { on: 'fast and slow cores', count: 1, gives: '4' },
    { on: 'fast and slow cores', count: 5, gives: '0,4-7' },
    // A core counts as free by the average size, and is taken whole: CPU 1 was not free.
    { on: 'fast and slow cores', count: 2, free: '0,2-7', gives: '0-1' },
  ],
  'too few': [
    {
      on: 'laptop',
      count: 3,
      free: '1,2',
      gives: 'not enough cpus available to satisfy request: requested=3, available=2',
    },
    {
      on: 'two sockets',
      count: 9,
      options: ['distribute-cpus-across-numa'],
      free: '0-7',
      gives: 'not enough cpus available to satisfy request: requested=9, available=8',
    },
  ],
  'reuse of what init containers had': [
    { on: 'laptop', count: 2, free: '1-3,5-7', reusable: '0,4', gives: '0,4' },
    { on: 'laptop', count: 8, free: '1-3,5-7', reusable: '0,4', gives: '0-7' },
    // What can be reused does not count as free here: the kubelet looks at the shared pool alone.
    {
      on: 'laptop',
      count: 8,
      free: '1-3,5-7',
      reusable: '0,4',
      options: ['full-pcpus-only'],
      gives:
        'SMT Alignment Error: not enough free physical CPUs: available physical CPUs = 6, requested CPUs = 8, CPUs per core = 2',
    },
  ],
}

for (const [group, cases] of Object.entries(rows)) {
  void describe(`core/cpu: assigning CPUs, ${group}`, () => {
    each(
      cases.map((row) => ({ name: titleOf(row), row })),
      ({ row: { on, options, reserved, gives, ...asked } }) => {
        const setup = { ...(options && { options }), ...(reserved && { reserved }) }
        assert.equal(assigned(policyOf(machines[on], setup), asked), gives)
      },
    )
  })
}

function titleOf({ on, count, free, affinity, reserved, options = [], gives }: Row): string {
  const rules = [
    ...options,
    ...(reserved === undefined ? [] : [`${reserved} reserved`]),
    ...(free === undefined ? [] : [`${free} free`]),
    ...(affinity === undefined ? [] : [`near ${affinity.join()}`]),
  ]
  return `${on}: ${count} of ${rules.join(', ') || 'all'} gives ${gives || 'none'}`
}

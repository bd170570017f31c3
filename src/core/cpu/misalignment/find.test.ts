import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { machine, machineNames, machines } from '../../../../test/cpu/machines.ts'
import { each } from '../../../../test/each.ts'
import { managedBy, nodeCpus } from '../../../../test/node-cpus.ts'
import { parseCpuSet, without } from '../cpu-set.ts'
import { bareMachine } from '../machine.ts'
import type { NodeCpus } from '../node-cpus.ts'
import { isRefusal } from '../refusal.ts'
import { assignCpus } from '../static-policy/assign.ts'
import { createStaticPolicy } from '../static-policy/policy.ts'
import { cpusIn, createTopology } from '../topology.ts'
import { explainMisalignment } from './explain.ts'
import { findMisalignments } from './find.ts'

/** Two NUMA nodes of two cores of two threads: 0-1 2-3 and 4-5 6-7. */
const topology = machine({ sockets: 2, nodes: 1, cores: 2, threads: 2, together: true })
const small = {
  topology,
  nodes: [
    { id: 0, distances: [10, 21] },
    { id: 1, distances: [21, 10] },
  ],
}

type Case = {
  readonly cpus: string
  readonly known?: Partial<NodeCpus>
  /** Measured, by node. */
  readonly memory?: readonly number[]
}

/** Of container db of pod u1, with all other CPUs in the shared pool. */
function told({ cpus: text, known = {}, memory }: Case): string[] {
  const cpus = parseCpuSet(text)
  const exclusive = new Map([['u1', new Map([['db', cpus]])], ...(known.exclusive ?? [])])
  const shared = without(
    topology.cpus,
    [...exclusive.values()].flatMap((of) => [...of.values()].flat()),
  )
  const node = { ...nodeCpus({ shared, ...known, exclusive }), machine: small }
  const measured = memory && new Map(memory.map((amount, node) => [node, amount]))
  const running = [{ uid: 'u1', container: 'db', memory: measured }]
  const around = { machine: small, nameOf: (uid: string) => `default/${uid}` }
  return findMisalignments(node, running).map((found) => {
    const words = explainMisalignment(found, around)
    return `${found.kind}: ${words.slice(0, words.indexOf(';'))}`
  })
}

void describe('misalignments', () => {
  each<Case & { name: string; says: string[] }>(
    [
      { name: 'whole cores beside their memory are none', cpus: '2-3', memory: [100, 0], says: [] },
      {
        name: 'CPUs on two nodes where one would do',
        cpus: '2-3,6-7',
        says: [
          'spread: container db has its CPUs 2-3,6-7 on NUMA nodes 0-1 where one would do: what its threads share crosses between them, up to 2.1 times as far as within one',
        ],
      },
      { name: 'as many as one node lacks may be on two', cpus: '2-7', says: [] },
      {
        name: 'nor are CPUs that were to be distributed',
        cpus: '2-3,6-7',
        known: {
          settings: managedBy('static', { options: { 'distribute-cpus-across-numa': 'true' } }),
        },
        says: [],
      },
      {
        name: 'memory that is measured elsewhere',
        cpus: '2-3',
        memory: [60, 40],
        says: [
          'memory: container db has its CPUs 2-3 on NUMA node 0 and 40 % of its memory on NUMA node 1: each access there crosses between them, up to 2.1 times as far as within one',
        ],
      },
      { name: 'but not a little of it', cpus: '2-3', memory: [81, 19], says: [] },
      { name: 'nor where there is none', cpus: '2-3', memory: [0, 0], says: [] },
      {
        name: 'memory that is promised elsewhere, where nothing is measured',
        cpus: '2-3',
        known: {
          memory: new Map([
            ['u1', new Map([['db', [{ resource: 'memory', numa: [1], bytes: 100 }]]])],
          ]),
        },
        says: [
          'memory: container db has its CPUs 2-3 on NUMA node 0 and its memory on NUMA node 1: each access there crosses between them, up to 2.1 times as far as within one',
        ],
      },
      {
        name: 'memory that is promised on both may be near',
        cpus: '2-3',
        known: {
          memory: new Map([
            ['u1', new Map([['db', [{ resource: 'memory', numa: [0, 1], bytes: 100 }]]])],
          ]),
        },
        says: [],
      },
      {
        name: 'a core shared with the pool',
        cpus: '1',
        says: [
          'core: container db shares physical cores of its CPU 1 with the shared pool on CPU 0: while both are busy each gets little more than half of the core',
        ],
      },
      {
        name: 'cores shared with another pod, and with the system',
        cpus: '1,3',
        known: { shared: [], exclusive: new Map([['u2', new Map([['web', [2]]])]]) },
        says: [
          'core: container db shares physical cores of its CPUs 1,3 with the system and container web of default/u2 on CPUs 0,2: while both are busy each gets little more than half of the core',
        ],
      },
    ],
    ({ says, ...asked }) => assert.deepEqual(told(asked), says),
  )

  void test('on nodes of different sizes, the largest says how many it needs', () => {
    const places = topology.cpus.map((cpu) => ({
      cpu,
      core: cpu,
      socket: 0,
      uncore: 0,
      numa: Number(cpu > 1),
    }))
    const uneven = bareMachine(createTopology(places))
    const exclusive = new Map([['u1', new Map([['db', [0, 1, 2, 3]]])]])
    const node = { ...nodeCpus({ exclusive }), machine: uneven }
    const [found] = findMisalignments(node, [{ uid: 'u1', container: 'db', memory: undefined }])
    assert.deepEqual(found, {
      uid: 'u1',
      container: 'db',
      cpus: [0, 1, 2, 3],
      kind: 'spread',
      nodes: [0, 1],
      needed: 1,
    })
  })

  void test('what its own pod has beside it is its own affair', () => {
    const exclusive = new Map([
      [
        'u1',
        new Map([
          ['db', [2]],
          ['log', [3]],
        ]),
      ],
    ])
    const node = { ...nodeCpus({ exclusive }), machine: small }
    const running = ['db', 'log'].map((container) => ({ uid: 'u1', container, memory: undefined }))
    assert.deepEqual(findMisalignments(node, running), [])
  })

  void test('a container that does not run, or has no CPUs of its own, is not looked at', () => {
    const exclusive = new Map([
      [
        'u1',
        new Map([
          ['db', [1, 4]],
          ['log', []],
        ]),
      ],
    ])
    const node = { ...nodeCpus({ exclusive }), machine: small }
    assert.deepEqual(findMisalignments(node, []), [])
    assert.deepEqual(
      findMisalignments(node, [{ uid: 'u1', container: 'log', memory: undefined }]),
      [],
    )
  })

  void test('whole cores within one NUMA node are never misaligned, whatever the machine', () => {
    fc.assert(
      fc.property(fc.constantFrom(...machineNames), fc.nat(), (name, seed) => {
        const topology = machines[name]
        const policy = createStaticPolicy({
          topology,
          options: { 'full-pcpus-only': true },
          reserved: [],
        })
        assert.ok(!isRefusal(policy))
        const numa = topology.numa.ids[seed % topology.numa.ids.length] ?? 0
        const near = cpusIn(topology, 'numa', numa)
        const threads = topology.core.averageSize
        const count = threads * (1 + (seed % Math.max(1, Math.floor(near.length / threads))))
        const cpus = assignCpus(policy, {
          available: topology.cpus,
          reusable: [],
          count: Math.min(count, near.length),
          affinity: [numa],
        })
        assert.ok(!isRefusal(cpus))
        const exclusive = new Map([['u1', new Map([['db', cpus]])]])
        const node = { ...nodeCpus({ exclusive }), machine: bareMachine(topology) }
        const running = [{ uid: 'u1', container: 'db', memory: new Map([[numa, 1]]) }]
        const kinds = findMisalignments(node, running).map(({ kind }) => kind)
        // Cores of different sizes cannot always be taken whole.
        const isUneven = topology.core.members.some(({ length }) => length !== threads)
        assert.deepEqual(
          kinds.filter((kind) => !isUneven || kind !== 'core'),
          [],
        )
      }),
    )
  })

  void test('cores of one thread are never shared', () => {
    const cpu = fc.integer({ min: 0, max: 15 })
    fc.assert(
      fc.property(fc.uniqueArray(cpu, { minLength: 1 }), (cpus) => {
        const exclusive = new Map([['u1', new Map([['db', cpus.toSorted((a, b) => a - b)]])]])
        const node = { ...nodeCpus({ exclusive }), machine: bareMachine(machines['split caches']) }
        const running = [{ uid: 'u1', container: 'db', memory: undefined }]
        assert.deepEqual(findMisalignments(node, running), [])
      }),
    )
  })
})

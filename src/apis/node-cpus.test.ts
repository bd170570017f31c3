import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { machine } from '../../test/cpu/machines.ts'
import { each } from '../../test/each.ts'
import { managedBy, nodeCpus } from '../../test/node-cpus.ts'
import type { ByContainer } from '../core/cpu/by-container.ts'
import { cpuSet } from '../core/cpu/cpu-set.ts'
import { bareMachine, type Machine } from '../core/cpu/machine.ts'
import type { KubeletSettings } from '../core/cpu/node-cpus.ts'
import { type CpuPlace, createTopology } from '../core/cpu/topology.ts'
import { bytes } from '../core/units.ts'
import { type PublishedCpus, readNodeCpus, writeNodeCpus } from './node-cpus.ts'
import { attributeNames, type NodeResourceTopology } from './node-resource-topology.ts'

const id = fc.nat({ max: 200 })
const sets = fc.uniqueArray(id, { maxLength: 12 }).map(cpuSet)
const amounts = (min: number) =>
  fc.dictionary(
    fc.constantFrom('memory', 'hugepages-2Mi', 'hugepages-1Gi'),
    fc.integer({ min, max: 2 ** 40 }).map(bytes),
    { minKeys: 1 },
  )
const words = fc.stringMatching(/^[a-z][a-z-]{0,9}$/)
const options = fc.dictionary(words, words, { maxKeys: 3 })

/** Levels need not nest, and a node need not have CPUs. */
const machines: fc.Arbitrary<Machine> = fc
  .uniqueArray(fc.record({ cpu: id, core: id, uncore: id, socket: id, numa: fc.nat({ max: 7 }) }), {
    selector: ({ cpu }) => cpu,
    minLength: 1,
    maxLength: 24,
  })
  .chain((places: CpuPlace[]) => {
    const topology = createTopology(places)
    const ids = [...new Set([...topology.numa.ids, 63])]
    const nodes = ids.map((id) =>
      fc.record(
        {
          id: fc.constant(id),
          distances: fc.array(fc.nat({ max: 99 }), {
            minLength: ids.length,
            maxLength: ids.length,
          }),
          memory: amounts(0),
        },
        { requiredKeys: ['id'] },
      ),
    )
    return fc.record({ topology: fc.constant(topology), nodes: fc.tuple(...nodes) })
  })

const settings: fc.Arbitrary<KubeletSettings> = fc.record(
  {
    cpuManager: fc.record(
      { policy: words, options, reserved: sets },
      { requiredKeys: ['policy', 'options'] },
    ),
    topologyManager: fc.record({ policy: words, scope: words, options }),
    memoryManager: fc.record({
      policy: words,
      reserved: fc.array(fc.tuple(id, amounts(1)), { maxLength: 3 }).map((list) => new Map(list)),
    }),
  },
  { requiredKeys: [] },
)

const held = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<ByContainer<T>> =>
  fc
    .array(fc.tuple(fc.uuid(), fc.array(fc.tuple(words, value), { minLength: 1, maxLength: 2 })), {
      maxLength: 3,
    })
    .map((pods) => new Map(pods.map(([uid, containers]) => [uid, new Map(containers)])))

const numa = fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 3 })
const resource = fc.constantFrom('memory', 'hugepages-2Mi')
const count = fc.nat({ max: 9 })

const devices = fc.record({
  resource: fc.constantFrom('example.com/gpu', 'example.com/nic'),
  numa,
  allocatable: count,
  available: count,
})

const known: fc.Arbitrary<PublishedCpus> = fc.record(
  {
    machine: machines,
    settings,
    shared: sets,
    exclusive: held(sets),
    memory: held(fc.array(fc.record({ resource, numa, bytes: fc.nat() }), { maxLength: 2 })),
    devices: fc.array(devices, { maxLength: 3 }),
  },
  { requiredKeys: ['machine', 'settings', 'exclusive', 'memory', 'devices'] },
)

const pinned = nodeCpus({
  settings: {
    ...managedBy('static', { options: { 'full-pcpus-only': 'true' }, reserved: [7] }),
    topologyManager: { policy: 'single-numa-node', scope: 'container', options: {} },
    memoryManager: {
      policy: 'Static',
      reserved: new Map([
        [0, { memory: bytes(2 ** 27) }],
        [1, { memory: bytes(2 ** 27) }],
      ]),
    },
  },
  shared: [6, 7],
  exclusive: new Map([
    ['u1', new Map([['main', [0, 1]]])],
    [
      'u2',
      new Map([
        ['one', [2, 3]],
        ['other', [4, 5]],
      ]),
    ],
  ]),
  memory: new Map([
    ['u1', new Map([['main', [{ resource: 'memory', numa: [0], bytes: 2 ** 26 }]]])],
  ]),
  devices: [
    { resource: 'example.com/nic', numa: [0], allocatable: 2, available: 1 },
    { resource: 'example.com/nic', numa: [0, 1], allocatable: 4, available: 4 },
  ],
})

/** Of two sockets, each a NUMA node of two cores with two threads, and 1 GiB. */
const twoNodes: Machine = {
  topology: machine({ sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }),
  nodes: [
    { id: 0, distances: [10, 21], memory: { memory: bytes(2 ** 30) } },
    { id: 1, distances: [21, 10], memory: { memory: bytes(2 ** 30) } },
  ],
}

void describe("apis: a node's CPUs as its NodeResourceTopology", () => {
  void test('written, then read, they are the same', () => {
    fc.assert(
      fc.property(known, (cpus) => {
        const wire: unknown = JSON.parse(JSON.stringify(writeNodeCpus('n1', cpus)))
        const read = readNodeCpus(wire as NodeResourceTopology)
        // A copy, since objects of fast-check have no prototype.
        assert.deepEqual(read, structuredClone(cpus))
      }),
    )
  })

  void test('zones tell what there is, what pods may have, and what is free', () => {
    const { zones, topologyPolicies, attributes } = writeNodeCpus('n1', {
      ...pinned,
      machine: twoNodes,
    })
    assert.deepEqual(topologyPolicies, ['SingleNUMANodeContainerLevel'])
    assert.deepEqual(
      zones.map(({ name, type, costs, resources }) => ({ name, type, costs, resources })),
      [
        {
          name: 'node-0',
          type: 'Node',
          costs: [
            { name: 'node-0', value: 10 },
            { name: 'node-1', value: 21 },
          ],
          resources: [
            { name: 'cpu', capacity: '4', allocatable: '4', available: '0' },
            { name: 'memory', capacity: '1Gi', allocatable: '896Mi', available: '832Mi' },
            { name: 'example.com/nic', capacity: '6', allocatable: '6', available: '5' },
          ],
        },
        {
          name: 'node-1',
          type: 'Node',
          costs: [
            { name: 'node-0', value: 21 },
            { name: 'node-1', value: 10 },
          ],
          resources: [
            { name: 'cpu', capacity: '4', allocatable: '3', available: '1' },
            { name: 'memory', capacity: '1Gi', allocatable: '896Mi', available: '896Mi' },
            { name: 'example.com/nic', capacity: '4', allocatable: '4', available: '4' },
          ],
        },
      ],
    )
    const valueOf = (name: string) => attributes?.find((one) => one.name === name)?.value
    assert.equal(valueOf(attributeNames.freeCpus), '6')
    assert.equal(valueOf(attributeNames.cores), '0=0-1 2=2-3 4=4-5 6=6-7')
    assert.equal(
      valueOf(attributeNames.exclusiveCpus),
      '{"u1":{"main":"0-1"},"u2":{"one":"2-3","other":"4-5"}}',
    )
  })

  each(
    [
      { name: 'none', policy: 'none', scope: 'pod', word: 'None' },
      { name: 'each container', policy: 'restricted', word: 'RestrictedContainerLevel' },
      { name: 'whole pods', policy: 'best-effort', scope: 'pod', word: 'BestEffortPodLevel' },
    ],
    ({ policy, scope = 'container', word }) => {
      const cpus = nodeCpus({ settings: { topologyManager: { policy, scope, options: {} } } })
      const { topologyPolicies } = writeNodeCpus('n1', { ...cpus, machine: twoNodes })
      assert.deepEqual(topologyPolicies, [word])
    },
  )

  void test('memory that no manager counts is not said to be free', () => {
    const { zones } = writeNodeCpus('n1', { ...nodeCpus(), machine: twoNodes })
    assert.deepEqual(zones[0]?.resources, [
      { name: 'cpu', capacity: '4', allocatable: '4', available: '4' },
    ])
  })

  const written = writeNodeCpus('n1', { ...pinned, machine: bareMachine(twoNodes.topology) })
  const without = (gone: string) => written.attributes?.filter(({ name }) => name !== gone) ?? []
  each(
    [
      {
        name: 'what others wrote is refused, with what is missing',
        given: { attributes: [] },
        says: /^NodeResourceTopology n1: expected the attribute mbcas\.io\/cores, got none; .*mbcas agent/,
      },
      {
        name: 'and so is a zone that is no NUMA node',
        given: { zones: [{ name: 'socket-0', type: 'Socket' }] },
        says: /expected zones such as node-0, got socket-0/,
      },
      {
        name: 'and a CPU that is on no core',
        given: {
          attributes: [...without('mbcas.io/cores'), { name: 'mbcas.io/cores', value: '0=0' }],
        },
        says: /mbcas\.io\/cores: expected to find CPU 1, got 0=0$/,
      },
      {
        name: 'and half a text',
        given: {
          attributes: [...without('mbcas.io/devices'), { name: 'mbcas.io/devices', value: '[' }],
        },
        says: /^NodeResourceTopology n1: mbcas\.io\/devices: .*JSON/,
      },
      {
        name: 'and no list of CPUs',
        given: {
          attributes: [
            ...without(attributeNames.sharedCpus),
            { name: attributeNames.sharedCpus, value: '3-1' },
          ],
        },
        says: /^NodeResourceTopology n1: .*3-1/,
      },
    ],
    ({ given, says }) =>
      assert.throws(() => readNodeCpus({ ...written, ...given }), {
        name: 'InvalidInput',
        message: says,
      }),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { placesOf } from '../../../../test/cpu/machines.ts'
import type { Pod } from '../../../apis/pod.ts'
import { readMachine } from '../../../apis/topology-file.ts'
import type { KubeletConfig } from '../../../core/cpu/admission/node.ts'
import { parseCpuSet } from '../../../core/cpu/cpu-set.ts'
import { planTable } from './plan-table.ts'
import { freshStart, planJson, planPods, podsIn } from './plan.ts'

const machine = readMachine(
  { cpus: placesOf({ sockets: 2, nodes: 1, cores: 4, threads: 2 }) },
  'machine',
)

const pod = (name: string, ...cpus: readonly string[]): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: cpus.map((cpu, i) => ({
      name: `c${i}`,
      resources: { limits: { cpu, memory: '1Gi' } },
    })),
  },
})

const config: KubeletConfig = {
  cpuManager: { options: {}, reserved: parseCpuSet('0,8') },
  topologyManager: { policy: 'single-numa-node', scope: 'pod' },
}

void describe('apps/cli: plan', () => {
  const pods = [pod('a', '4', '500m'), pod('b', '9'), pod('c', '4'), pod('d', '4')]
  const plan = planPods(freshStart(machine, config), pods)

  void test('pods are played in order, and what is refused takes nothing', () => {
    const verdicts = plan.pods.map(({ admitted, containers, refusal }) =>
      admitted ? containers.map(({ cpus }) => cpus?.join() ?? 'shared').join(' ') : refusal?.reason,
    )
    assert.deepEqual(verdicts, [
      '1,2,9,10 shared',
      'TopologyAffinityError',
      '4,5,12,13',
      '6,7,14,15',
    ])
  })

  void test('for machines', () => {
    const { pods: printed, ...cpus } = planJson(machine, plan) as { pods: unknown[] }
    assert.deepEqual(cpus, {
      reserved: '0,8',
      taken: '',
      shared: '0,3,8,11',
      free: '3,11',
      freeByNumaNode: [
        { numa: 0, cpus: '3,11' },
        { numa: 1, cpus: '' },
      ],
    })
    assert.deepEqual(printed[0], {
      pod: 'default/a',
      admitted: true,
      containers: [
        {
          name: 'c0',
          kind: 'app',
          memory: [],
          hint: { affinity: [0], preferred: true },
          cpus: '1-2,9-10',
          numaNodes: [0],
        },
        {
          name: 'c1',
          kind: 'app',
          memory: [],
          hint: { affinity: [0], preferred: true },
          cpus: null,
          numaNodes: null,
        },
      ],
      overlooked: [],
    })
  })

  void test('for people, with a picture', () => {
    const lines = planTable(machine, plan, 100).split('\n')
    assert.ok(lines.includes('default/a: admitted'))
    assert.ok(lines.some((line) => line.startsWith('default/b: refused: TopologyAffinityError')))
    assert.ok(lines.includes('socket 0  NUMA 0  RR AA AA ..'), lines.join('\n'))
    assert.ok(lines.includes('socket 1  NUMA 1  BB BB CC CC'), lines.join('\n'))
  })

  void test('two of a name are two, also in the picture', () => {
    const twice = planPods(freshStart(machine, config), [pod('a', '2'), pod('a', '2')])
    const lines = planTable(machine, twice, 100).split('\n')
    assert.ok(lines.includes('socket 0  NUMA 0  RR AA BB ..'), lines.join('\n'))
    assert.equal(lines.filter((line) => /^ {2}c0 .* B$/.test(line)).length, 1)
  })

  void test('what it does not know is said', () => {
    const limits = { cpu: '2', memory: '1Gi', 'hugepages-2Mi': '2Mi', 'example.com/gpu': '1' }
    const withDevice = { ...pod('a'), spec: { containers: [{ name: 'c', resources: { limits } }] } }
    const plan = planPods(freshStart(machine, config), [withDevice])
    assert.deepEqual(plan.pods[0]?.overlooked, ['example.com/gpu'])
    const text = planTable(machine, plan, 100)
    assert.match(text, /^ {2}example\.com\/gpu: not looked at; near which NUMA nodes/m)
  })

  void test('without a static policy all is shared', () => {
    const { pods, shared, free } = planPods(freshStart(machine, {}), [pod('a', '4')])
    assert.equal(pods[0]?.admitted, true)
    assert.equal(pods[0]?.containers[0]?.cpus, null)
    assert.deepEqual([shared, free], [machine.topology.cpus, machine.topology.cpus])
  })

  void test('what a kubelet would not start with is refused', () => {
    const bySocket = { options: { 'align-by-socket': true }, reserved: 1 }
    assert.throws(() => freshStart(machine, { ...config, cpuManager: bySocket }), {
      name: 'InvalidInput',
      message: /^a kubelet would not start so: Topolgy manager single-numa-node policy/,
    })
  })

  void test('pods are read from lists too, and nothing else is', () => {
    const { kind: _kind, ...withoutKind } = pod('b', '1')
    const list = {
      kind: 'List',
      items: [pod('a', '1'), { kind: 'PodList', items: [withoutKind] }],
    }
    assert.deepEqual(
      podsIn(list, 'pods').map(({ metadata }) => metadata.name),
      ['a', 'b'],
    )
    assert.throws(() => podsIn({ kind: 'Service' }, 'pods'), {
      message: 'reading pods: expected a Pod with containers, got Service',
    })
    for (const document of [
      { kind: 'List', items: null },
      { kind: 7, items: [] },
    ]) {
      assert.throws(() => podsIn(document, 'pods'), { name: 'InvalidInput' })
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { shownHint } from '../../../../test/cpu/hints.ts'
import { type MachineName, machines } from '../../../../test/cpu/machines.ts'
import { freeOf, gibibytes, memoryContainer } from '../../../../test/cpu/memory.ts'
import { accepted, container, pod } from '../../../../test/cpu/policies.ts'
import { each } from '../../../../test/each.ts'
import { formatCpuSet, parseCpuSet } from '../cpu-set.ts'
import type { Machine } from '../machine.ts'
import type { ContainerRequest } from '../pod-request.ts'
import { type Admission, admitPod } from './admit.ts'
import { createNode, type KubeletConfig, releasePod, startPod } from './node.ts'

/** With 8 GiB on every NUMA node. */
const machineOf = (name: MachineName): Machine => ({
  topology: machines[name],
  nodes: machines[name].numa.ids.map((id) => ({ id, memory: { memory: gibibytes(8) } })),
})

const config = (
  policy: string,
  { scope = 'container', ...changed }: Partial<KubeletConfig> & { scope?: string } = {},
): KubeletConfig => ({
  cpuManager: { options: {}, reserved: parseCpuSet('0') },
  topologyManager: { policy, scope },
  ...changed,
})

const nodeOf = (name: MachineName, given: KubeletConfig) =>
  accepted(createNode(machineOf(name), given))

const admit = (
  name: MachineName,
  given: KubeletConfig,
  ...containers: readonly ContainerRequest[]
): Admission => {
  const { node, state } = nodeOf(name, given)
  return admitPod(node, state, pod('p', ...containers))
}

/** `app 1-3 on 0*`: CPUs, and the merged hint. */
const shown = ({ containers, refusal }: Admission): string[] =>
  refusal === undefined
    ? containers.map(({ name, cpus, hint }) => {
        const has = cpus === null ? 'shared' : formatCpuSet(cpus)
        return `${name} ${has} on ${shownHint(hint)}`
      })
    : [`${refusal.reason}: ${refusal.message}`]

const notAligned = 'TopologyAffinityError: Resources cannot be allocated with Topology locality'
const [three, four, six] = [container('a', 3), container('b', 4), container('c', 6)]

const rows = [
  {
    name: 'each container on the lowest node that has enough',
    given: config('restricted'),
    asks: [four, container('d', 5), three],
    gives: ['b 1-2,9-10 on 0*', 'd 4-6,12-13 on 1*', 'a 3,8,11 on 0*'],
  },
  {
    name: 'a pod whose containers each fit a node, but not together',
    given: config('single-numa-node', { scope: 'pod' }),
    asks: [six, three],
    gives: [notAligned],
  },
  {
    name: 'the same pod, container by container',
    given: config('single-numa-node'),
    asks: [six, three],
    gives: ['c 1-3,9-11 on 0*', 'a 4-5,12 on 1*'],
  },
  {
    name: 'best effort takes what there is',
    given: config('best-effort'),
    asks: [container('d', 5), six, three],
    gives: ['d 1-2,8-10 on 0*', 'c 4-6,12-14 on 1*', 'a 3,7,11 on 01'],
  },
  {
    name: 'without a policy the CPUs decide alone',
    given: config('none', { scope: 'pod' }),
    asks: [container('d', 9)],
    gives: ['d 4-8,12-15 on any'],
  },
  {
    name: 'containers of the shared pool follow',
    given: config('single-numa-node'),
    asks: [container('d', 0.5), four],
    gives: ['d shared on any*', 'b 1-2,9-10 on 0*'],
  },
  {
    name: 'more than there is',
    given: config('none'),
    asks: [container('d', 16)],
    gives: [
      'UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request: requested=16, available=15, which is unexpected',
    ],
  },
  {
    name: 'half a core, where whole ones are given',
    given: config('none', {
      cpuManager: { options: { 'full-pcpus-only': true }, reserved: parseCpuSet('0') },
    }),
    asks: [three],
    gives: [
      'SMTAlignmentError: SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2',
    ],
  },
  {
    name: 'a kubelet without managers gives nobody anything',
    given: {},
    asks: [six],
    gives: ['c shared on any'],
  },
]

void describe('core/cpu: admission of a pod', () => {
  each(rows, ({ given, asks, gives }) => {
    assert.deepEqual(shown(admit('two sockets', given, ...asks)), gives)
  })

  void test('an operator is told why', () => {
    const { refusal } = admit('two sockets', config('single-numa-node'), container('a', 9))
    assert.deepEqual(refusal, {
      reason: 'TopologyAffinityError',
      message: 'Resources cannot be allocated with Topology locality',
      container: 'a',
      why: 'single-numa-node wants one NUMA node that all resources prefer: cpu {0,1}* (* preferred)',
    })
  })

  void test('what a refused pod was given is given back', () => {
    const { node, state } = nodeOf('two sockets', config('restricted'))
    const refused = admitPod(node, state, pod('p', six, container('d', 6), four))
    assert.equal(refused.admitted, false)
    assert.deepEqual(refused.state.cpu?.shared, state.cpu?.shared)
    assert.equal(refused.state.cpu?.assigned.size, 0)
  })

  void test('a pod that has gone leaves its CPUs', () => {
    const { node, state } = nodeOf('two sockets', config('restricted'))
    const { state: after } = admitPod(node, state, pod('p', six, three))
    assert.equal(after.cpu?.shared.length, 7)
    assert.equal(releasePod(after, 'p').cpu?.shared.length, 16)
  })

  void test('admitted again, as by a kubelet that restarts, it keeps what it has', () => {
    const { node, state } = nodeOf('two sockets', config('restricted', { scope: 'pod' }))
    const one = pod('p', container('init', 2, 'init'), three, four)
    const first = admitPod(node, state, one)
    const again = admitPod(node, first.state, one)
    assert.deepEqual([again.admitted, again.containers], [true, first.containers])
    assert.deepEqual(again.state.cpu?.shared, first.state.cpu?.shared)
  })
})

const reserved = new Map([[0, { memory: gibibytes(1) }]])

void describe('core/cpu: admission with memory', () => {
  const given = config('restricted', { memoryManager: { reserved } })

  void test('CPUs and memory are on one node, that which has enough of both', () => {
    const app = { ...memoryContainer('app', 8), cpu: container('', 4).cpu }
    const admission = admit('two sockets', given, app)
    assert.deepEqual(shown(admission), ['app 4-5,12-13 on 1*'])
    assert.deepEqual(admission.containers[0]?.memory, [
      { resource: 'memory', numa: [1], bytes: gibibytes(8) },
    ])
  })

  void test('one that needs the CPUs of one node and the memory of two is refused', () => {
    const { refusal } = admit('two sockets', given, memoryContainer('app', 10))
    assert.equal(
      refusal?.why,
      'restricted wants NUMA nodes that all resources prefer: cpu {0}* {1}* {0,1}, memory {0,1}* (* preferred)',
    )
  })

  void test('too little memory is only found when it is given', () => {
    const { refusal } = admit('two sockets', given, memoryContainer('app', 20))
    assert.equal(refusal?.reason, 'UnexpectedAdmissionError')
    assert.match(refusal?.message ?? '', /failed to find NUMA nodes to extend/)
  })

  void test('memory of init containers is free again once the apps run', () => {
    const { node, state } = nodeOf('two sockets', given)
    const one = pod('p', memoryContainer('init', 6, 'init'), memoryContainer('app', 2))
    const { state: after } = admitPod(node, state, one)
    assert.ok(after.memory)
    assert.deepEqual(freeOf(after.memory), [1, 8])
    const running = startPod(after, one)
    assert.ok(running.memory)
    assert.deepEqual(freeOf(running.memory), [5, 8])
    assert.equal(running.cpu?.shared, after.cpu?.shared)
  })
})

const refusedConfigs = [
  {
    name: 'a policy that nobody knows',
    given: config('tight'),
    error: 'unknown policy: "tight"',
  },
  {
    name: 'sockets, where single nodes are wanted',
    given: config('single-numa-node', {
      cpuManager: { options: { 'align-by-socket': true }, reserved: 1 },
    }),
    error:
      'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
  },
  {
    name: 'memory of a node that is not there',
    given: config('none', { memoryManager: { reserved: new Map([[7, {}]]) } }),
    error:
      'the reserved memory configuration references a NUMA node 7 that does not exist on this machine',
  },
  {
    name: 'no memory reserved',
    given: config('none', { memoryManager: { reserved: new Map() } }),
    error: '[memorymanager] you should specify the system reserved memory',
  },
]

void describe('core/cpu: a kubelet that would not start', () => {
  each(refusedConfigs, ({ given, error }) => {
    assert.deepEqual(createNode(machineOf('two sockets'), given), { error })
  })

  void test('memory that nobody has told of is a fault of who asks', () => {
    const machine = { topology: machines.laptop, nodes: [{ id: 0 }] }
    assert.throws(() => createNode(machine, { memoryManager: { reserved } }), {
      message: /^memory of NUMA node 0: expected an amount, got none;/,
    })
  })
})

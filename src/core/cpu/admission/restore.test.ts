import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { machines } from '../../../../test/cpu/machines.ts'
import { gibibytes, memoryContainer } from '../../../../test/cpu/memory.ts'
import { accepted, pod } from '../../../../test/cpu/policies.ts'
import { managedBy, nodeCpus } from '../../../../test/node-cpus.ts'
import { millicores } from '../../units.ts'
import type { Machine } from '../machine.ts'
import type { KubeletSettings, NodeCpus } from '../node-cpus.ts'
import type { PodRequest } from '../pod-request.ts'
import { admitPod } from './admit.ts'
import { type NodeState, startPod } from './node.ts'
import { restoreNode } from './restore.ts'

const machine: Machine = {
  topology: machines['two nodes a socket'],
  nodes: machines['two nodes a socket'].numa.ids.map((id) => ({
    id,
    memory: { memory: gibibytes(8) },
  })),
}

const settingsOf = (policy: string, option: string): KubeletSettings => ({
  ...managedBy('static', { options: { [option]: true }, reserved: [0, 16] }),
  topologyManager: { policy, scope: 'container', options: {} },
  memoryManager: { policy: 'Static', reserved: new Map([[0, { memory: gibibytes(1) }]]) },
})

/** What an agent could tell of it. */
const toldOf = (settings: KubeletSettings, { cpu, memory }: NodeState): NodeCpus => ({
  ...nodeCpus({ settings }),
  exclusive: cpu?.assigned ?? new Map(),
  memory: new Map(
    (memory?.held ?? []).map(({ uid, container, blocks }) => [uid, new Map([[container, blocks]])]),
  ),
})

const settings = fc
  .tuple(
    fc.constantFrom('none', 'best-effort', 'restricted', 'single-numa-node'),
    fc.constantFrom('full-pcpus-only', 'strict-cpu-reservation', 'distribute-cpus-across-numa'),
  )
  .map(([policy, option]) => settingsOf(policy, option))

const pods = fc
  .array(
    fc.record({ cpus: fc.integer({ min: 1, max: 12 }), size: fc.integer({ min: 1, max: 12 }) }),
  )
  .map((asked) =>
    asked.map(({ cpus, size }, i): PodRequest => {
      const container = memoryContainer('main', size)
      return pod(`pod ${i}`, { ...container, cpu: millicores(cpus * 1000) })
    }),
  )

void describe('core/cpu: a node that is restored', () => {
  void test('holds what it held, and decides on the next pod as before', () => {
    fc.assert(
      fc.property(settings, pods, (given, asked) => {
        const { node, ...start } = accepted(
          restoreNode({ ...nodeCpus({ settings: given }), machine }),
        )
        let { state } = start
        for (const one of asked) {
          const restored = accepted(restoreNode({ ...toldOf(given, state), machine }))
          assert.deepEqual(restored.state.cpu?.shared, state.cpu?.shared)
          assert.deepEqual(restored.state.memory?.nodes, state.memory?.nodes)
          const { state: after, ...verdict } = admitPod(node, state, one)
          const { state: _, ...again } = admitPod(restored.node, restored.state, one)
          assert.deepEqual(again, verdict)
          state = verdict.admitted ? startPod(after, one) : after
        }
      }),
    )
  })

  void test('as another kubelet, it keeps what runs there', () => {
    const told = { ...nodeCpus({ settings: settingsOf('none', 'full-pcpus-only') }), machine }
    const exclusive = new Map([['a', new Map([['main', [1, 17]]])]])
    const strict = { options: { 'strict-cpu-reservation': true }, reserved: [2] }
    const { state } = accepted(restoreNode({ ...told, exclusive }, { cpuManager: strict }))
    const shared = machine.topology.cpus.filter((cpu) => ![1, 2, 17].includes(cpu))
    assert.deepEqual(state, { cpu: { shared, assigned: exclusive }, memory: null })
  })
})

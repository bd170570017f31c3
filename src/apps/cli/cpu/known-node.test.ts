import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machines } from '../../../../test/cpu/machines.ts'
import { each } from '../../../../test/each.ts'
import { memoryKube } from '../../../../test/memory-kube.ts'
import { managedBy, nodeCpus } from '../../../../test/node-cpus.ts'
import { writeNodeCpus } from '../../../apis/node-cpus.ts'
import { nodeResourceTopologies } from '../../../apis/node-resource-topology.ts'
import { nodes } from '../../../apis/node.ts'
import type { Pod } from '../../../apis/pod.ts'
import { formatCpuSet, parseCpuSet } from '../../../core/cpu/cpu-set.ts'
import { bareMachine } from '../../../core/cpu/machine.ts'
import type { NodeCpus } from '../../../core/cpu/node-cpus.ts'
import type { Kube } from '../../../ports/kube.ts'
import { knownStart } from './known-node.ts'
import type { KubeletFlags } from './kubelet-config.ts'
import { planTable } from './plan-table.ts'
import { planPods } from './plan.ts'

const machine = bareMachine(machines['two sockets'])
const settings = {
  ...managedBy('static', { options: { 'full-pcpus-only': 'true' }, reserved: parseCpuSet('0,8') }),
  topologyManager: { policy: 'restricted', scope: 'container', options: {} },
}
/** Half of the first socket is somebody's. */
const running = nodeCpus({
  settings,
  exclusive: new Map([['a-pod', new Map([['main', parseCpuSet('1-2,9-10')]])]]),
})

async function clusterWith(cpus?: NodeCpus): Promise<Kube> {
  const kube = memoryKube()
  await kube.create(nodes, { metadata: { name: 'worker' } })
  if (cpus !== undefined) {
    await kube.create(nodeResourceTopologies, writeNodeCpus('worker', { ...cpus, machine }))
  }
  return kube
}

const asking = (cpu: string): Pod => ({
  metadata: { name: 'new' },
  spec: { containers: [{ name: 'main', resources: { limits: { cpu, memory: '1Gi' } } }] },
})

const planned = async (cpus: NodeCpus, flags: KubeletFlags, ...asked: readonly string[]) =>
  planPods(await knownStart(await clusterWith(cpus), 'worker', flags), asked.map(asking))

void describe('apps/cli: a plan on a node of the cluster', () => {
  each<{ name: string; flags: KubeletFlags; asks: string; gives: string }>(
    [
      { name: 'beside what runs there', flags: {}, asks: '4', gives: '4-5,12-13' },
      { name: 'a small one in the gap', flags: {}, asks: '2', gives: '3,11' },
      { name: 'by the options of its kubelet', flags: {}, asks: '3', gives: 'SMTAlignmentError' },
      { name: 'or by others', flags: { options: '' }, asks: '3', gives: '4-5,12' },
      { name: 'with other CPUs reserved', flags: { reservedCpus: '3' }, asks: '2', gives: '0,8' },
      { name: 'with no policy', flags: { policy: 'none' }, asks: '2', gives: 'shared' },
    ],
    async ({ flags, asks, gives }) => {
      const { pods } = await planned(running, flags, asks)
      const [{ refusal, containers } = { refusal: undefined, containers: [] }] = pods
      const cpus = containers.map((one) => (one.cpus === null ? 'shared' : formatCpuSet(one.cpus)))
      assert.equal(refusal?.reason ?? cpus.join(), gives)
    },
  )

  void test('the picture shows what is taken', async () => {
    const lines = planTable(machine, await planned(running, {}, '2'), 80).split('\n')
    assert.ok(lines.includes('socket 0  NUMA 0  RR ## ## AA'), lines.join('\n'))
    assert.ok(lines.includes('. free, R reserved, # of pods that run there, letters as above'))
  })

  void test('what is reserved otherwise than by strict rule is shared', async () => {
    const shared = async (options: string) =>
      formatCpuSet((await planned(running, { options })).shared)
    assert.equal(await shared('full-pcpus-only'), '0,3-8,11-15')
    assert.equal(await shared('full-pcpus-only,strict-cpu-reservation'), '3-7,11-15')
  })
})

void describe('apps/cli: no plan on a node', () => {
  each<{ name: string; cpus?: NodeCpus; node?: string; says: RegExp }>(
    [
      {
        name: 'that does not exist',
        node: 'workes',
        says: /^planning on a node: there is no node workes; did you mean worker\?$/,
      },
      {
        name: 'of which nobody tells',
        says: /^planning on a node: worker has no NodeResourceTopology; is an agent running there \(mbcas agent --node worker\)\? Or/,
      },
      {
        name: 'whose kubelet nobody knows',
        cpus: nodeCpus(),
        says: /does not know how its kubelet is set up; .* or say --policy and --topology-policy here$/,
      },
      {
        name: 'whose reserved CPUs nobody knows',
        cpus: nodeCpus({ settings: { ...settings, ...managedBy('static') } }),
        says: /or say --reserved-cpus here$/,
      },
    ],
    async ({ cpus, node = 'worker', says }) => {
      const kube = await clusterWith(cpus)
      await assert.rejects(knownStart(kube, node, {}), { name: 'InvalidInput', message: says })
    },
  )
})

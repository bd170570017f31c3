/** NodeResourceTopology: an agent applies all of it, and people see what matters. */
import assert from 'node:assert/strict'

import { writeNodeCpus } from '../../src/apis/node-cpus.ts'
import { nodeResourceTopologies } from '../../src/apis/node-resource-topology.ts'
import { bareMachine } from '../../src/core/cpu/machine.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { machine } from '../cpu/machines.ts'
import { managedBy, nodeCpus } from '../node-cpus.ts'
import type { Case } from './case.ts'
import { cellsOf, needs, printed } from './kubectl-lines.ts'

/** Of two NUMA nodes; CPU 0 is reserved, and these are given away. */
const topology = (name: string, exclusive: readonly number[]) => {
  const topology = machine({ sockets: 2, nodes: 1, cores: 4, threads: 1 })
  return writeNodeCpus(name, {
    ...nodeCpus({
      settings: {
        ...managedBy('static', { options: { 'full-pcpus-only': 'true' }, reserved: [0] }),
        topologyManager: { policy: 'restricted', scope: 'pod', options: {} },
      },
      shared: topology.cpus.filter((cpu) => !exclusive.includes(cpu)),
      ...(exclusive.length > 0 && { exclusive: new Map([['u1', new Map([['app', exclusive]])]]) }),
    }),
    machine: bareMachine(topology),
  })
}

const apply = async (kube: Kube, name: string, exclusive: readonly number[]) =>
  kube.patch(
    nodeResourceTopologies,
    { name },
    { type: 'apply', fieldManager: 'agent', body: topology(name, exclusive) },
  )

/** It has no namespace: its name is the case's. */
async function withTopology(kube: Kube, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await kube.remove(nodeResourceTopologies, { name })
  }
}

export const nodeResourceTopologyCases: readonly Case[] = [
  {
    name: 'an apply writes all of it, and the next replaces its lists',
    run: async ({ kube }, { namespace: name }) =>
      withTopology(kube, name, async () => {
        for (const exclusive of [[1, 2], []]) {
          const { topologyPolicies, attributes, zones } = await apply(kube, name, exclusive)
          const wanted = topology(name, exclusive)
          assert.deepEqual({ ...wanted, topologyPolicies, attributes, zones }, wanted)
        }
      }),
  },
  {
    name: 'kubectl get shows the policies and the free CPUs',
    needs,
    run: async (server, { namespace: name }) =>
      withTopology(server.kube, name, async () => {
        await apply(server.kube, name, [1, 2])
        const get = async (...args: string[]) =>
          (await printed(server, 'default', ['get', 'node-res-topo', name, ...args])).map(cellsOf)
        const [head, row] = await get()
        assert.deepEqual(head, [
          'NAME',
          'CPU POLICY',
          'TOPOLOGY POLICY',
          'SCOPE',
          'FREE CPUS',
          'AGE',
        ])
        assert.deepEqual(row?.slice(0, 5), [name, 'static', 'restricted', 'pod', '3-7'])
        const [, wide] = await get('-o', 'wide')
        assert.deepEqual(wide?.slice(6), ['0', '0,3-7', 'full-pcpus-only=true'])
      }),
  },
]

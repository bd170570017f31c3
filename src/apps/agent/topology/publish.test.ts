import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { unlimited } from '../../../../test/contracts/embedded.ts'
import { machine } from '../../../../test/cpu/machines.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { managedBy, nodeCpus } from '../../../../test/node-cpus.ts'
import { startTestCluster } from '../../../../test/sim/whole-cluster.ts'
import { applyCrds } from '../../../adapters/kube/apply-crds.ts'
import { createKubeOver } from '../../../adapters/kube/client.ts'
import { readNodeCpus } from '../../../apis/node-cpus.ts'
import { nodeResourceTopologies } from '../../../apis/node-resource-topology.ts'
import { nodes } from '../../../apis/node.ts'
import { bareMachine } from '../../../core/cpu/machine.ts'
import { ApiError, type Kube } from '../../../ports/kube.ts'
import type { NodeCpus } from '../../../ports/node-cpus.ts'
import { createTopologyPublisher } from './publish.ts'

const four = bareMachine(machine({ sockets: 2, nodes: 1, cores: 2, threads: 1 }))
const signal = new AbortController().signal

/** All that is known of it, with these CPUs given away. */
const pinning = (cpus: readonly number[], shared: readonly number[]): NodeCpus =>
  nodeCpus({
    machine: four,
    settings: managedBy('static', { reserved: [0] }),
    shared,
    exclusive: new Map([['u1', new Map([['app', cpus]])]]),
  })

void describe('publishing the topology of a node', () => {
  void test('the embedded cluster takes it and has it as it is known, until its node goes', async () => {
    const cluster = await startTestCluster(1)
    const { clock } = cluster.agenda
    const kube = createKubeOver(cluster.transport('mbcas'), { clock, limits: unlimited })
    await applyCrds(kube)
    await cluster.pass(1) // until it is served
    const [node] = (await kube.list(nodes)).items
    const { name: nodeName = '', uid = '' } = node?.metadata ?? {}
    const faults: unknown[] = []
    let known = pinning([1], [0, 2, 3])
    const publish = createTopologyPublisher({
      nodeName,
      nodeUid: () => uid,
      nodeCpus: { current: () => known, refresh: async () => {} },
      kube,
      clock,
      log: (...fault) => faults.push(fault),
    })
    const published = async () =>
      readNodeCpus(await kube.get(nodeResourceTopologies, { name: nodeName }))

    await publish(signal)
    assert.deepEqual(await published(), known)
    known = pinning([2, 3], [0, 1])
    await cluster.pass(5)
    await publish(signal)
    assert.deepEqual(await published(), known)
    assert.deepEqual(faults, [])
    await kube.remove(nodes, { name: nodeName })
    await cluster.pass(60)
    assert.deepEqual((await kube.list(nodeResourceTopologies)).items, [])
    kube.close()
  })

  /** Takes all patches, or refuses them. */
  function scene(known: () => NodeCpus | undefined) {
    const clock = manualClock()
    const lines: string[] = []
    const api = { isRefusing: false, patches: 0 }
    const patch = async (): Promise<never> => {
      api.patches += 1
      if (!api.isRefusing) return {} as never
      throw new ApiError('applying noderesourcetopologies n1', {
        code: 403,
        reason: 'Forbidden',
        said: 'no',
      })
    }
    const publish = createTopologyPublisher({
      nodeName: 'n1',
      nodeUid: () => 'u1',
      nodeCpus: { current: known, refresh: async () => {} },
      kube: { patch } as unknown as Kube,
      clock,
      log: (level, message) => lines.push(`${level} ${message}`),
    })
    return { api, clock, lines, publish: async () => publish(signal) }
  }

  void test('only what is new is written, and not more often than every five seconds', async () => {
    let known = pinning([1], [0, 2, 3])
    const { api, clock, publish } = scene(() => known)
    await publish()
    await clock.advance(5000)
    await publish()
    assert.equal(api.patches, 1)
    known = pinning([2], [0, 1, 3])
    await clock.advance(4999)
    await publish()
    assert.equal(api.patches, 1)
    await clock.advance(1)
    await publish()
    assert.equal(api.patches, 2)
  })

  void test('without a kubelet, or where the kernel does not tell, nothing is', async () => {
    for (const known of [undefined, nodeCpus()]) {
      const { api, publish } = scene(() => known)
      await publish()
      assert.equal(api.patches, 0)
    }
  })

  void test('a right or a kind that is missing is told once, and asked for again in a minute', async () => {
    const { api, clock, lines, publish } = scene(() => pinning([1], [0, 2, 3]))
    api.isRefusing = true
    await publish()
    await clock.advance(59_999)
    await publish()
    assert.equal(api.patches, 1)
    await clock.advance(1)
    await publish()
    assert.equal(api.patches, 2)
    assert.deepEqual(lines, ['error publishing topology'])
    api.isRefusing = false
    await clock.advance(60_000)
    await publish()
    assert.equal(api.patches, 3)
  })
})

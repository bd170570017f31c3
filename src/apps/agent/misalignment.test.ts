import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machine } from '../../../test/cpu/machines.ts'
import { managedBy, nodeCpus } from '../../../test/node-cpus.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../../../test/platform.ts'
import { events } from '../../apis/event.ts'
import { nodeMarkets } from '../../apis/node-market.ts'
import { pods } from '../../apis/pod.ts'
import { type CpuSet, without } from '../../core/cpu/cpu-set.ts'
import { bareMachine } from '../../core/cpu/machine.ts'
import type { NodeCpus } from '../../core/cpu/node-cpus.ts'
import type { Kube } from '../../ports/kube.ts'
import { MISALIGNED } from './misalignment.ts'

/** Two NUMA nodes of one core of two threads: 0-1 and 2-3. CPU 0 is for the system alone. */
const { topology, ...four } = bareMachine(
  machine({ sockets: 2, nodes: 1, cores: 1, threads: 2, together: true }),
)
const settings = managedBy('static', {
  options: { 'strict-cpu-reservation': 'true' },
  reserved: [0],
})

/** A kubelet that has given CPUs to pod db, as soon as that is there. */
async function withCpus(
  cpus: CpuSet,
  work: (platform: Platform, forget: () => void) => Promise<void>,
): Promise<void> {
  let known: NodeCpus | undefined
  const source = { current: () => known, refresh: async () => undefined }
  await onPlatform({ cpus: 4, nodeCpus: source }, async (platform) => {
    const { kube } = platform
    await createPods(kube, [
      loadedPod('db', { request: String(cpus.length), limit: String(cpus.length), memory: '1Gi' }),
    ])
    const { metadata } = await kube.get(pods, { namespace: 'default', name: 'db' })
    const exclusive = new Map([[metadata.uid ?? '', new Map([['app', cpus]])]])
    const shared = without(topology.cpus, [0, ...cpus])
    known = nodeCpus({ machine: { topology, ...four }, settings, exclusive, shared })
    await platform.pass(20)
    await work(platform, () => {
      known = undefined
    })
  })
}

const toldIn = async (kube: Kube) => {
  const { items } = await kube.list(events)
  return items.filter(({ reason }) => reason === MISALIGNED)
}

void describe('a container with CPUs of its own', () => {
  void test('that shares its core is told once, on its pod, and counted', async () => {
    await withCpus([2], async ({ kube, metrics, pass, lines }) => {
      await pass(60)
      const told = await toldIn(kube)
      assert.deepEqual(
        told.map(({ involvedObject, type, count, message }) => [
          involvedObject.name,
          type,
          count,
          message,
        ]),
        [
          [
            'db',
            'Warning',
            1,
            'container app shares physical cores of its CPU 2 with the shared pool on CPU 3: while both are busy each gets little more than half of the core; the CPU Manager option full-pcpus-only gives whole cores',
          ],
        ],
      )
      assert.match(metrics.render(), /mbcas_misaligned_containers{kind="core"} 1/)
      assert.match(metrics.render(), /mbcas_misaligned_containers{kind="spread"} 0/)
      const logged = lines.filter((line) => line.includes('container misaligned'))
      assert.equal(logged.length, 1)
    })
  })

  void test('is not counted any longer when the kubelet no longer tells of it', async () => {
    await withCpus([2], async ({ metrics, pass }, forget) => {
      forget()
      await pass(20)
      assert.match(metrics.render(), /mbcas_misaligned_containers{kind="core"} 0/)
    })
  })

  void test('that is well placed is not told', async () => {
    await withCpus([2, 3], async ({ kube, metrics }) => {
      assert.deepEqual(await toldIn(kube), [])
      assert.match(metrics.render(), /mbcas_misaligned_containers{kind="core"} 0/)
    })
  })

  void test('takes its CPUs, and a strict reservation its own, from what the node sells', async () => {
    await withCpus([2, 3], async ({ kube, metrics }) => {
      const { status } = await kube.get(nodeMarkets, { name: 'node-0' })
      const [cpu] = status.resources
      // Of 4000m: one reserved CPU, and two of a pod's own.
      assert.deepEqual([cpu?.reserve, cpu?.held, cpu?.capacity], ['1', '2', '1'])
      assert.match(metrics.render(), /mbcas_capacity_milli{node="node-0"} 1000/)
    })
  })
})

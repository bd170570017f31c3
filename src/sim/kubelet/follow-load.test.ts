import assert from 'node:assert/strict'

import { each } from '../../../test/each.ts'
import { startCluster } from '../../../test/sim/kubelets.ts'
import { loadAnnotation } from '../../apis/load.ts'
import { pods } from '../resources.ts'

const batch = 'a batch load neither begins nor ends while a container runs'

each(
  [
    {
      name: 'a running container follows its annotation',
      loads: ['steady cpu=1', 'idle cpu=5m'],
      does: { kind: 'idle', milliCpu: 5 },
      refused: [],
    },
    {
      name: 'one whose load was refused follows the next one',
      loads: ['steady cpu=1', 'stedy cpu=2', 'idle cpu=5m'],
      does: { kind: 'idle', milliCpu: 5 },
      refused: [/^parsing load "stedy cpu=2": .*perhaps steady/],
    },
    {
      name: 'one that runs for ever does not begin to end',
      loads: ['idle', 'batch work=1m', 'idle cpu=5m'],
      does: { kind: 'idle', milliCpu: 5 },
      refused: [new RegExp(batch)],
    },
    {
      name: 'one that will end goes on to its end, whatever was refused before',
      loads: ['batch work=1m', 'stedy cpu=2', 'idle cpu=5m'],
      does: { kind: 'batch', workMillis: 60_000, threads: 1, exitCode: 0 },
      refused: [/^parsing load "stedy cpu=2"/, new RegExp(batch)],
    },
  ],
  async ({ loads, does, refused }) => {
    const cluster = await startCluster()
    const { metadata } = cluster.add({ annotations: { [loadAnnotation]: loads[0] ?? '' } })
    await cluster.pass(5000)
    for (const load of loads.slice(1)) {
      const pod = cluster.pod()
      assert.ok(pod !== undefined)
      const annotations = { [loadAnnotation]: load }
      const changed = { ...pod, metadata: { ...pod.metadata, annotations } }
      cluster.api.update(pods, changed, { manager: 'test' })
      await cluster.pass(5000)
    }
    assert.equal(cluster.pod()?.metadata.uid, metadata.uid)
    const [container] = cluster.kernel.containers.values()
    assert.deepEqual(container?.load, does)
    const told = cluster.events().filter(({ reason }) => reason === 'LoadRefused')
    assert.equal(told.length, refused.length)
    for (const [i, { message }] of told.entries()) assert.match(message, refused[i] ?? /^$/)
  },
)

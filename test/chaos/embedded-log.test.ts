/** Clients in the same process, with their promises, do not disturb the order of a simulation. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { seededRandom } from '../../src/core/random.ts'
import { millis } from '../../src/core/units.ts'
import { startInformer } from '../../src/runtime/informer.ts'
import { createCluster } from '../../src/sim/cluster.ts'
import { playScenario } from '../../src/sim/scenario.ts'
import { clientOf, plantedFaults } from './embedded.ts'

const pods: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
}
const labels = { app: 'shop' }
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: {
    replicas: 5,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } },
  },
}
const node = { name: 'node', cpus: 4, memory: '8Gi', pods: 110, labels: {}, extended: {} }

/** The event log of a cluster in which a controller of ours notes on each pod what it saw. */
async function logOf(seed: number): Promise<readonly string[]> {
  const lines: string[] = []
  const cluster = createCluster({
    nodes: [{ ...node, count: 3 }],
    seed,
    speed: 'max',
    startsAt: Date.UTC(2026, 0, 1),
    logEvent: (line) => lines.push(line),
  })
  const { agenda } = cluster
  const steps = [
    { at: millis(5000), apply: [deployment] },
    { at: millis(60_000), loseNodes: ['node-1'] },
    { at: millis(500_000), restoreNodes: ['node-1'] },
  ]
  playScenario(cluster, { steps }, { onFault: (error) => assert.fail(String(error)) })
  cluster.plant(plantedFaults([{ kind: 'drop-watch', share: 0.5, events: 3 }]))
  const stop = new AbortController()
  const kube = clientOf(cluster, 'controller')
  let seen = 0
  const informer = startInformer<KubeObject, KubeObject>({
    kube,
    resource: pods,
    keep: 'whole',
    project: (object) => object,
    clock: agenda.clock,
    random: seededRandom(seed),
    log: () => undefined,
    signal: stop.signal,
    handlers: [
      (change) => {
        if (change.type !== 'added') return
        const { namespace = '', name = '' } = change.now.metadata
        const body = { metadata: { annotations: { seen: String((seen += 1)) } } }
        void kube.patch(pods, { namespace, name }, { type: 'merge', body })
      },
    ],
  })
  await agenda.run({ until: 600_000 })
  stop.abort()
  await informer.stopped
  assert.ok(seen > 5)
  return lines
}

void describe('the embedded cluster with a controller in its process', () => {
  void test('gives the same log for the same seed, and another for another', async () => {
    const lines = await logOf(1)
    assert.ok(lines.length > 200)
    assert.deepEqual(await logOf(1), lines)
    assert.notDeepEqual(await logOf(2), lines)
  })
})

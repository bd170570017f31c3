import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { each } from '../../test/each.ts'
import { type Manifest, type NodeGroup, nodeGroup } from '../apis/scenario-file.ts'
import { millis } from '../core/units.ts'
import type { Api } from './apiserver/api.ts'
import type { ApiObject } from './apiserver/object.ts'
import { type ClusterOptions, createCluster } from './cluster.ts'
import { events, nodes, pods } from './resources.ts'
import { playScenario } from './scenario.ts'

const namespace = 'default'

const group = (given: v.InferInput<typeof nodeGroup> = {}): NodeGroup => v.parse(nodeGroup, given)

const clusterOf = (given: Partial<ClusterOptions> = {}) =>
  createCluster({
    nodes: [group({ count: 2 })],
    seed: 1,
    speed: 'max',
    startsAt: Date.UTC(2026, 0, 1),
    ...given,
  })

const podOf = (name: string, load: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { 'sim.mbcas.io/load': load } },
  spec: {
    containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m' } } }],
  },
})

const onFault = (error: unknown) => assert.fail(String(error))
const at = millis(5000)

type Condition = { readonly type: string; readonly status: string }
type Pod = ApiObject & {
  readonly status: {
    readonly phase: string
    readonly containerStatuses: readonly {
      readonly state: { readonly waiting?: { readonly reason: string; readonly message: string } }
    }[]
  }
}
const podIn = (api: Api, name: string) => api.find(pods, { namespace, name }) as Pod | undefined
const readyOf = (api: Api) =>
  api.list(nodes).map((node) => {
    const { conditions } = (node as ApiObject & { status: { conditions: Condition[] } }).status
    return conditions.find(({ type }) => type === 'Ready')?.status
  })

void describe('the embedded cluster', () => {
  void test('runs a pod on a node, whose kernel knows what it uses', async () => {
    const cluster = clusterOf({ nodes: [group({ name: 'only' })] })
    playScenario(
      cluster,
      { steps: [{ at, apply: [podOf('busy', 'steady cpu=300m')] }] },
      { onFault },
    )
    await cluster.agenda.run({ until: 30_000 })
    assert.equal(podIn(cluster.api, 'busy')?.status.phase, 'Running')
    assert.deepEqual([...cluster.kernels.keys()], ['only-0'])
  })

  void test('shows a load that nobody understands on its pod, and goes on', async () => {
    const cluster = clusterOf()
    const apply = [podOf('wrong', 'steady cpuu=1'), podOf('right', 'steady cpu=100m')]
    playScenario(cluster, { steps: [{ at, apply }] }, { onFault })
    await cluster.agenda.run({ until: 60_000 })
    const [status] = podIn(cluster.api, 'wrong')?.status.containerStatuses ?? []
    assert.equal(status?.state.waiting?.reason, 'CreateContainerConfigError')
    assert.match(status.state.waiting.message, /cpuu/)
    const warnings = cluster.api.list(events).filter((event) => {
      const { type, reason } = event as ApiObject & { type: string; reason: string }
      return type === 'Warning' && reason === 'Failed'
    })
    assert.equal(warnings.length, 1)
    assert.equal(podIn(cluster.api, 'right')?.status.phase, 'Running')
  })

  void test('limits that no number holds are as good as none, and requests never fit', async () => {
    const faults: unknown[] = []
    const cluster = clusterOf()
    const huge = (name: string, resources: object): Manifest => ({
      ...podOf(name, 'steady cpu=100m'),
      spec: { containers: [{ name: 'main', image: 'x', resources }] },
    })
    const most = { cpu: '1e30', memory: '1e30' }
    const limited = { requests: { cpu: '100m', memory: '1Mi' }, limits: most }
    const apply = [huge('limited', limited), huge('requested', { requests: most })]
    const steps = [{ at, apply }]
    playScenario(cluster, { steps }, { onFault: (error) => void faults.push(error) })
    await cluster.agenda.run({ until: 60_000 })
    assert.deepEqual(faults, [])
    assert.equal(podIn(cluster.api, 'limited')?.status.phase, 'Running')
    assert.equal(podIn(cluster.api, 'requested')?.status.phase, 'Pending')
  })

  void test('a lost node is not ready until it is restored, however often it is said', async () => {
    const { agenda, api, loseNode, restoreNode } = clusterOf()
    await agenda.run({ until: 10_000 })
    assert.deepEqual(readyOf(api), ['True', 'True'])
    loseNode('node-1')
    loseNode('node-1')
    await agenda.run({ until: 120_000 })
    assert.deepEqual(readyOf(api), ['True', 'Unknown'])
    restoreNode('node-1')
    restoreNode('node-1')
    restoreNode('node-0')
    await agenda.run({ until: 150_000 })
    assert.deepEqual(readyOf(api), ['True', 'True'])
  })

  void test('the event log has every version, and a seed repeats it', async () => {
    const logOf = async (seed: number, authority: string) => {
      const lines: string[] = []
      const cluster = clusterOf({ seed, authority, logEvent: (line) => lines.push(line) })
      playScenario(
        cluster,
        { steps: [{ at, apply: [podOf('busy', 'spiky high=1 every=5s for=1s')] }] },
        { onFault },
      )
      await cluster.agenda.run({ until: 60_000 })
      return { lines, last: cluster.api.version() }
    }
    const { lines, last } = await logOf(1, 'a certificate')
    const versions = lines.map((line) => (JSON.parse(line) as { version: number }).version)
    assert.deepEqual(
      versions,
      Array.from({ length: versions.length }, (_, i) => last - versions.length + 1 + i),
    )
    assert.match(lines[0] ?? '', /"change":"ADDED","resource":"namespaces","object":"default"/)
    assert.deepEqual((await logOf(1, 'another certificate')).lines, lines)
    assert.notDeepEqual((await logOf(2, 'a certificate')).lines, lines)
  })

  each(
    [
      {
        name: 'refuses two groups of one name',
        nodes: [group(), group()],
        says: /nodes: expected names of their own, got node-0 twice/,
      },
      {
        name: 'refuses more machines than there are addresses',
        nodes: ['a', 'b'].map((name) => group({ name, count: 2000 })),
        says: /nodes: expected at most 3072, got more/,
      },
      {
        name: 'refuses a label that is none',
        nodes: [group({ labels: { 'a b': 'c' } })],
        says: /nodes: Node "node-0" is invalid: metadata\.labels/,
      },
    ],
    ({ nodes, says }) => {
      assert.throws(() => clusterOf({ nodes }), says)
    },
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { unlimited } from '../../../test/contracts/embedded.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { managedBy, nodeCpus } from '../../../test/node-cpus.ts'
import { pod, wanting } from '../../../test/node-pods.ts'
import { startTestCluster } from '../../../test/sim/whole-cluster.ts'
import { applyCrds } from '../../adapters/kube/apply-crds.ts'
import { createKubeOver } from '../../adapters/kube/client.ts'
import { nodeMarkets } from '../../apis/node-market.ts'
import { nodes } from '../../apis/node.ts'
import { planNode } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import { biddingRules } from '../../core/bidding/rules.ts'
import { millicores, millis } from '../../core/units.ts'
import { ApiError, type Kube } from '../../ports/kube.ts'
import {
  type Cleared,
  createMarketWriter,
  type NodeFacts,
  nodeFactsOf,
  nodeMarketOf,
} from './node-market.ts'

const dns = pod({ name: 'dns', namespace: 'kube-system' })
const enough = [wanting('a', 0.4), wanting('b', 0.05), dns]
const short = [wanting('a', 0.9), wanting('b', 0.9), dns]
const greedy = ['a', 'b'].map((name) =>
  wanting(name, 0.9, { wishes: { minCpu: millicores(800) }, maxMinCpu: millicores(800) }),
)

const usual: Cleared = {
  nodeName: 'n1',
  nodeUid: 'u1',
  at: millis(Date.UTC(2026, 0, 1)),
  facts: {},
  highlights: {
    sufferingPods: 1,
    holders: [{ pod: { namespace: 'default', name: 'a' }, held: millicores(560) }],
    changes: [],
    suffering: [],
    heldBack: [],
  },
}

const planOf = (pods: readonly NodePod[]) => planNode({ allocatable: millicores(1000) }, pods)
const marketOf = (pods: readonly NodePod[], cleared = usual) => nodeMarketOf(planOf(pods), cleared)

void describe('the market of a node', () => {
  const told = { sufferingPods: 1, holders: [{ pod: 'default/a', amount: '560m' }] }
  const always = { name: 'cpu', mechanism: 'nash', allocatable: '1', reserve: '0', ...told }
  const clearedAt = '2026-01-01T00:00:00Z'
  each(
    [
      {
        name: 'tells what is left where there is enough, for nothing',
        pods: enough,
        tells: {
          mode: 'uncongested',
          held: '100m',
          capacity: '900m',
          sold: '450m',
          unsold: '450m',
          price: 0,
          nashProductLog: 0.5704,
          pods: 2,
          unmanagedPods: 1,
        },
      },
      {
        name: 'tells a price where it is short, in four digits',
        pods: short,
        tells: {
          mode: 'congested',
          held: '100m',
          capacity: '900m',
          sold: '900m',
          unsold: '0',
          price: 0.0002857,
          nashProductLog: 1.172,
          pods: 2,
          unmanagedPods: 1,
        },
      },
    ],
    ({ pods, tells }) => {
      const { metadata, status } = marketOf(pods)
      assert.deepEqual(status.resources, [{ ...always, ...tells, clearedAt }])
      assert.deepEqual(metadata, {
        name: 'n1',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1', controller: true },
        ],
      })
    },
  )
})

void describe('the market of a node', () => {
  void test('whose floors do not fit is overloaded', () => {
    const wishes = { minCpu: millicores(2000) }
    const plan = planOf([wanting('a', 0.1, { wishes, maxMinCpu: wishes.minCpu })])
    const [told] = nodeMarketOf(plan, usual).status.resources
    assert.deepEqual([told?.mode, told?.price], ['overloaded', 0])
  })

  void test('without a price tells none', () => {
    const plan = planOf(short)
    const clearing = { ...plan.clearing, price: null }
    const [told] = nodeMarketOf({ ...plan, clearing }, usual).status.resources
    assert.equal(told && 'price' in told, false)
  })
})

void describe('pods in trouble', () => {
  void test('are told by name, with a reason that the definition takes', () => {
    const pod = { namespace: 'shop', name: 'web' }
    const highlights = {
      ...usual.highlights,
      suffering: [{ pod, reason: 'waits for a CPU 61 % of the time' }],
      heldBack: [{ pod, to: millicores(2000), reason: 'x'.repeat(600) }],
    }
    const { suffering, heldBack } = marketOf(enough, { ...usual, highlights }).status
    assert.deepEqual(suffering, [{ ...pod, reason: 'waits for a CPU 61 % of the time' }])
    assert.deepEqual(heldBack, [{ ...pod, to: '2', reason: 'x'.repeat(512) }])
    assert.ok(!('suffering' in marketOf(enough).status))
  })
})

void describe('what keeps a reserve', () => {
  void test('is a market of strict shares', () => {
    const rules = { ...biddingRules, enforcement: 'strict' as const }
    const plan = planNode({ allocatable: millicores(1000) }, short, rules)
    const [told] = nodeMarketOf(plan, usual).status.resources
    assert.deepEqual([told?.reserve, told?.capacity], ['100m', '800m'])
  })
})

void describe('what only the node knows', () => {
  const managed = (policy: string) => nodeCpus({ settings: managedBy(policy) })
  each<{ name: string; facts: NodeFacts; tells: object }>(
    [
      {
        name: 'is told as far as it is known',
        facts: nodeFactsOf({
          driver: () => 'systemd',
          nodeCpus: managed('static'),
          agentPort: 8082,
        }),
        tells: {
          node: { cgroupDriver: 'systemd', cpuManagerPolicy: 'static', agentPort: 8082 },
        },
      },
      {
        name: 'without a group and with a policy that is not known, nothing is',
        facts: nodeFactsOf({ driver: () => undefined, nodeCpus: managed('other') }),
        tells: {},
      },
      {
        name: 'by a reader that cannot tell neither',
        facts: nodeFactsOf({}),
        tells: {},
      },
    ],
    ({ facts, tells }) => {
      const {
        resources: _markets,
        changes: _,
        ...rest
      } = marketOf(enough, { ...usual, facts }).status
      assert.deepEqual(rest, tells)
    },
  )
})

void describe('writing the market of a node', () => {
  const signal = new AbortController().signal

  void test('the embedded cluster takes it, in every mode, and it goes with its node', async () => {
    const cluster = await startTestCluster(1)
    const { clock } = cluster.agenda
    const kube = createKubeOver(cluster.transport('mbcas'), { clock, limits: unlimited })
    await applyCrds(kube)
    await cluster.pass(1) // until it is served
    const [node] = (await kube.list(nodes)).items
    const { name: nodeName = '', uid: nodeUid = '' } = node?.metadata ?? {}
    const faults: unknown[] = []
    const log = (...fault: readonly unknown[]) => faults.push(fault)
    const write = createMarketWriter({ kube, clock, log })
    const facts = { cgroupDriver: 'systemd', cpuManagerPolicy: 'none', agentPort: 8082 } as const
    const [from, to] = [millicores(500), millicores(560)]
    const change = { pod: { namespace: 'default', name: 'a' }, at: clock.wall(), from, to }
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ namespace: 'default', name }))
    const highlights = {
      ...usual.highlights,
      changes: [{ ...change, reason: 'it was short' }],
      suffering: names.map((one) => ({ pod: one, reason: 'waits '.repeat(85) })),
      heldBack: names.map((one) => ({ pod: one, to: from, reason: 'to protect others' })),
    }
    for (const pods of [greedy, short, enough]) {
      const market = marketOf(pods, {
        ...usual,
        nodeName,
        nodeUid,
        at: clock.wall(),
        facts,
        highlights,
      })
      assert.equal(await write(market, signal), 'written')
      const { status } = await kube.get(nodeMarkets, { name: nodeName })
      assert.deepEqual(status, market.status)
    }
    assert.deepEqual(faults, [])
    await kube.remove(nodes, { name: nodeName })
    await cluster.pass(60)
    assert.deepEqual((await kube.list(nodeMarkets)).items, [])
    kube.close()
  })

  /** Takes all patches, or refuses them in these words. */
  function scene() {
    const clock = manualClock()
    const lines: string[] = []
    const api: { refuses?: string; patches: number } = { patches: 0 }
    const patch = async (): Promise<never> => {
      api.patches += 1
      const said = api.refuses
      if (said === undefined) return {} as never
      throw new ApiError('applying nodemarkets n1', { code: 403, reason: 'Forbidden', said })
    }
    const log = (level: string, message: string) => lines.push(`${level} ${message}`)
    const writeMarket = createMarketWriter({ kube: { patch } as unknown as Kube, clock, log })
    const write = async (pods: readonly NodePod[], stop = signal) =>
      writeMarket(marketOf(pods, { ...usual, at: clock.wall() }), stop)
    return { api, clock, lines, write }
  }

  void test('only when something but the time is new, or after five minutes', async () => {
    const { api, clock, write } = scene()
    assert.equal(await write(enough), 'written')
    await clock.advance(15_000)
    assert.equal(await write(enough), 'unchanged')
    assert.equal(await write(short), 'written')
    await clock.advance(299_999)
    assert.equal(await write(short), 'unchanged')
    await clock.advance(1)
    assert.equal(await write(short), 'written')
    assert.equal(api.patches, 3)
  })

  void test('what failed is tried again, and told once', async () => {
    const { api, lines, write } = scene()
    await write(enough)
    api.refuses = 'no'
    assert.deepEqual([await write(short), await write(short)], ['failed', 'failed'])
    assert.deepEqual(lines, ['error publishing market'])
    delete api.refuses
    assert.equal(await write(enough), 'written', 'what stood before the failure is not known')
    api.refuses = 'no'
    assert.equal(await write(short), 'failed')
    assert.equal(lines.length, 2)
  })

  void test('an end in the middle of it is no failure to tell', async () => {
    const { api, lines, write } = scene()
    api.refuses = 'aborted'
    assert.equal(await write(enough, AbortSignal.abort()), 'failed')
    assert.deepEqual(lines, [])
  })
})

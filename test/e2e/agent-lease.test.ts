/** An agent says by a Lease that it lives. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { agentLeasePlace } from '../../src/apis/agent-lease.ts'
import { leases } from '../../src/apis/lease.ts'
import { systemNamespace } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import { nodes } from '../../src/apis/node.ts'
import { renewLease } from '../../src/apps/agent/heartbeat.ts'
import { readSummary } from '../../src/apps/cli/status/status.ts'
import { onStage } from '../controller-scenes/stage.ts'
import { createPods, loadedPod } from '../platform.ts'
import { onSite, startAgentOn } from '../site.ts'

void describe('the Lease of an agent', () => {
  void test('is renewed while it works; one that died is silent after 40 s, not ten minutes', async () => {
    await onSite({ cpus: 2 }, async (site) => {
      const { kube, cluster, pass } = site
      const agent = await startAgentOn(site)
      await createPods(kube, [loadedPod('web', { load: 'steady cpu=100m' })])
      const isSilent = async (): Promise<boolean | undefined> =>
        (await readSummary(kube, cluster.agenda.clock)).markets[0]?.isSilent
      await pass(90)
      assert.equal(await isSilent(), false)
      const { spec } = await kube.get(leases, agentLeasePlace('node-0'))
      assert.deepEqual([spec?.holderIdentity, spec?.leaseDurationSeconds], ['node-0', 40])
      await agent.stop()
      await pass(25)
      assert.equal(await isSilent(), false)
      await pass(20)
      assert.equal(await isSilent(), true)
      const market = await kube.get(nodeMarkets, { name: 'node-0' })
      assert.ok(market.status.resources.length > 0, 'its market is still there, and says nothing')
    })
  })

  void test('goes with its node, and is not made anew by an agent that outlives it', async () => {
    await onSite({ cpus: 2 }, async (site) => {
      const { kube, pass } = site
      await startAgentOn(site)
      await pass(15)
      const node = await kube.get(nodes, { name: 'node-0' })
      const lease = await kube.get(leases, agentLeasePlace('node-0'))
      assert.deepEqual(
        lease.metadata.ownerReferences?.map(({ kind, uid }) => [kind, uid]),
        [['Node', node.metadata.uid]],
      )
      await kube.remove(nodes, { name: 'node-0' })
      await pass(30)
      const { items } = await kube.list(leases, { namespace: 'mbcas-system' })
      assert.deepEqual(items, [])
    })
  })

  void test('without its namespace is refused with the command that makes it', async () => {
    await onSite({ cpus: 2 }, async ({ kube, cluster, pass }) => {
      const node = await kube.get(nodes, { name: 'node-0' })
      const agent = { kube, clock: cluster.agenda.clock, node }
      await kube.remove(namespaces, { name: systemNamespace })
      await pass(5)
      await assert.rejects(
        renewLease(agent, new AbortController().signal),
        /404 NotFound: .*mbcas-system.*; make the namespace mbcas-system: kubectl apply -f deploy\/rbac\/00-namespace\.yaml$/,
      )
    })
  })

  void test('that is too old keeps the controller from acting on what was published', async () => {
    await onStage({}, async (stage) => {
      const { kube, pass } = stage
      await stage.run(loadedPod('web'))
      const { clock } = stage.cluster.agenda
      const agent = { kube, clock, node: await kube.get(nodes, { name: 'node-0' }) }
      const { signal } = new AbortController()
      await renewLease(agent, signal)
      await pass(60)
      await stage.wish('web', { request: '150m', limit: '800m' })
      const { message } = await stage.until('web', 'AgentSilent')
      assert.match(message ?? '', /the agent of node node-0 has not answered for 6\d s/)
      assert.deepEqual(await stage.cpu('web'), { 'app request': 100, 'app limit': 500 })
      assert.match(stage.metrics(), /^mbcas_silent_agents 1$/m)
      await renewLease(agent, signal)
      const other = await kube.create(nodes, { metadata: { name: 'gone' } })
      await renewLease({ ...agent, node: other }, signal)
      await kube.remove(nodes, { name: 'gone' })
      await stage.until('web', 'Applied', 10)
      await pass(5)
      assert.match(stage.metrics(), /^mbcas_silent_agents 0$/m)
      await pass(60)
      const all = await kube.list(leases)
      const names = all.items.map(({ metadata: { name = '' } }) => name)
      assert.deepEqual(
        names.filter((name) => name.startsWith('mbcas-agent-')),
        ['mbcas-agent-node-0'],
      )
      assert.match(stage.metrics(), /^mbcas_silent_agents 1$/m, 'not that of a node that is gone')
    })
  })
})

/** What an agent may write: for its own node, what its pods own, and nothing of others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { events } from '../../../src/apis/event.ts'
import { overrideAnnotation, systemNamespace } from '../../../src/apis/names.ts'
import { nodeMarkets } from '../../../src/apis/node-market.ts'
import { nodeResourceTopologies } from '../../../src/apis/node-resource-topology.ts'
import { apiVersionOf, type KubeObject, type Resource } from '../../../src/apis/object.ts'
import { refusalOf } from '../accounts.ts'
import { allocation, assertRefused, dryRun, owned, type RbacStage } from './stage.ts'

export function describeAgent(stage: RbacStage): void {
  const { publish, publishIn } = stage
  const tell = async (resource: Resource<KubeObject>, name: string, fields: object) => {
    const { kind } = resource
    const body = { apiVersion: apiVersionOf(resource), kind, metadata: { name }, ...fields }
    const patch = { type: 'apply', body, fieldManager: 'mbcas-agent', force: true } as const
    return stage.accounts.as('agent').patch(resource, { name }, patch, { dryRun })
  }
  const tellMarket = async (name: string) => tell(nodeMarkets, name, { status: { resources: [] } })
  const tellTopology = async (name: string) =>
    tell(nodeResourceTopologies, name, { topologyPolicies: [], zones: [] })

  void describe('an agent', () => {
    void test('writes for the node that its token is bound to', async () => {
      await publish('agent', allocation(stage.nodeName))
      await tellMarket(stage.nodeName)
      await tellTopology(stage.nodeName)
    })

    void test('and for no other', async () => {
      const words = /^403 .*bound to node node-0 and may not write for node elsewhere/
      await assertRefused(publish('agent', allocation('elsewhere')), words)
      await assertRefused(tellMarket('elsewhere'), words)
      await assertRefused(tellTopology('elsewhere'), words)
      await assertRefused(publish('agent', allocation(undefined)), /^403 .*what names no node/)
    })

    void test('and for pods that own what it writes, which goes with them', async () => {
      const body = allocation(stage.nodeName)
      const { metadata } = owned(body)
      const [owner] = metadata.ownerReferences
      const words = /^403 .*a PodAllocation that its pod owns, and nobody else/
      for (const ownerReferences of [
        [],
        [{ ...owner, uid: 'other' }],
        [{ ...owner, name: 'other' }],
        [{ ...owner, kind: 'ConfigMap' }],
        [owner, { apiVersion: 'v1', kind: 'ConfigMap', name: 'lasting', uid: 'two' }],
      ])
        await assertRefused(publishIn('default', 'agent', owned(body, { ownerReferences })), words)
      await assertRefused(publishIn('default', 'agent', body), words)
    })

    void test('and nothing else than that', async () => {
      const words = /^403 .*may not write annotations or labels/
      for (const more of [{ annotations: { ballast: 'x' } }, { labels: { ballast: 'x' } }])
        await assertRefused(
          publishIn('default', 'agent', owned(allocation(stage.nodeName), more)),
          words,
        )
      for (const namespace of ['kube-system', 'kube-public', 'kube-node-lease', systemNamespace])
        await assertRefused(
          publishIn(namespace, 'agent', owned(allocation(stage.nodeName))),
          new RegExp(`^403 .*namespace ${namespace} is excluded`),
        )
    })

    void test('also where a person wrote first, whose words stay', async () => {
      const theirs = allocation(stage.nodeName, { name: 'first', override: 'false' })
      await stage.accounts.kubectl(['apply', '-f', '-'], theirs)
      const { metadata } = await publish('agent', allocation(stage.nodeName, { name: 'first' }))
      assert.equal(metadata.annotations?.[overrideAnnotation], 'false')
    })

    void test('forges no events', async () => {
      const about = { kind: 'Pod', namespace: 'default', name: 'web', apiVersion: 'v1' }
      const tellEvent = async (fields: object) => {
        const source = { component: 'mbcas-agent', host: stage.nodeName }
        const event = { involvedObject: about, reason: 'CPUMisaligned', source, ...fields }
        const { as } = stage.accounts
        return as('agent').create<KubeObject>(
          events,
          { metadata: { generateName: 'forged-', namespace: 'default' }, ...event },
          { dryRun },
        )
      }
      await tellEvent({})
      await tellEvent({ reason: 'AnnotationIgnored' })
      const elsewhere = { component: 'mbcas-agent', host: 'elsewhere' }
      await assertRefused(tellEvent({ source: elsewhere }), /^403 .*source\.host node-0/)
      const kubelet = { component: 'kubelet', host: stage.nodeName }
      await assertRefused(tellEvent({ source: kubelet }), /^403 .*events of its own node alone/)
      await assertRefused(tellEvent({ reason: 'Killing' }), /^403 .*with the reasons that it knows/)
      const secret = { ...about, kind: 'Secret' }
      await assertRefused(
        tellEvent({ involvedObject: secret }),
        /^403 .*about pods and nodes alone/,
      )
    })

    void test('takes over nothing of another', async () => {
      const theirs = allocation('elsewhere', { name: 'theirs' })
      await stage.accounts.kubectl(['apply', '-f', '-'], theirs)
      await assertRefused(publish('agent', theirs), /^403 .*may not write for node elsewhere/)
      const ours = allocation(stage.nodeName, { name: 'theirs' })
      await assertRefused(publish('agent', ours), /^422 .*nodeName cannot change/)
    })

    void test('leaves to people what is theirs, and claims nothing for them', async () => {
      const name = 'mine'
      await stage.accounts.kubectl(
        ['apply', '-f', '-'],
        allocation(stage.nodeName, { name, override: 'true' }),
      )
      const words = /^403 .*a person owns this PodAllocation/
      await assertRefused(publish('agent', allocation(stage.nodeName, { name })), words)
      await assertRefused(publish('agent', allocation(stage.nodeName, { override: 'true' })), words)
    })

    void test('with a token of no node is told how to get one, and that one works', async () => {
      const token = ['create', 'token', 'mbcas-agent', '-n', systemNamespace]
      await stage.accounts.add('unbound', await stage.accounts.cluster.kubectl(token))
      const said = (await refusalOf(publish('unbound', allocation(stage.nodeName)))) ?? ''
      const advice = /kubectl create token .* NODE$/.exec(said)?.[0]
      assert.ok(advice, said)
      const { code, stdout, stderr } = await stage.accounts.sh(
        advice.replace('NODE', stage.nodeName),
      )
      assert.equal(code, 0, stderr)
      await stage.accounts.add('advised', stdout)
      await publish('advised', allocation(stage.nodeName))
    })
  })
}

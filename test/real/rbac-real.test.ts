/**
 * What our service accounts may do and may not, asked of a real authorizer and real admission. The
 * questions are in `rbac`; they follow on each other on one cluster.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { systemNamespace } from '../../src/apis/names.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { startMbcas } from '../background.ts'
import { realCluster, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { describeAgent } from './rbac/agent.ts'
import { describeController } from './rbac/controller.ts'
import { describeExclusions } from './rbac/exclusions.ts'
import { describePerson } from './rbac/person.ts'
import { describeRights } from './rbac/rights.ts'
import { allocation, owned, rbacStage } from './rbac/stage.ts'
import { describeTenant } from './rbac/tenant.ts'

const policies = [
  'mbcas-agent',
  'mbcas-agent-events',
  'mbcas-bounds',
  'mbcas-controller',
  'mbcas-controller-allocations',
  'mbcas-controller-exclusions',
  'mbcas-no-override',
  'mbcas-original',
  'mbcas-override',
  'mbcas-status',
]

void describe('service accounts on a real cluster', { skip: skipUnless(...realCluster) }, () => {
  const stage = rbacStage()
  before(stage.open)
  after(stage.close)

  describeRights(stage)
  describeAgent(stage)
  describeController(stage)
  describePerson(stage)
  describeTenant(stage)

  void test('the server finds nothing to warn of in the types of the policies', async () => {
    const names = policies
    const get = ['get', 'validatingadmissionpolicy', ...names, '-o', 'json']
    type Policies = { items: { status?: { typeChecking?: { expressionWarnings?: object[] } } }[] }
    const checks = async () => {
      const { items } = JSON.parse(await stage.accounts.cluster.kubectl(get)) as Policies
      return items.map(({ status }) => status?.typeChecking)
    }
    await until('the type checks', async () => !(await checks()).includes(undefined))
    assert.deepEqual(
      await checks(),
      policies.map(() => ({})),
    )
  })

  void test('both processes run with no more than that', async () => {
    const { cluster, as, kubeconfigOf } = stage.accounts
    const start = (name: string, ...args: string[]) =>
      startMbcas(name, '--kubeconfig', kubeconfigOf(name), '--listen', '127.0.0.1:0', ...args)
    const place = [
      '--node',
      stage.nodeName,
      '--cgroup-root',
      cluster.cgroupRoot,
      '--interval',
      '1s',
    ]
    // An agent of another node was first to write for a pod of this one.
    await stage.accounts.kubectl(['apply', '-f', '-'], {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'elsewhere' },
    })
    const bound = ['--bound-object-kind', 'Node', '--bound-object-name', 'elsewhere']
    const token = ['create', 'token', 'mbcas-agent', '-n', systemNamespace, ...bound]
    await stage.accounts.add('attacker', await cluster.kubectl(token))
    const web = await as('person').get(pods, { namespace: 'default', name: 'web' })
    const uid = web.metadata.uid ?? ''
    const forged = owned(allocation('elsewhere'), { uid, namespace: 'default' })
    const spec = { ...forged.spec, urgency: 'guardrail' as const }
    await as('attacker').create(podAllocations, { ...forged, spec })
    const running = [start('controller'), start('agent', ...place)]
    try {
      await until('an allocation by the agent of its node that was looked at', async () => {
        const { items } = await as('person').list(podAllocations, { namespace: 'default' })
        return items.some(({ metadata, spec, status }) => {
          const isOurs = spec.nodeName === stage.nodeName && spec.decision !== undefined
          return metadata.name === 'web' && isOurs && status?.phase !== undefined
        })
      })
    } finally {
      for (const process of running) await process.stop()
    }
    const refused = running
      .flatMap(({ lines }) => lines)
      .filter((line) => /forbidden/i.test(JSON.stringify(line)))
    assert.deepEqual(refused, [])
  })

  describeExclusions(() => stage.accounts)
})

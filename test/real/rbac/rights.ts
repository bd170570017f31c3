/** Which calls our service accounts may make: each of theirs, and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { systemNamespace } from '../../../src/apis/names.ts'
import { agentCalls, type Call, controllerCalls, lineOf } from '../../process-calls.ts'
import { isAllowed, rulesOf } from '../accounts.ts'
import type { RbacStage } from './stage.ts'

/** What nobody of ours has any business with. */
const strange: readonly Call[] = [
  ...['get', 'list', 'watch'].map((verb) => ({ verb, group: '', resource: 'secrets' })),
  ...['get', 'create'].flatMap((verb) =>
    ['nodes/proxy', 'pods/exec'].map((resource) => ({ verb, group: '', resource })),
  ),
  ...['create', 'update', 'delete', 'deletecollection'].map((verb) => ({
    verb,
    group: '',
    resource: 'pods',
  })),
  ...['pods/eviction', 'pods/binding', 'serviceaccounts/token'].map((resource) => ({
    verb: 'create',
    group: '',
    resource,
  })),
  ...['nodes', 'nodes/status', 'pods/status', 'pods/ephemeralcontainers', 'namespaces'].map(
    (resource) => ({ verb: 'patch', group: '', resource }),
  ),
  { verb: 'get', group: '', resource: 'configmaps' },
  { verb: 'impersonate', group: '', resource: 'users' },
  { verb: 'patch', group: 'apps', resource: 'deployments' },
  { verb: 'escalate', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
  {
    verb: 'delete',
    group: 'admissionregistration.k8s.io',
    resource: 'validatingadmissionpolicybindings',
  },
  { verb: 'deletecollection', group: 'allocation.mbcas.io', resource: 'podallocations' },
  { verb: 'update', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' },
]

/** `others`: what only the other one writes. */
const processes = [
  {
    who: 'agent',
    calls: agentCalls,
    others: controllerCalls.filter(({ verb }) => verb !== 'list' && verb !== 'watch'),
  },
  {
    who: 'controller',
    calls: controllerCalls,
    others: agentCalls.filter(({ verb }) => verb === 'create' || verb === 'patch'),
  },
] as const

export function describeRights(stage: RbacStage): void {
  for (const { who, calls, others } of processes) {
    const asked = [...strange, ...others].filter(
      (call) => !calls.map(lineOf).includes(lineOf(call)),
    )
    const linesThat = async (all: readonly Call[], allowed: boolean): Promise<string[]> => {
      const lines: string[] = []
      for (const call of all) {
        if ((await isAllowed(stage.accounts.as(who), call)) === allowed) lines.push(lineOf(call))
      }
      return lines
    }

    void test(`the ${who} may make each of its calls, and no other`, async (t) => {
      assert.deepEqual(await linesThat(calls, false), [])
      assert.deepEqual(await linesThat(asked, true), [])
      t.diagnostic(`${who}: ${calls.length} calls allowed, ${asked.length} others refused`)
    })

    void test(`the ${who} has no rule for anything else`, async () => {
      const rules = await rulesOf(stage.accounts.as(who), systemNamespace)
      const known = new Set(
        calls.map(({ verb, group, resource, name = '' }) =>
          lineOf({ verb, group, resource, name }),
        ),
      )
      // Every user may ask who it is and what it may do.
      const strangers = rules.filter(
        (line) => !known.has(line) && !/^create self\w+reviews\./.test(line),
      )
      assert.deepEqual(strangers, [])
    })
  }
}

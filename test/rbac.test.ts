/** What `deploy/rbac` lets our processes do, against the calls that they make. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { parseAllDocuments } from 'yaml'

import { systemNamespace } from '../src/apis/names.ts'
import { each } from './each.ts'
import { agentCalls, type Call, controllerCalls, dashboardCalls, lineOf } from './process-calls.ts'
import { root } from './run.ts'

type Rule = {
  readonly [field in 'apiGroups' | 'resources' | 'verbs']: readonly string[]
} & { readonly resourceNames?: readonly string[] }

type Document = {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly Rule[]
  readonly roleRef?: { readonly kind: string; readonly name: string }
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[]
}

const folder = join(root, 'deploy', 'rbac')

const documentsIn = (file: string): Document[] =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
    (document) => document.toJS() as Document,
  )

/** Those of the roles that are bound to the account. */
function allowedTo(account: string, documents: readonly Document[]): Call[] {
  const bound = documents.filter(({ subjects }) =>
    subjects?.some(({ name, namespace }) => name === account && namespace === systemNamespace),
  )
  const roles = bound.flatMap(({ roleRef, metadata: { namespace } }) =>
    documents.filter(
      ({ kind, metadata }) =>
        kind === roleRef?.kind &&
        metadata.name === roleRef.name &&
        metadata.namespace === namespace,
    ),
  )
  return roles.flatMap(({ metadata: { namespace }, rules = [] }) =>
    rules.flatMap((rule) => callsOf(rule, namespace)),
  )
}

const callsOf = (
  { apiGroups, resources, verbs, resourceNames }: Rule,
  namespace: string | undefined,
): Call[] =>
  apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => {
        const call = { verb, group, resource, ...(namespace !== undefined && { namespace }) }
        return resourceNames?.map((name) => ({ ...call, name })) ?? [call]
      }),
    ),
  )

const linesOf = (calls: readonly Call[]): string[] => calls.map(lineOf).toSorted()

void describe('deploy/rbac', () => {
  const documents = readdirSync(folder).toSorted().flatMap(documentsIn)

  each(
    [
      { name: 'the agent may make its calls, and no others', who: 'agent', calls: agentCalls },
      { name: 'and the controller its own', who: 'controller', calls: controllerCalls },
      { name: 'and the dashboard its own', who: 'dashboard', calls: dashboardCalls },
    ],
    ({ who, calls }) => {
      assert.deepEqual(linesOf(allowedTo(`mbcas-${who}`, documents)), linesOf(calls))
    },
  )

  void test('one kubectl apply makes everything: the namespace comes first', () => {
    const [first, ...rest] = documents
    assert.deepEqual([first?.kind, first?.metadata.name], ['Namespace', systemNamespace])
    assert.ok(rest.every(({ kind }) => kind !== 'Namespace'))
  })
})

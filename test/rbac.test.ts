/** What `deploy/rbac` lets our processes do, against the calls that they make. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { parseAllDocuments } from 'yaml'

import { limitRanges } from '../src/apis/limit-range.ts'
import { namespaces } from '../src/apis/namespace.ts'
import { nodeMarkets } from '../src/apis/node-market.ts'
import { nodes } from '../src/apis/node.ts'
import type { KubeObject, Resource } from '../src/apis/object.ts'
import { podAllocations } from '../src/apis/pod-allocation.ts'
import { pods } from '../src/apis/pod.ts'

type Rule = { readonly [field in 'apiGroups' | 'resources' | 'verbs']: readonly string[] }
type Document = { readonly kind: string; readonly rules?: readonly Rule[] }

/** Every pair of verb and resource, as `get nodes`. */
function allowedIn(file: string): string[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map(
    (document) => document.toJS() as Document,
  )
  const rules = documents.flatMap(({ kind, rules = [] }) => (kind === 'ClusterRole' ? rules : []))
  return rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((plural) => verbs.map((verb) => callOf(verb, { group, plural }))),
      ),
    )
    .toSorted()
}

const callOf = (verb: string, at: Pick<Resource<KubeObject>, 'group' | 'plural'>): string =>
  `${verb} ${at.plural}${at.group === '' ? '' : `.${at.group}`}`

void describe('deploy/rbac', () => {
  void test('the agent may make its calls, and no others', () => {
    const calls = [
      ...['get', 'list', 'watch'].map((verb) => callOf(verb, nodes)),
      ...[pods, namespaces, limitRanges].flatMap((of) => [callOf('list', of), callOf('watch', of)]),
      ...['get', 'list', 'create', 'patch'].map((verb) => callOf(verb, podAllocations)),
      ...['create', 'patch'].map((verb) => callOf(verb, nodeMarkets)),
    ]
    assert.deepEqual(allowedIn('deploy/rbac/agent.yaml'), calls.toSorted())
  })
})

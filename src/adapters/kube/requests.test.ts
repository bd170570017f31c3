import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { pod, pods } from '../../../test/kube-server.ts'
import type { KubeObject, Resource } from '../../apis/object.ts'
import {
  type ApiRequest,
  createRequest,
  getRequest,
  listRequest,
  patchRequest,
  removeRequest,
  updateRequest,
  watchRequest,
} from './requests.ts'

const nodes: Resource<KubeObject> = { ...pods, plural: 'nodes', kind: 'Node', namespaced: false }
const allocations: Resource<KubeObject> = {
  group: 'allocation.mbcas.io',
  version: 'v1alpha1',
  plural: 'podallocations',
  kind: 'PodAllocation',
  namespaced: true,
}
const events = { ...pods, plural: 'events', kind: 'Event' }
const leases = { ...pods, group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease' }
const a = { namespace: 'default', name: 'a' }
const { signal } = new AbortController()
const path = '/api/v1/namespaces/default/pods'

type Row = {
  readonly name: string
  readonly request: ApiRequest
  readonly is: Partial<ApiRequest>
  readonly body?: unknown
}

const rows: readonly Row[] = [
  {
    name: 'get',
    request: getRequest(pods, a),
    is: {
      title: 'getting pods default/a',
      method: 'GET',
      path: `${path}/a`,
      purpose: 'read',
      repeatable: true,
    },
  },
  {
    name: 'get of a subresource of another group',
    request: getRequest(allocations, { ...a, subresource: 'status' }),
    is: {
      title: 'getting podallocations.allocation.mbcas.io/status default/a',
      path: '/apis/allocation.mbcas.io/v1alpha1/namespaces/default/podallocations/a/status',
    },
  },
  {
    name: 'get of what is in no namespace',
    request: getRequest(nodes, { name: 'n 1' }),
    is: { title: 'getting nodes n 1', path: '/api/v1/nodes/n%201' },
  },
  {
    name: 'list of a page',
    request: listRequest(pods, {
      limit: 500,
      continue: 'x/y=',
      labelSelector: 'app in (a,b)',
      fieldSelector: 'spec.nodeName=n',
      resourceVersion: '0',
      resourceVersionMatch: 'NotOlderThan',
    }),
    is: {
      title: 'listing pods',
      path: '/api/v1/pods?limit=500&continue=x%2Fy%3D&labelSelector=app%20in%20(a%2Cb)&fieldSelector=spec.nodeName%3Dn&resourceVersion=0&resourceVersionMatch=NotOlderThan',
      repeatable: true,
    },
  },
  {
    name: 'list of a namespace',
    request: listRequest(pods, { namespace: 'default' }),
    is: { title: 'listing pods in default', path },
  },
  {
    name: 'watch',
    request: watchRequest(
      pods,
      { resourceVersion: '7', timeoutSeconds: 300, allowBookmarks: true },
      { signal },
    ),
    is: {
      title: 'watching pods',
      path: '/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=300',
    },
  },
  {
    name: 'create fills in the kind',
    request: createRequest(allocations, pod('a'), { fieldManager: 'mbcas', dryRun: true }),
    is: {
      title: 'creating podallocations.allocation.mbcas.io default/a',
      method: 'POST',
      path: '/apis/allocation.mbcas.io/v1alpha1/namespaces/default/podallocations?fieldManager=mbcas&dryRun=All',
      contentType: 'application/json',
      purpose: 'write',
      repeatable: false,
    },
    body: { apiVersion: 'allocation.mbcas.io/v1alpha1', kind: 'PodAllocation', ...pod('a') },
  },
  {
    name: 'create of a name that the server completes',
    request: createRequest(events, { metadata: { namespace: 'default', generateName: 'a-' } }),
    is: {
      title: 'creating events default/a-...',
      path: '/api/v1/namespaces/default/events',
      purpose: 'event',
    },
  },
  {
    name: 'create of a subresource has a kind of its own',
    request: createRequest(pods, pod('a'), { subresource: 'eviction' }),
    is: { title: 'creating pods/eviction default/a', path: `${path}/a/eviction` },
    body: { apiVersion: 'policy/v1', kind: 'Eviction', ...pod('a') },
  },
  {
    name: 'update with a version can be repeated',
    request: updateRequest(pods, pod('a', '7'), { subresource: 'status' }),
    is: {
      title: 'updating pods/status default/a',
      method: 'PUT',
      path: `${path}/a/status`,
      purpose: 'status',
      repeatable: true,
    },
    body: { apiVersion: 'v1', kind: 'Pod', ...pod('a', '7') },
  },
  {
    name: 'update without a version cannot',
    request: updateRequest(pods, { metadata: a }),
    is: { repeatable: false },
  },
  {
    name: 'update of a lease has a budget of its own',
    request: updateRequest(leases, pod('a')),
    is: { purpose: 'lease' },
  },
  {
    name: 'a purpose that is said wins',
    request: updateRequest(pods, pod('a'), { purpose: 'status' }),
    is: { purpose: 'status' },
  },
  {
    name: 'JSON patch',
    request: patchRequest(
      pods,
      { ...a, subresource: 'resize' },
      {
        patch: { type: 'json', operations: [{ op: 'remove', path: '/x' }] },
      },
    ),
    is: {
      title: 'patching pods/resize default/a',
      method: 'PATCH',
      path: `${path}/a/resize`,
      contentType: 'application/json-patch+json',
      repeatable: false,
    },
    body: [{ op: 'remove', path: '/x' }],
  },
  {
    name: 'merge patch',
    request: patchRequest(pods, a, {
      patch: { type: 'merge', body: { x: 1 } },
      options: { fieldManager: 'm', subresource: 'status' },
    }),
    is: {
      path: `${path}/a/status?fieldManager=m`,
      contentType: 'application/merge-patch+json',
      purpose: 'status',
    },
    body: { x: 1 },
  },
  {
    name: 'strategic merge patch',
    request: patchRequest(pods, a, { patch: { type: 'strategic', body: {} } }),
    is: { contentType: 'application/strategic-merge-patch+json' },
  },
  {
    name: 'server-side apply can be repeated',
    request: patchRequest(pods, a, {
      patch: { type: 'apply', body: { x: 1 }, fieldManager: 'mbcas-agent', force: true },
      options: { dryRun: true },
    }),
    is: {
      title: 'applying pods default/a',
      path: `${path}/a?fieldManager=mbcas-agent&force=true&dryRun=All`,
      contentType: 'application/apply-patch+yaml',
      repeatable: true,
    },
    body: { x: 1 },
  },
  {
    name: 'delete with preconditions',
    request: removeRequest(pods, a, {
      uid: 'u',
      resourceVersion: '7',
      propagation: 'Foreground',
      gracePeriodSeconds: 0,
    }),
    is: {
      title: 'deleting pods default/a',
      method: 'DELETE',
      path: `${path}/a`,
      repeatable: false,
    },
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '7' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
    },
  },
]

void describe('adapters/kube: requests on the wire', () => {
  each(rows, ({ request, is, body }) => {
    for (const [key, value] of Object.entries(is)) {
      assert.deepEqual(request[key as keyof ApiRequest], value, key)
    }
    if (body !== undefined) assert.deepEqual(JSON.parse(request.body ?? ''), body)
  })

  void test('an object without a name or a namespace is refused before it is sent', () => {
    assert.throws(() => getRequest(pods, { name: 'a' }), /naming pods a: it has no namespace/)
    assert.throws(
      () => updateRequest(nodes, { metadata: {} }),
      /naming one of nodes: it has no name/,
    )
    assert.throws(() => createRequest(pods, { metadata: { name: 'a' } }), /it has no namespace/)
  })
})

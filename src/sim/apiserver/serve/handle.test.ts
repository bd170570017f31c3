import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { configMaps, newServer, type TestServer } from '../../../../test/sim/api-server.ts'
import { isJsonObject, type JsonObject } from '../object.ts'
import type { Request } from './exchange.ts'

const place = '/api/v1/namespaces/default/configmaps'

type Reply = { readonly status: number; readonly body: JsonObject; readonly warning?: string }

function ask(server: TestServer, request: Partial<Request> & { readonly json?: unknown }): Reply {
  const { json, method = 'GET', path = place, headers = {}, body: given } = request
  const body = json === undefined ? given : JSON.stringify(json)
  const answer = server.handle({ method, path, headers, body })
  assert.ok(answer.kind === 'whole')
  const value: unknown = JSON.parse(answer.body)
  assert.ok(isJsonObject(value))
  const { warning } = answer.headers
  return { status: answer.status, body: value, ...(warning !== undefined && { warning }) }
}

const create = (server: TestServer, name: string, more: object = {}) =>
  ask(server, { method: 'POST', json: { metadata: { name, ...more } } })

const metadataOf = ({ body }: Reply) => body['metadata'] as JsonObject
const tokenOf = (reply: Reply) => metadataOf(reply)['continue'] as string

const merge = { 'content-type': 'application/merge-patch+json' }

const refusals: readonly (Partial<Request> & {
  readonly name: string
  readonly json?: unknown
  readonly code: number
  readonly said: string | RegExp
})[] = [
  {
    name: 'a resource that is not there is refused',
    path: '/api/v1/nothings',
    code: 404,
    said: 'the server could not find the requested resource',
  },
  {
    name: 'a subresource that is not there is refused',
    path: `${place}/a/status`,
    code: 404,
    said: 'the server could not find the requested resource',
  },
  {
    name: 'a POST to an object is refused',
    method: 'POST',
    path: `${place}/a`,
    json: {},
    code: 405,
    said: 'the server does not allow this method on the requested resource',
  },
  {
    name: 'a POST without a namespace is refused',
    method: 'POST',
    path: '/api/v1/configmaps',
    json: {},
    code: 405,
    said: 'the server does not allow this method on the requested resource',
  },
  {
    name: 'an answer that only a browser reads is refused',
    headers: { accept: 'text/html' },
    code: 406,
    said: /^406: Not Acceptable\n\nAvailable representations: application\/json, /,
  },
  {
    name: 'a body of an unknown type is refused',
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
    code: 415,
    said: 'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  },
  {
    name: 'a patch of an unknown type is refused',
    method: 'PATCH',
    path: `${place}/a`,
    json: {},
    code: 415,
    said: '415: Unsupported Media Type',
  },
  {
    name: 'a new object with a version is refused',
    method: 'POST',
    json: { metadata: { name: 'b', resourceVersion: '3' } },
    code: 500,
    said: 'resourceVersion should not be set on objects to be created',
  },
  {
    name: 'a new object of another namespace is refused',
    method: 'POST',
    json: { metadata: { name: 'b', namespace: 'other' } },
    code: 400,
    said: 'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    name: 'a new object without a name is refused',
    method: 'POST',
    json: { metadata: {} },
    code: 422,
    said: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  },
  {
    name: 'a kind of another path is refused',
    method: 'POST',
    json: { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'b' } },
    code: 400,
    said: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"',
  },
  {
    name: 'an update under another name is refused',
    method: 'PUT',
    path: `${place}/a`,
    json: { metadata: { name: 'b' } },
    code: 400,
    said: 'the name of the object (b) does not match the name on the URL (a)',
  },
  {
    name: 'an update without a name is refused',
    method: 'PUT',
    path: `${place}/a`,
    json: { metadata: {} },
    code: 400,
    said: 'the name of the object (a based on URL) was undeterminable: name must be provided',
  },
  {
    name: 'an update with a version that is no number is refused',
    method: 'PUT',
    path: `${place}/a`,
    json: { metadata: { name: 'a', resourceVersion: 'x' } },
    code: 500,
    said: 'strconv.ParseUint: parsing "x": invalid syntax',
  },
  {
    name: 'a patch of the uid is refused',
    method: 'PATCH',
    path: `${place}/a`,
    headers: merge,
    json: { metadata: { uid: 'x' } },
    code: 422,
    said: 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable',
  },
  {
    name: 'a finalizer without a domain is refused',
    method: 'PATCH',
    path: `${place}/a`,
    headers: merge,
    json: { metadata: { finalizers: ['foo'] } },
    code: 422,
    said: 'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
  },
  {
    name: 'more than one controller is refused',
    method: 'PATCH',
    path: `${place}/a`,
    headers: merge,
    json: {
      metadata: {
        ownerReferences: ['x', 'y'].map((uid) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'a',
          uid,
          controller: true,
        })),
      },
    },
    code: 422,
    said: /Only one reference can have Controller set to true\. Found "true" in references for Pod\/a and Pod\/a$/,
  },
  {
    name: 'a dry run of a kind that is not there is refused',
    method: 'POST',
    path: `${place}?dryRun=Foo`,
    json: { metadata: { name: 'b' } },
    code: 422,
    said: 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Foo"]: supported values: "All"',
  },
  {
    name: 'a field that is not known is refused where the client is strict',
    method: 'POST',
    path: `${place}?fieldValidation=Strict`,
    json: { metadata: { name: 'b' }, nonsense: 1 },
    code: 400,
    said: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense"',
  },
  {
    name: 'a limit that is no number is refused',
    path: `${place}?limit=x`,
    code: 400,
    said: 'strconv.ParseInt: parsing "x": invalid syntax',
  },
  {
    name: 'a match without a version is refused',
    path: `${place}?resourceVersionMatch=Exact`,
    code: 422,
    said: 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  },
  {
    name: 'a deletion with two policies is refused',
    method: 'DELETE',
    path: `${place}/a`,
    json: { propagationPolicy: 'Orphan', orphanDependents: true },
    code: 422,
    said: 'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  },
]

each(refusals, ({ code, said, ...row }) => {
  const server = newServer()
  create(server, 'a')
  const { status, body } = ask(server, row)
  const { message } = body as { readonly message?: string }
  assert.equal(status, code)
  assert.equal(body['code'], code)
  if (typeof said === 'string') assert.equal(message, said)
  else assert.match(message ?? '', said)
})

void test('a field that is not known is warned of, and dropped', () => {
  const json = { metadata: { name: 'a' }, nonsense: 1 }
  const { status, body, warning } = ask(newServer(), { method: 'POST', json })
  assert.equal(status, 201)
  assert.equal(warning, '299 - "unknown field \\"nonsense\\""')
  assert.equal('nonsense' in body, false)
})

void test('YAML is as good as JSON', () => {
  const { status } = ask(newServer(), {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: 'metadata: {name: y}\ndata: {a: b}',
  })
  assert.equal(status, 201)
})

void test('a deletion is answered with a Status, or with what is held by a finalizer', () => {
  const server = newServer()
  create(server, 'a')
  create(server, 'held', { finalizers: ['mbcas.io/hold'] })
  const gone = ask(server, { method: 'DELETE', path: `${place}/a` })
  assert.equal(gone.body['status'], 'Success')
  const held = ask(server, { method: 'DELETE', path: `${place}/held` })
  assert.equal(held.body['kind'], 'ConfigMap')
  assert.equal(metadataOf(held)['deletionGracePeriodSeconds'], 0)
  const again = ask(server, { method: 'DELETE', path: `${place}/held` })
  assert.equal(metadataOf(again)['resourceVersion'], metadataOf(held)['resourceVersion'])
  const json = { metadata: { finalizers: null } }
  ask(server, { method: 'PATCH', path: `${place}/held`, headers: merge, json })
  assert.equal(ask(server, { path: `${place}/held` }).status, 404)
})

each(
  [
    {
      name: 'that dependents go first is written down as a finalizer',
      propagationPolicy: 'Foreground',
      finalizers: ['foregroundDeletion'],
    },
    {
      name: 'that dependents stay is written down as a finalizer',
      propagationPolicy: 'Orphan',
      finalizers: ['orphan'],
    },
  ],
  ({ propagationPolicy, finalizers }) => {
    const server = newServer()
    create(server, 'a')
    const json = { propagationPolicy }
    const marked = ask(server, { method: 'DELETE', path: `${place}/a`, json })
    assert.deepEqual(metadataOf(marked)['finalizers'], finalizers)
  },
)

void test('a collection is deleted as far as it is selected', () => {
  const server = newServer()
  for (const name of ['a', 'b', 'c']) create(server, name, { labels: { name } })
  const path = `${place}?labelSelector=name!=b`
  const { body } = ask(server, { method: 'DELETE', path })
  assert.equal((body['items'] as unknown[]).length, 2)
  assert.equal((ask(server, {}).body['items'] as unknown[]).length, 1)
})

void test('pages are of one moment, and an old token has one to go on', () => {
  const server = newServer({ historyLimit: 4 })
  for (const name of ['a', 'b', 'c']) create(server, name)
  const first = ask(server, { path: `${place}?limit=1` })
  const token = tokenOf(first)
  const decoded = JSON.parse(Buffer.from(token, 'base64url').toString()) as object
  assert.deepEqual(decoded, { v: 'meta.k8s.io/v1', rv: 5, start: 'a\0' })
  const next = (continued: string) =>
    ask(server, { path: `${place}?limit=1&continue=${continued}` })
  ask(server, { method: 'DELETE', path: `${place}/b` })
  const names = (reply: Reply) =>
    (reply.body['items'] as JsonObject[]).map((item) => (item['metadata'] as JsonObject)['name'])
  assert.deepEqual(names(next(token)), ['b'])
  for (let i = 0; i < 8; i += 1) create(server, `more-${i}`)
  const expired = next(token)
  assert.equal(expired.status, 410)
  assert.deepEqual(names(next(tokenOf(expired))), ['c'])
})

void test('a table has the name first and the metadata of each row', () => {
  const server = newServer()
  create(server, 'a')
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
  const { body } = ask(server, { headers })
  const [row] = body['rows'] as { cells: unknown[]; object: JsonObject }[]
  assert.deepEqual(row?.cells, ['a', 0])
  assert.equal(row?.object['kind'], 'PartialObjectMetadata')
  const bare = ask(server, { headers, path: `${place}?includeObject=None` })
  assert.equal((bare.body['rows'] as { object: unknown }[])[0]?.object, null)
})

void test('every answer of a deprecated version says so', () => {
  const old = { ...configMaps, deprecationWarning: 'v1 ConfigMap is "old"' }
  const server = newServer({ types: [old] })
  const warning = String.raw`299 - "v1 ConfigMap is \"old\""`
  assert.equal(create(server, 'a').warning, warning)
  assert.equal(ask(server, {}).warning, warning)
  assert.equal(ask(server, { path: `${place}/nobody` }).warning, warning)
})

void test('the second version of OpenAPI is there, and empty', () => {
  const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const asked = { method: 'GET', path: '/openapi/v2', headers: { accept: protobuf } }
  const answer = newServer().handle(asked)
  assert.ok(answer.kind === 'whole')
  assert.equal(answer.body, '\n\u00032.0') // swagger, field 1: kubectl checks nothing by it
  assert.equal(ask(newServer(), { path: '/openapi/v2' }).body['swagger'], '2.0')
})

void test('types that come later are served, and go with their objects', () => {
  const server = newServer({ types: [] })
  server.addTypes([configMaps])
  create(server, 'a')
  server.removeTypes(configMaps)
  const gone = server.handle({ method: 'GET', path: place, headers: {} })
  assert.ok(gone.kind === 'whole')
  assert.equal(gone.status, 404)
  server.addTypes([configMaps])
  assert.deepEqual(ask(server, {}).body['items'], [])
})

void test('whoever writes through the API directly is held to the same rules', () => {
  const { api } = newServer()
  const by = { manager: 'kubelet' }
  const made = api.create(configMaps, { metadata: { name: 'a', namespace: 'default' } }, by)
  const next = api.update(configMaps, { ...made, data: { a: '1' } }, by)
  assert.equal(api.update(configMaps, next, by), next)
  assert.throws(() => api.update(configMaps, { ...made, data: { a: '2' } }, by), {
    code: 409,
    message: /the object has been modified/,
  })
  assert.equal(api.remove(configMaps, next.metadata).metadata.uid, made.metadata.uid)
  assert.equal(api.find(configMaps, next.metadata), undefined)
})

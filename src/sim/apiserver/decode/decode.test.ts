import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../../test/each.ts'
import type { Json } from '../object.ts'
import { Refusal } from '../refusal.ts'
import type { ObjectShape } from '../shape.ts'
import { objectMetaShape, shapeOf } from '../types/shape-of.ts'
import { decode, type UnknownFields } from './decode.ts'

function builtIn(apiVersion: string, kind: string): ObjectShape {
  const shape = shapeOf(apiVersion, kind)
  if (!shape) throw new Error(`no ${kind}`)
  return shape
}
const podShape = builtIn('v1', 'Pod')

const thingShape: ObjectShape = {
  type: 'object',
  fields: new Map([
    ['apiVersion', { shape: { type: 'string' } }],
    ['kind', { shape: { type: 'string' } }],
    ['metadata', { shape: objectMetaShape }],
    [
      'spec',
      {
        shape: {
          type: 'object',
          fields: new Map([
            ['size', { shape: { type: 'integer' } }],
            ['colour', { shape: { type: 'string', nullable: true } }],
            ['names', { shape: { type: 'list', items: { type: 'string' }, merge: 'atomic' } }],
            ['map', { shape: { type: 'map', values: { type: 'string' } } }],
            [
              'open',
              {
                shape: {
                  type: 'object',
                  keepsUnknown: true,
                  fields: new Map([['inner', { shape: { type: 'object', fields: new Map() } }]]),
                },
              },
            ],
          ]),
        },
      },
    ],
  ]),
}

const pod = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const container = (more: object) => pod({ containers: [{ name: 'c', image: 'i', ...more }] })
const configMap = (metadata: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
const lease = (renewTime: unknown) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  spec: { renewTime },
})
const quota = (pods: unknown) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  spec: { hard: { pods } },
})
const thing = (spec: unknown, metadata: unknown = { name: 'a' }) => ({
  apiVersion: 'h-types.io/v1',
  kind: 'Thing',
  metadata,
  spec,
})

function shapeFor({ apiVersion, kind }: { apiVersion: string; kind: string }): ObjectShape {
  return kind === 'Thing' ? thingShape : builtIn(apiVersion, kind)
}

function refusalOf(body: { apiVersion: string; kind: string }, unknown: UnknownFields): string {
  try {
    decode(body, shapeFor(body), { unknown })
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 400)
    assert.equal(error.reason, 'BadRequest')
    return error.message
  }
  throw new Error('expected a refusal, got an object')
}

const podSaid = 'Pod in version "v1" cannot be handled as a Pod: '
const go = 'json: cannot unmarshal '
const thingSaid = 'Thing in version "v1" cannot be handled as a Thing: '

/** Every text as a 1.36.3 API server gave it. */
const refusals = [
  {
    name: 'unknown fields are refused in the order of the document, with indices',
    body: {
      ...pod({
        foo: 1,
        bar: 2,
        containers: [
          { name: 'c', zoo: 1, resources: { lim: 1 } },
          { name: 'd', foo: 1 },
        ],
        aaa: 1,
      }),
      top: 1,
    },
    said: `${podSaid}strict decoding error: unknown field "spec.containers[0].zoo", unknown field "spec.containers[0].resources.lim", unknown field "spec.containers[1].foo", unknown field "spec.foo", unknown field "spec.bar", unknown field "spec.aaa", unknown field "top"`,
  },
  {
    name: 'names are told apart by case',
    body: pod({ NodeName: 'x' }),
    said: `${podSaid}strict decoding error: unknown field "spec.NodeName"`,
  },
  {
    name: 'a wrong type is told of before an unknown field',
    body: { ...pod({ nodeName: 3 }), foo: 1 },
    said: `${podSaid}${go}number into Go struct field PodSpec.spec.nodeName of type string`,
  },
  {
    name: 'a string for a number',
    body: pod({ terminationGracePeriodSeconds: 'x' }),
    said: `${podSaid}${go}string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64`,
  },
  {
    name: 'a part of a number for a whole one',
    body: pod({ terminationGracePeriodSeconds: 1.5 }),
    said: `${podSaid}${go}number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64`,
  },
  {
    name: 'a number too large',
    body: container({ ports: [{ containerPort: 99999999999 }] }),
    said: `${podSaid}${go}number 99999999999 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
  },
  {
    name: 'a boolean for a string',
    body: pod({ nodeName: true }),
    said: `${podSaid}${go}bool into Go struct field PodSpec.spec.nodeName of type string`,
  },
  {
    name: 'a string for a boolean',
    body: pod({ hostNetwork: 'x' }),
    said: `${podSaid}${go}string into Go struct field PodSpec.spec.hostNetwork of type bool`,
  },
  {
    name: 'an object for a list',
    body: pod({ containers: {} }),
    said: `${podSaid}${go}object into Go struct field PodSpec.spec.containers of type []v1.Container`,
  },
  {
    name: 'a string for an item',
    body: pod({ containers: ['x'] }),
    said: `${podSaid}${go}string into Go struct field PodSpec.spec.containers of type v1.Container`,
  },
  {
    name: 'an array for a string within an item',
    body: container({ name: [] }),
    said: `${podSaid}${go}array into Go struct field Container.spec.containers.name of type string`,
  },
  {
    name: 'a number in a map of strings',
    body: pod({ nodeSelector: { a: 1 } }),
    said: `${podSaid}${go}number into Go struct field PodSpec.spec.nodeSelector of type string`,
  },
  {
    name: 'a string for a map',
    body: pod({ nodeSelector: 'x' }),
    said: `${podSaid}${go}string into Go struct field PodSpec.spec.nodeSelector of type map[string]string`,
  },
  {
    name: 'a number for an object',
    body: pod({ securityContext: 4 }),
    said: `${podSaid}${go}number into Go struct field PodSpec.spec.securityContext of type v1.PodSecurityContext`,
  },
  {
    name: 'a boolean for a number or string, within an embedded struct',
    body: container({ livenessProbe: { httpGet: { port: true } } }),
    said: `${podSaid}${go}bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32`,
  },
  {
    name: 'a string for metadata',
    body: { ...pod({}), metadata: 'x' },
    said: `${podSaid}${go}string into Go struct field Pod.metadata of type v1.ObjectMeta`,
  },
  {
    name: 'a word for a time',
    body: configMap({ creationTimestamp: 'yesterday' }),
    said: `ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
  },
  {
    name: 'a number for a time',
    body: pod({}, { creationTimestamp: 3 }),
    said: `${podSaid}${go}number into Go struct field ObjectMeta.metadata.creationTimestamp of type string`,
  },
  {
    name: 'a word for a quantity',
    body: quota('x'),
    said: `ResourceQuota in version "v1" cannot be handled as a ResourceQuota: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
  },
  {
    name: 'of a CRD, unknown fields are sorted',
    body: {
      ...thing({ z: 1, open: { q: 1, inner: { r: 1 } }, b: 2 }, { name: 'a', foo: 1 }),
      a: 1,
    },
    said: `${thingSaid}strict decoding error: unknown field "a", unknown field "metadata.foo", unknown field "spec.b", unknown field "spec.open.inner.r", unknown field "spec.z"`,
  },
  {
    name: 'of a CRD, a wrong type in metadata has a path of its own',
    body: thing({}, { labels: { a: 1 } }),
    said: `${thingSaid}${go}number into Go struct field ObjectMeta.labels of type string`,
  },
  {
    name: 'of a CRD, metadata must be an object',
    body: thing({}, 'x'),
    said: `${thingSaid}${go}string into Go value of type v1.ObjectMeta`,
  },
]
each(refusals, ({ body, said }) => {
  assert.equal(refusalOf(body, 'refuse'), said)
})

const results: readonly {
  readonly name: string
  readonly body: { apiVersion: string; kind: string; [field: string]: unknown }
  readonly gives: object
}[] = [
  {
    name: 'unknown fields go',
    body: { ...pod({ foo: 1 }), top: 1 },
    gives: { spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
  {
    name: 'quantities become canonical',
    body: container({
      resources: {
        limits: { cpu: 0.5, memory: 1e9, 'ephemeral-storage': '1e3' },
        requests: { cpu: '0.10', memory: '1024Ki', 'ephemeral-storage': ' 1000m ' },
      },
    }),
    gives: {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: {
              limits: { cpu: '500m', memory: '1G', 'ephemeral-storage': '1e3' },
              requests: { cpu: '100m', memory: '1Mi', 'ephemeral-storage': '1' },
            },
          },
        ],
      },
    },
  },
  {
    name: 'null is absent in a field, and zero in a list or map',
    body: pod({ nodeName: null, nodeSelector: { a: null }, containers: [null, { args: [null] }] }),
    gives: { spec: { nodeSelector: { a: '' }, containers: [{}, { args: [''] }] } },
  },
  {
    name: 'a null quantity is 0',
    body: quota(null),
    gives: { spec: { hard: { pods: '0' } } },
  },
  {
    name: 'what Go omits when it is zero is absent',
    body: pod({ hostNetwork: false, tolerations: [], nodeSelector: {}, hostname: '', priority: 0 }),
    gives: { spec: { containers: [{ name: 'c', image: 'i' }], priority: 0 } },
  },
  {
    name: 'times are in UTC, and without fractions',
    body: configMap({ creationTimestamp: '2026-01-01T00:00:00.5+02:00' }),
    gives: { metadata: { creationTimestamp: '2025-12-31T22:00:00Z' } },
  },
  {
    name: 'micro times are in UTC too',
    body: lease('2026-01-01T00:00:00.123456+01:00'),
    gives: { spec: { renewTime: '2025-12-31T23:00:00.123456Z' } },
  },
  {
    name: 'of a CRD, null goes where it may not be, but not from lists',
    body: thing({ size: null, colour: null, names: [null], map: { a: null }, open: { q: null } }),
    gives: { spec: { colour: null, names: [null], map: {}, open: { q: null } } },
  },
  {
    name: 'of a CRD, zero and wrong types stay',
    body: thing({ size: 0, colour: 4, names: 'x', map: [], open: 3 }),
    gives: { spec: { size: 0, colour: 4, names: 'x', map: [], open: 3 } },
  },
]
each(results, ({ body, gives }) => {
  const { object } = decode(body, shapeFor(body), { unknown: 'drop' })
  for (const [field, value] of Object.entries(gives)) assert.deepEqual(object[field], value)
  assert.equal(object['top'], undefined)
})

void test('unknown fields are warned of where the client asks for it', () => {
  const { object, warnings } = decode(pod({ foo: 1 }), podShape, { unknown: 'warn' })
  assert.deepEqual(warnings, ['unknown field "spec.foo"'])
  assert.deepEqual(object, pod({}))
  assert.deepEqual(decode(pod({ foo: 1 }), podShape, { unknown: 'drop' }).warnings, [])
})

void test('what needs no change is the same object, and so are its unchanged parts', () => {
  const body = pod({ nodeName: 'n' }, { labels: { a: 'b' } })
  assert.equal(decode(body, podShape, { unknown: 'refuse' }).object, body)
  const changed = decode({ ...body, top: 1 }, podShape, { unknown: 'drop' }).object
  assert.notEqual(changed, body)
  assert.equal(changed['spec'], body.spec)
  assert.equal(changed['metadata'], body.metadata)
})

void test('a key named __proto__ is a key', () => {
  const labels = JSON.parse('{"__proto__":"x","a":null}') as object
  const { object } = decode(pod({}, { labels }), podShape, { unknown: 'refuse' })
  const meta = object['metadata'] as { labels: object }
  assert.deepEqual(Object.entries(meta.labels), [
    ['__proto__', 'x'],
    ['a', ''],
  ])
})

void test('anything is decoded or refused, and what was decoded does not change again', () => {
  const names = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'labels', 'containers', 'name']
  const { any } = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 0, 1.5, '', 'x', '1Gi', '2026-01-01T00:00:00Z'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, 'resources', 'limits', '__proto__'), tie('any')),
    ),
  }))
  fc.assert(
    fc.property(any, fc.constantFrom(podShape, thingShape), (value, shape) => {
      let object
      try {
        object = decode(value, shape, { unknown: 'drop' }).object
      } catch (error) {
        assert.ok(error instanceof Refusal)
        return
      }
      assert.equal(decode(object, shape, { unknown: 'refuse' }).object, object)
    }),
  )
})

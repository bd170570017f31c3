/** CRDs that the server refuses: what is changed in one that it takes. */
import type { JsonObject } from '../../../src/sim/apiserver/object.ts'

export const sound: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'wrongs.crd.h.mbcas.io' },
  spec: {
    group: 'crd.h.mbcas.io',
    scope: 'Namespaced',
    names: { plural: 'wrongs', kind: 'Wrong' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
          },
        },
      },
    ],
  },
}

type Path = readonly (string | number)[]
export type Mistake = readonly (readonly [path: Path, value: JsonObject[string]])[]

const version: Path = ['spec', 'versions', 0]
const spec: Path = [...version, 'schema', 'openAPIV3Schema', 'properties', 'spec']
const inSpec = (value: JsonObject): Mistake => [[spec, value]]
const property = (a: JsonObject): Mistake => inSpec({ type: 'object', properties: { a } })
const rule = (text: string, more: JsonObject = {}): Mistake =>
  inSpec({
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 5 },
      n: { type: 'integer' },
      l: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
      o: { type: 'object', properties: { b: { type: 'integer' } } },
    },
    'x-kubernetes-validations': [{ rule: text, ...more }],
  })

export const mistakes: readonly Mistake[] = [
  [[['metadata', 'name'], 'others.crd.h.mbcas.io']],
  [[['spec', 'group'], 'nodots']],
  [[['spec', 'group'], 'Bad.Group']],
  [[['spec', 'group'], '']],
  [[['spec', 'scope'], 'Global']],
  [[['spec', 'scope'], '']],
  [[['spec', 'names', 'kind'], '']],
  [[['spec', 'names', 'kind'], 'Bad_Kind']],
  [[['spec', 'names', 'listKind'], 'Wrong']],
  [[['spec', 'names', 'singular'], 'Bad']],
  [
    [
      ['spec', 'names', 'shortNames'],
      ['ok', 'No'],
    ],
  ],
  [[['spec', 'names', 'categories'], ['A']]],
  [[['spec', 'versions'], []]],
  [[[...version, 'storage'], false]],
  [[[...version, 'name'], 'V1']],
  [[[...version, 'schema'], undefined]],
  [[[...version, 'deprecationWarning'], 'old']],
  [[[...version, 'schema', 'openAPIV3Schema', 'type'], undefined]],
  [[[...version, 'schema', 'openAPIV3Schema', 'type'], 'string']],
  [[[...version, 'schema', 'openAPIV3Schema', 'nullable'], true]],
  [[[...version, 'schema', 'openAPIV3Schema', 'additionalProperties'], { type: 'string' }]],
  [
    [
      [...version, 'schema', 'openAPIV3Schema', 'properties', 'metadata'],
      { type: 'object', properties: { labels: { type: 'object' } } },
    ],
  ],
  [[[...version, 'schema', 'openAPIV3Schema', 'properties', 'kind'], { type: 'integer' }]],
  property({}),
  property({ type: 'text' }),
  property({ type: 'null' }),
  property({ type: 'array' }),
  property({ type: 'array', items: {} }),
  property({ type: 'string', pattern: '(' }),
  property({ type: 'string', pattern: '(?=a)' }),
  property({ type: 'array', uniqueItems: true, items: { type: 'string' } }),
  property({
    type: 'object',
    properties: { b: { type: 'string' } },
    additionalProperties: { type: 'string' },
  }),
  property({ type: 'string', 'x-kubernetes-list-type': 'set' }),
  property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' }),
  property({
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
  }),
  property({
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['n'],
  }),
  property({
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['m'],
  }),
  property({
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['m'],
  }),
  property({
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } } },
    'x-kubernetes-list-type': 'set',
  }),
  property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['n'] }),
  property({ type: 'string', 'x-kubernetes-map-type': 'atomic' }),
  property({ type: 'object', 'x-kubernetes-map-type': 'loose' }),
  property({ type: 'string', 'x-kubernetes-embedded-resource': true }),
  property({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  property({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  property({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
  property({ type: 'integer', default: 'x' }),
  property({ type: 'string', enum: ['a'], default: 'b' }),
  property({ type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } }),
  inSpec({
    type: 'object',
    properties: { a: { type: 'string' } },
    anyOf: [{ properties: { b: { minLength: 1 } } }],
  }),
  inSpec({
    type: 'object',
    properties: { a: { type: 'string' } },
    oneOf: [{ type: 'object' }, { description: 'x' }],
  }),
  inSpec({
    type: 'object',
    properties: { a: { type: 'string' } },
    allOf: [{ properties: { a: { default: 'x', nullable: true } } }],
  }),
  [[[...version, 'additionalPrinterColumns'], [{ name: 'A', type: 'text', jsonPath: '.spec.a' }]]],
  [[[...version, 'additionalPrinterColumns'], [{ name: 'A', type: 'string', jsonPath: 'spec.a' }]]],
  [
    [
      [...version, 'additionalPrinterColumns'],
      [{ name: '', type: 'string', jsonPath: '', format: 'odd' }],
    ],
  ],
  [
    [
      [...version, 'subresources'],
      {
        scale: {
          specReplicasPath: '.status.a',
          statusReplicasPath: 'x',
          labelSelectorPath: '.metadata.b',
        },
      },
    ],
  ],
  [[[...version, 'subresources'], { scale: { specReplicasPath: '', statusReplicasPath: '' } }]],
  [
    [
      [...version, 'selectableFields'],
      [
        { jsonPath: '.spec.nope' },
        { jsonPath: '.spec' },
        { jsonPath: 'x' },
        { jsonPath: '.spec.a' },
        { jsonPath: '.spec.a' },
      ],
    ],
  ],
  [[['spec', 'conversion'], { strategy: 'Odd' }]],
  [[['spec', 'conversion'], { strategy: 'Webhook' }]],
  [[['spec', 'preserveUnknownFields'], true]],
  rule('self.a =='),
  rule('self.nope == 1'),
  rule('has(self.nope)'),
  rule('self.o.nope == 1'),
  rule('nope'),
  rule('self.a == 1'),
  rule('self.a + self.n == "x"'),
  rule('self.a'),
  rule('self.n > "x"'),
  rule('self.a.foo()'),
  rule('size(self.n) > 1'),
  rule('foo(self.a)'),
  rule('self.l.all(x, x > 1)'),
  rule(''),
  rule('true', { message: ' ' }),
  rule('true', { message: 'a\nb' }),
  rule('true\n', { messageExpression: '1' }),
  rule('true', { messageExpression: 'self.nope' }),
  rule('true', { reason: 'Odd' }),
  rule('true', { fieldPath: '.nope' }),
  rule('true', { optionalOldSelf: true }),
  inSpec({
    type: 'object',
    properties: {
      l: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'string',
          maxLength: 5,
          'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
        },
      },
    },
  }),
]

/** A copy of the sound CRD with the mistake in it. */
export function withMistake(mistake: Mistake): JsonObject {
  return mistake.reduce<JsonObject>(
    (crd, [path, value]) => replaceAt(crd, path, value) as JsonObject,
    sound,
  )
}

function replaceAt(
  at: JsonObject[string],
  [head, ...rest]: Path,
  value: JsonObject[string],
): JsonObject[string] {
  if (head === undefined) return value
  if (Array.isArray(at)) {
    return (at as readonly JsonObject[]).map((item, i) =>
      i === head ? replaceAt(item, rest, value) : item,
    ) as JsonObject[]
  }
  const object = (at ?? {}) as JsonObject
  return { ...object, [head]: replaceAt(object[head], rest, value) }
}

/** Names that every JavaScript object inherits are names like any other, and what Go cannot read is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { newServer, type TestServer } from '../../../../test/sim/api-server.ts'
import type { Schema } from '../crd/schema.ts'
import { typesOf } from '../crd/types-of.ts'
import { builtInTypes } from '../kinds/built-in-types.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const boats = '/apis/example.com/v1/namespaces/default/boats'

function open(server: TestServer = newServer({ types: builtInTypes(), typesOf })) {
  return (path: string, body: unknown): { readonly status: number; readonly body: string } => {
    const request = { method: 'POST', path, headers: {}, body: JSON.stringify(body) }
    const answer = server.handle(request)
    assert.ok(answer.kind === 'whole')
    return { status: answer.status, body: answer.body }
  }
}

/** A CRD whose version has this schema and these members. */
function definition(schema: unknown, members: object = {}): object {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...members,
  }
  const names = { kind: 'Boat', plural: 'boats' }
  const spec = { group: 'example.com', names, scope: 'Namespaced', versions: [version] }
  return { metadata: { name: 'boats.example.com' }, spec }
}

const withSpec = (spec: Schema): Schema => ({ type: 'object', properties: { spec } })
const rule = (text: string, more: object = {}) => ({
  'x-kubernetes-validations': [{ rule: text, ...more }],
})

each(
  [
    {
      name: 'a Secret of a type of its own',
      path: '/api/v1/namespaces/default/secrets',
      body: { metadata: { name: 'a' }, type: 'hasOwnProperty' },
      status: 201,
    },
    {
      name: 'a basic-auth Secret without either key',
      path: '/api/v1/namespaces/default/secrets',
      body: {
        metadata: { name: 'a' },
        type: 'kubernetes.io/basic-auth',
        data: { constructor: '' },
      },
      status: 422,
    },
    {
      name: 'a quota with an unknown scope',
      path: '/api/v1/namespaces/default/resourcequotas',
      body: { metadata: { name: 'a' }, spec: { hard: { pods: '1' }, scopes: ['constructor'] } },
      status: 422,
    },
    {
      name: 'a schema whose type nobody knows, beside a rule',
      path: crds,
      body: definition(
        withSpec({
          type: 'object',
          properties: { any: { type: 'toString' } },
          ...rule('self.any == 1'),
        }),
      ),
      status: 422,
      says: /Unsupported value: \\"toString\\"/,
    },
    {
      name: 'a rule that points to an inherited name',
      path: crds,
      body: definition(
        withSpec({
          type: 'object',
          properties: { a: { type: 'string' } },
          ...rule('true', { fieldPath: '.constructor' }),
        }),
      ),
      status: 422,
      says: /must be a valid path/,
    },
    {
      name: 'a list keyed by an inherited name',
      path: crds,
      body: definition(
        withSpec({
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['constructor'],
        }),
      ),
      status: 422,
      says: /entries must all be names of item properties/,
    },
    {
      name: 'an alternative that restricts an inherited name',
      path: crds,
      body: definition({
        ...withSpec({ type: 'object' }),
        anyOf: [{ properties: { constructor: { minLength: 1 } } }],
      }),
      status: 422,
      says: /because it is defined in/,
    },
    {
      name: 'a selectable field without a path',
      path: crds,
      body: definition({ type: 'object' }, { selectableFields: [{}] }),
      status: 422,
      says: /spec\.selectableFields\[0\]\.jsonPath: Required value/,
    },
  ],
  ({ name, path, body, status, says = /./ }) => {
    const answer = open()(path, body)
    assert.equal(answer.status, status, `${name}: ${answer.body}`)
    assert.match(answer.body, says)
  },
)

each(
  [
    {
      name: 'a text for a schema',
      schema: '6',
      says: /cannot unmarshal string .*openAPIV3Schema of type v1\.JSONSchemaProps/,
    },
    {
      name: 'a list of types',
      schema: { type: ['object'] },
      says: /cannot unmarshal array .*\.type of type string/,
    },
    {
      name: 'a number for properties',
      schema: { type: 'object', properties: 7 },
      says: /properties of type map/,
    },
    {
      name: 'a text for a property',
      schema: { type: 'object', properties: { a: 'b' } },
      says: /cannot unmarshal string/,
    },
    {
      name: 'a text for what is required',
      schema: { type: 'object', required: 'a' },
      says: /required of type \[\]string/,
    },
    {
      name: 'an object for rules',
      schema: { type: 'object', 'x-kubernetes-validations': {} },
      says: /cannot unmarshal object/,
    },
    {
      name: 'a number for a rule',
      schema: withSpec({
        type: 'object',
        'x-kubernetes-validations': [{ rule: 7 }],
      } as unknown as Schema),
      says: /rule of type string/,
    },
    {
      name: 'a text for other properties',
      schema: { type: 'object', additionalProperties: 'x' },
      says: /boolean or JSON schema expected/,
    },
    {
      name: 'a text for alternatives',
      schema: { type: 'object', anyOf: ['x'] },
      says: /cannot unmarshal string/,
    },
    {
      name: 'a number for a pattern',
      schema: withSpec({ type: 'string', pattern: 7 } as unknown as Schema),
      says: /pattern of type string/,
    },
    {
      name: 'half a length',
      schema: withSpec({ type: 'string', maxLength: 1.5 }),
      says: /number 1\.5 .*maxLength of type int64/,
    },
  ],
  ({ name, schema, says }) => {
    const answer = open()(crds, definition(schema))
    assert.equal(answer.status, 400, `${name}: ${answer.body}`)
    assert.match(answer.body, says)
  },
)

void test('what is null in a schema is as absent, but a default may be null', () => {
  const ask = open()
  const spec = { type: 'string', nullable: true, default: null, pattern: null }
  const schema = { type: 'object', properties: { spec }, required: null, items: null }
  const made = ask(crds, definition(schema))
  assert.equal(made.status, 201, made.body)
  const { spec: written } = JSON.parse(made.body) as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] }
  }
  assert.deepEqual(written.versions[0]?.schema.openAPIV3Schema, {
    type: 'object',
    properties: { spec: { type: 'string', nullable: true, default: null } },
  })
})

void test('objects of a CRD have inherited names only where they were written', async () => {
  const server = newServer({ types: builtInTypes(), typesOf })
  const ask = open(server)
  const strings = { type: 'string', format: 'constructor' }
  const spec = {
    type: 'object',
    properties: { constructor: strings, list: keyedBy('valueOf') },
    required: ['constructor'],
  }
  assert.equal(ask(crds, definition({ type: 'object', properties: { spec } })).status, 201)
  await server.agenda.run({ until: server.agenda.now() + 1000 })
  const boat = (of: object) => ask(boats, { metadata: { generateName: 'b' }, spec: of })
  const without = boat({})
  assert.equal(without.status, 422, without.body)
  assert.match(without.body, /spec\.constructor: Required value/)
  const items = [{ valueOf: 'a' }, { valueOf: 'b' }]
  const whole = boat({ constructor: 'x', list: items })
  assert.equal(whole.status, 201, whole.body)
})

const keyedBy = (key: string) => ({
  type: 'array',
  items: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
})

/** What a request may cost: bodies that are deep, or large in an unusual way, are read or refused at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { newServer } from '../../../../test/sim/api-server.ts'
import { builtInTypes } from '../kinds/built-in-types.ts'
import type { Request } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'

const place = '/api/v1/namespaces/default/configmaps'
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

function ask(request: Partial<Request>): {
  readonly status: number
  readonly body: string
  readonly warning: string
} {
  const server = newServer({ types: builtInTypes() })
  server.handle({ method: 'POST', path: place, headers: {}, body: '{"metadata":{"name":"a"}}' })
  const answer = server.handle({ method: 'POST', path: place, headers: {}, ...request })
  assert.ok(answer.kind === 'whole')
  return { status: answer.status, body: answer.body, warning: answer.headers['warning'] ?? '' }
}

/** Nested messages: the schema of items of items. */
function deepSchema(depth: number): Buffer {
  const field = (number: number, content: Buffer): Buffer => {
    const length: number[] = []
    let rest = content.length
    for (; rest > 127; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128)
    const tag = number * 8 + 2
    const tags = tag > 127 ? [(tag % 128) + 128, Math.floor(tag / 128)] : [tag]
    return Buffer.concat([Buffer.from([...tags, ...length, rest]), content])
  }
  let schema: Buffer = Buffer.alloc(0)
  for (let i = 0; i < depth; i += 1) schema = field(26, field(1, schema))
  const version = field(4, field(1, schema))
  const crd = field(2, field(7, version))
  const type = Buffer.concat([
    field(1, Buffer.from('apiextensions.k8s.io/v1')),
    field(2, Buffer.from('CustomResourceDefinition')),
  ])
  return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0]), field(1, type), field(2, crd)])
}

const patch = (type: string, body: string): Partial<Request> => ({
  method: 'PATCH',
  path: `${place}/a?fieldManager=m`,
  headers: { 'content-type': type },
  body,
})

each(
  [
    { name: 'JSON in JSON without end', ask: { body: deep(100_000) }, code: 400 },
    {
      name: 'a deep merge patch',
      ask: patch('application/merge-patch+json', deep(100_000)),
      code: 400,
    },
    {
      name: 'a deep strategic merge patch',
      ask: patch('application/strategic-merge-patch+json', deep(100_000)),
      code: 400,
    },
    {
      name: 'a deep value of a JSON patch',
      ask: patch(
        'application/json-patch+json',
        `[{"op":"add","path":"/data","value":${deep(100_000)}}]`,
      ),
      code: 400,
    },
    {
      name: 'a deep configuration',
      ask: patch('application/apply-patch+yaml', deep(100_000)),
      code: 400,
    },
    {
      name: 'a deep configuration in YAML',
      ask: patch('application/apply-patch+yaml', `a: ${'['.repeat(100_000)}`),
      code: 400,
    },
    {
      name: 'a list as configuration',
      ask: patch('application/apply-patch+yaml', '- a'),
      code: 400,
    },
    {
      name: 'a schema in itself in protobuf',
      ask: {
        path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body: deepSchema(5000),
      },
      code: 400,
    },
  ].map(({ name, ask: request, code }) => ({ name: `${name} is refused`, request, code })),
  ({ request, code }) => assert.equal(ask(request).status, code, ask(request).body),
)

void test('a kind that is no text, and a rule without an expression, are refused', () => {
  const path = `${place}/a?fieldManager=m`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const kind = ask({ method: 'PATCH', path, headers, body: '{"kind":[{"toString":null}]}' })
  assert.equal(kind.status, 422)
  const properties = { spec: { type: 'object', 'x-kubernetes-validations': [{ message: 'm' }] } }
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
  }
  const names = { kind: 'Boat', plural: 'boats' }
  const spec = { group: 'example.com', names, scope: 'Namespaced', versions: [version] }
  const body = JSON.stringify({ metadata: { name: 'boats.example.com' }, spec })
  const crd = ask({ path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body })
  assert.equal(crd.status, 422, crd.body)
  assert.match(crd.body, /x-kubernetes-validations\[0\]\.rule: Required value/)
})

void test('20,000 keys in YAML are read in one go, and a key that is there twice is refused', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: v`).join('\n')
  assert.equal(Object.keys(parseYaml(keys, parseJson) as object).length, 20_000)
  assert.throws(() => parseYaml(`${keys}\nk7: w`, parseJson), /mapping key "k7" already defined/)
})

void test('a document of millions of tokens is refused before it is built', () => {
  assert.throws(
    () => parseYaml(`a: [${'1,'.repeat(1_000_000)}1]`, parseJson),
    /send a document of this size as JSON/,
  )
})

void test('the name of an unknown field goes into a header without what headers cannot have', () => {
  const { status, warning } = ask({
    path: `${place}?fieldValidation=Warn`,
    body: JSON.stringify({
      metadata: { name: 'b' },
      'x\r\ny\u0007': 1,
      [`z${'z'.repeat(100_000)}`]: 1,
    }),
  })
  assert.equal(status, 201)
  assert.match(warning, /unknown field \\"x  y \\"/)
  assert.ok(warning.length < 9000)
})

void test('long lists take time in proportion to their length', () => {
  const count = 20_000
  const all = <T>(make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
  const containers = [{ name: 'a', image: 'a', ports: all((i) => ({ containerPort: i + 1 })) }]
  const clashing = [{ name: 'a', image: 'a', ports: all(() => ({ containerPort: 1 })) }]
  const hidden = [{ name: 'a', image: 'a', env: all((i) => ({ name: `A${i}`, value: 'x' })) }]
  const before = process.cpuUsage()
  for (const list of [containers, clashing, hidden]) {
    const body = JSON.stringify({ metadata: { name: 'a' }, spec: { containers: list } })
    assert.equal(ask({ path: '/api/v1/namespaces/default/pods', body }).status, 201)
  }
  // By comparing each with all before it: minutes of CPU time.
  assert.ok(process.cpuUsage(before).user < 30e6)
})

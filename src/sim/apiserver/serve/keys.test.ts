/** Keys of data that JavaScript has a meaning for are kept, changed and removed like any other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { newServer, type TestServer } from '../../../../test/sim/api-server.ts'
import type { JsonObject } from '../object.ts'

const place = '/api/v1/namespaces/default/configmaps'
const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

type Asked = {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
}

function ask(
  server: TestServer,
  { method, path, type = 'application/json', body }: Asked,
): JsonObject {
  const answer = server.handle({ method, path, headers: { 'content-type': type }, body })
  assert.ok(answer.kind === 'whole')
  assert.ok(answer.status < 300, answer.body)
  return JSON.parse(answer.body) as JsonObject
}

/** No label begins with an underscore. */
const labelOf = (key: string): string => key.replaceAll('__', '')

/** As text: an object literal would lose `__proto__` before it is sent. */
const withData = (key: string, value: string, name = 'a'): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","labels":{"${labelOf(key)}":"l"}},"data":{"${key}":"${value}","other":"x"}}`

const dataOf = (object: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries((object['data'] ?? {}) as JsonObject)

const patches: readonly {
  readonly form: string
  readonly change: (key: string) => string
  readonly remove: (key: string) => string
}[] = [
  {
    form: 'application/merge-patch+json',
    change: (key) => `{"data":{"${key}":"2"}}`,
    remove: (key) => `{"data":{"${key}":null}}`,
  },
  {
    form: 'application/strategic-merge-patch+json',
    change: (key) => `{"data":{"${key}":"2"}}`,
    remove: (key) => `{"data":{"${key}":null}}`,
  },
  {
    form: 'application/json-patch+json',
    change: (key) => `[{"op":"add","path":"/data/${key}","value":"2"}]`,
    remove: (key) => `[{"op":"remove","path":"/data/${key}"}]`,
  },
  {
    form: 'application/apply-patch+yaml',
    change: (key) => withData(key, '2'),
    remove: () =>
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"other":"x"}}',
  },
]

for (const key of keys) {
  void test(`${key} is created and found by a selector`, () => {
    const server = newServer()
    const made = ask(server, { method: 'POST', path: place, body: withData(key, '1') })
    assert.deepEqual(dataOf(made), [
      [key, '1'],
      ['other', 'x'],
    ])
    ask(server, { method: 'POST', path: place, body: '{"metadata":{"name":"b"}}' })
    const found = (selector: string) =>
      (
        ask(server, {
          method: 'GET',
          path: `${place}?labelSelector=${encodeURIComponent(selector)}`,
        })['items'] as readonly unknown[]
      ).length
    const label = labelOf(key)
    const selectors = [label, `!${label}`, `${label}=l`, `${label}!=l`]
    assert.deepEqual(selectors.map(found), [1, 1, 1, 1])
  })

  for (const { form, change, remove } of patches) {
    void test(`${key} is changed and removed by ${form}`, () => {
      const server = newServer()
      const path = `${place}/a?fieldManager=m&force=true`
      const query = form.includes('apply') ? path : `${place}/a?fieldManager=m`
      if (form.includes('apply')) {
        ask(server, { method: 'PATCH', path: query, type: form, body: withData(key, '1') })
      } else ask(server, { method: 'POST', path: place, body: withData('plain', '1') })
      const changed = ask(server, { method: 'PATCH', path: query, type: form, body: change(key) })
      assert.equal(new Map(dataOf(changed)).get(key), '2')
      const removed = ask(server, { method: 'PATCH', path: query, type: form, body: remove(key) })
      assert.equal(new Map(dataOf(removed)).has(key), false)
      assert.equal(new Map(dataOf(removed)).get('other'), 'x')
      assert.deepEqual(Object.keys(Object.prototype), [])
    })
  }
}

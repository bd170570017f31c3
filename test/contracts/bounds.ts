/** What one request may cost, and keys that are only data. */
import assert from 'node:assert/strict'

import type { Patch } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'
import { configMap, configMaps } from './objects.ts'

type Operations = Extract<Patch, { type: 'json' }>['operations']

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const names = ['constructor', '__proto__', 'toString']
/** Not as a literal, in which `__proto__` would be something else. */
const data = Object.fromEntries(names.map((name) => [name, '1']))

export const boundCases: readonly Case[] = [
  {
    name: 'JSON: copies of copies are refused when they come to too much',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: '1' } }))
      const operations = many(40, (i) => ({ op: 'copy', from: '/data', path: `/data/c${i}` }))
      const patch = { type: 'json', operations: operations as unknown as Operations } as const
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: 'the server rejected our request due to an error in our request',
      })
    },
  },
  {
    name: 'JSON: more than 10,000 operations are refused',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: '1' } }))
      const operations = many(10_001, () => ({ op: 'test', path: '/data/a', value: '1' }) as const)
      await refused(
        kube.patch(configMaps, { namespace, name: 'a' }, { type: 'json', operations }),
        {
          code: 413,
          reason: 'RequestEntityTooLarge',
          said: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
        },
      )
    },
  },
  {
    name: 'keys that JavaScript has a meaning for are data',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      const made = await kube.create(configMaps, configMap(namespace, 'a', { data }))
      assert.deepEqual(Object.keys(made.data ?? {}).toSorted(), names.toSorted())
      const changed = Object.fromEntries(names.map((name) => [name, '2']))
      const patched = await kube.patch(configMaps, at, { type: 'merge', body: { data: changed } })
      assert.deepEqual(Object.values(patched.data ?? {}), ['2', '2', '2'])
      const removed = Object.fromEntries(names.map((name) => [name, null]))
      const left = await kube.patch(configMaps, at, { type: 'merge', body: { data: removed } })
      assert.deepEqual(Object.keys(left.data ?? {}), [])
    },
  },
]

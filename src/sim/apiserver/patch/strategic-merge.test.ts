import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { Json, JsonObject } from '../object.ts'
import type { ObjectShape } from '../shape.ts'
import { typeShape } from '../types/shape-of.ts'
import { strategicMerge } from './strategic-merge.ts'

const builtIn = (name: string): ObjectShape => {
  const shape = typeShape(name)
  assert.ok(shape)
  return shape
}
const podSpec = builtIn('core.v1.PodSpec')
const container = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  image: 'i',
  ...more,
})

void describe('strategicMerge', () => {
  each<{ name: string; live: JsonObject; patch: JsonObject; gives: JsonObject }>(
    [
      {
        name: 'containers are merged by name, and new ones come first',
        live: { containers: [container('a'), container('b', { tty: true })] },
        patch: { containers: [container('c'), { name: 'b', image: 'j' }] },
        gives: {
          containers: [container('c'), container('a'), container('b', { image: 'j', tty: true })],
        },
      },
      {
        name: 'an item is deleted',
        live: { containers: [container('a'), container('b')] },
        patch: { containers: [{ $patch: 'delete', name: 'a' }] },
        gives: { containers: [container('b')] },
      },
      {
        name: 'a list is replaced',
        live: { containers: [container('a'), container('b')] },
        patch: { containers: [{ $patch: 'replace' }, container('c')] },
        gives: { containers: [container('c')] },
      },
      {
        name: 'a list that is not merged is replaced',
        live: { tolerations: [{ key: 'a' }] },
        patch: { tolerations: [{ key: 'b' }] },
        gives: { tolerations: [{ key: 'b' }] },
      },
      {
        name: 'an order is set, with what the patch does not know in its place',
        live: { containers: [container('a'), container('s'), container('b')] },
        patch: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
        gives: { containers: [container('s'), container('b'), container('a')] },
      },
      {
        name: 'a map is replaced, or emptied',
        live: { nodeSelector: { a: '1' }, securityContext: { runAsUser: 1 } },
        patch: {
          nodeSelector: { $patch: 'replace', b: '2' },
          securityContext: { $patch: 'delete' },
        },
        gives: { nodeSelector: { b: '2' }, securityContext: {} },
      },
      {
        name: 'only the keys to retain are retained',
        live: { volumes: [{ name: 'v', emptyDir: {} }] },
        patch: {
          volumes: [{ $retainKeys: ['name', 'hostPath'], name: 'v', hostPath: { path: '/x' } }],
        },
        gives: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
      },
      {
        name: 'nulls and directives in what is new have nothing to act on',
        live: {},
        patch: {
          securityContext: { runAsUser: null, seLinuxOptions: { $patch: 'delete' } },
          hostname: null,
        },
        gives: { securityContext: {} },
      },
    ],
    ({ live, patch, gives }) => assert.deepEqual(strategicMerge(live, patch, podSpec), gives),
  )

  void test('finalizers are a set that grows, and shrinks by a list of its own', () => {
    const meta = builtIn('meta.v1.ObjectMeta')
    const patch = { finalizers: ['c', 'a'], '$deleteFromPrimitiveList/finalizers': ['b'] }
    assert.deepEqual(strategicMerge({ finalizers: ['a', 'b'] }, patch, meta), {
      finalizers: ['c', 'a'],
    })
  })

  void test('a patch that changes nothing gives the object itself', () => {
    const live = { containers: [container('a'), container('b')], nodeSelector: { a: '1' } }
    const patch = { containers: [{ name: 'a', image: 'i' }], nodeSelector: { a: '1' } }
    assert.equal(strategicMerge(live, patch, podSpec), live)
  })

  each<{ name: string; patch: Json; code: number; said: string }>(
    [
      {
        name: 'a list',
        patch: [],
        code: 400,
        said: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
      },
      {
        name: 'an unknown directive',
        patch: { nodeSelector: { $patch: 'zap', b: 'x', a: '1' } },
        code: 500,
        said: 'unknown patch type: zap in map: map[$patch:zap a:1 b:x]',
      },
      {
        name: 'an item without its key',
        patch: { containers: [{ image: 'j' }] },
        code: 500,
        said: 'map: map[image:j] does not contain declared merge key: name',
      },
      {
        name: 'to merge a list expressly',
        patch: { containers: [{ name: 'a', $patch: 'merge' }] },
        code: 500,
        said: 'merging lists cannot yet be specified in the patch',
      },
      {
        name: 'keys to retain that miss one',
        patch: { nodeSelector: { $retainKeys: ['b'], a: '1' } },
        code: 400,
        said: 'invalid patch format of retainKeys',
      },
      {
        name: 'keys to retain that are no list',
        patch: { nodeSelector: { $retainKeys: 'x', a: '1' } },
        code: 400,
        said: 'invalid patch format of retainKeys',
      },
      {
        name: 'an order that is no list',
        patch: { '$setElementOrder/containers': {} },
        code: 500,
        said: 'expected a []interface {}, but received a map[string]interface {}',
      },
      {
        name: 'an order that misses an item',
        patch: { '$setElementOrder/containers': [{ name: 'x' }], containers: [container('y')] },
        code: 500,
        said: "The order in patch list:\n[map[image:i name:y]]\n doesn't match $setElementOrder list:\n[map[name:x]]\n",
      },
    ],
    ({ patch, code, said }) => {
      const live = { containers: [container('a')], nodeSelector: { a: '1' } }
      assert.throws(() => strategicMerge(live, patch, podSpec), { code, message: said })
    },
  )
})

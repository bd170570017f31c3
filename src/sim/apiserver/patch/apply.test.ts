import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { ApiObject, JsonObject } from '../object.ts'
import type { ObjectShape } from '../shape.ts'
import { shapeOf } from '../types/shape-of.ts'
import { applyConfiguration } from './apply.ts'
import { updateManagedFields } from './managed-fields.ts'

const builtIn = (apiVersion: string, kind: string): ObjectShape => {
  const shape = shapeOf(apiVersion, kind)
  assert.ok(shape)
  return shape
}

const configMap = (more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n' },
  ...more,
})

const apply = (
  live: ApiObject | undefined,
  config: JsonObject,
  by: { readonly manager: string; readonly force?: boolean; readonly at?: number },
): ApiObject => {
  const [apiVersion, kind] =
    config['kind'] === 'Deployment' ? ['apps/v1', 'Deployment'] : ['v1', 'ConfigMap']
  const { manager, force = false, at = 1 } = by
  const shape = builtIn(apiVersion, kind)
  return applyConfiguration({
    live,
    config,
    manager,
    force,
    apiVersion,
    kind,
    shape,
    now: at * 1000,
  })
}

const made = apply(undefined, configMap({ data: { a: '1', b: '1' } }), { manager: 'm1' })

void describe('applyConfiguration', () => {
  void test('the same again gives the object itself', () => {
    const again = apply(made, configMap({ data: { a: '1', b: '1' } }), { manager: 'm1', at: 5 })
    assert.equal(again, made)
  })

  void test('who applies what is there already shares it, and has no time', () => {
    const shared = apply(made, configMap({ data: { a: '1' } }), { manager: 'm2', at: 5 })
    assert.deepEqual(shared.metadata.managedFields?.[0], {
      manager: 'm2',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    })
  })

  void test('what is no longer applied goes, unless another applies it', () => {
    const shared = apply(made, configMap({ data: { a: '1' } }), { manager: 'm2' })
    const less = apply(shared, configMap(), { manager: 'm1' })
    assert.deepEqual(less['data'], { a: '1' })
    assert.equal(apply(less, configMap(), { manager: 'm2' })['data'], undefined)
  })

  void test('without a trace of writers everything is of before-first-apply', () => {
    const { managedFields: _, ...metadata } = made.metadata
    const untraced = { ...made, metadata }
    assert.throws(() => apply(untraced, configMap({ data: { a: '2' } }), { manager: 'm2' }), {
      message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    })
  })

  void test('several conflicts with several managers are told one by one', () => {
    const shared = apply(made, configMap({ data: { a: '1' } }), { manager: 'm0' })
    assert.throws(() => apply(shared, configMap({ data: { a: '2', b: '2' } }), { manager: 'm2' }), {
      code: 409,
      reason: 'Conflict',
      message:
        'Apply failed with 3 conflicts: conflicts with "m0":\n- .data.a\nconflicts with "m1":\n- .data.a\n- .data.b',
    })
  })

  void test('kubectl takes over what it applied from the client, and keeps the annotation', () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration'
    const annotations = { [name]: JSON.stringify(configMap({ data: { a: '1', b: '0' } })) }
    const next = {
      ...configMap({ data: { a: '1', b: '1' } }),
      metadata: { name: 'a', annotations },
    }
    const old = updateManagedFields({
      old: undefined,
      next: next as unknown as ApiObject,
      manager: 'kubectl-client-side-apply',
      apiVersion: 'v1',
      shape: builtIn('v1', 'ConfigMap'),
      now: 0,
    })
    const applied = apply(old, configMap({ data: { a: '2' } }), { manager: 'kubectl' })
    assert.deepEqual(applied['data'], { a: '2', b: '1' })
    assert.equal(
      applied.metadata.annotations?.[name],
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a","namespace":"n"}}\n',
    )
    assert.throws(() => apply(old, configMap({ data: { b: '2' } }), { manager: 'kubectl' }), {
      message:
        'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.b',
    })
  })

  const deployment = (podSpec: JsonObject, spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { ...spec, template: { spec: podSpec } },
  })
  const [plain, deployed] = ['(n/a; /v1, Kind=ConfigMap)', '(/d; apps/v1, Kind=Deployment)']

  each<{ name: string; config: JsonObject; code: number; said: string }>(
    [
      {
        name: 'another kind',
        config: { apiVersion: 'v2', kind: 'ConfigMap' },
        code: 400,
        said: 'invalid object type: /v2, Kind=ConfigMap',
      },
      { name: 'no kind', config: { data: {} }, code: 400, said: 'invalid object type: /, Kind=' },
      {
        name: 'managedFields',
        config: configMap({ metadata: { managedFields: [] } }),
        code: 400,
        said: 'metadata.managedFields must be nil',
      },
      {
        name: 'an unknown field',
        config: configMap({ nonsense: 1 }),
        code: 500,
        said: `failed to create typed patch object ${plain}: .nonsense: field not declared in schema`,
      },
      {
        name: 'values of other types',
        config: configMap({ data: { a: 1, b: true, c: {} }, immutable: 'x' }),
        code: 500,
        said: `failed to create typed patch object ${plain}: errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .data.b: expected string, got &value.valueUnstructured{Value:true}\n  .data.c: expected string, got &value.valueUnstructured{Value:map[string]interface {}{}}\n  .immutable: expected boolean, got &{x}`,
      },
      {
        name: 'the same item twice',
        config: deployment({ containers: [{ name: 'x' }, { name: 'x' }] }),
        code: 500,
        said: `failed to create typed patch object ${deployed}: .spec.template.spec.containers: duplicate entries for key [name="x"]`,
      },
      {
        name: 'an unknown field in an item',
        config: deployment({ containers: [{ name: 'x', foo: 1 }] }),
        code: 500,
        said: `failed to create typed patch object ${deployed}: .spec.template.spec.containers[name="x"].foo: field not declared in schema`,
      },
      {
        name: 'a number as text, and a number for an object',
        config: deployment({ tolerations: [3] }, { replicas: 'x', paused: 3 }),
        code: 500,
        said: `failed to create typed patch object ${deployed}: errors:\n  .spec.paused: expected boolean, got &{3}\n  .spec.replicas: expected numeric (int or float), got string\n  .spec.template.spec.tolerations[0]: expected map, got &{3}`,
      },
    ],
    ({ config, code, said }) =>
      assert.throws(() => apply(undefined, config, { manager: 'm' }), { code, message: said }),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { sound } from '../../../../test/oracles/crd/mistakes.ts'
import type { ApiObject } from '../object.ts'
import type { Situation } from '../resource-type.ts'
import { asDefinition } from './definition.ts'
import { crdRules } from './rules.ts'
import { typesOf } from './types-of.ts'

const at: Situation = {
  now: Date.parse('2026-01-02T03:04:05.678Z'),
  find: () => undefined,
  all: () => [],
}
const { strategy } = crdRules
const update = { ...at, subresource: '' } as const

function made(): ApiObject {
  const given = sound as unknown as ApiObject
  return strategy.prepareCreate?.(strategy.setDefaults?.(given) ?? given, at) ?? given
}

void describe('sim/apiserver/crd rules', () => {
  void test('names that are not given come from the kind', () => {
    const { spec } = asDefinition(made())
    assert.deepEqual(spec?.names, {
      plural: 'wrongs',
      kind: 'Wrong',
      singular: 'wrong',
      listKind: 'WrongList',
    })
    assert.deepEqual(spec?.conversion, { strategy: 'None' })
  })

  void test('a CRD is established as soon as it is created', () => {
    const { status } = asDefinition(made())
    assert.deepEqual(
      status?.conditions?.map(({ type, status: is, lastTransitionTime }) => [
        type,
        is,
        lastTransitionTime,
      ]),
      [
        ['NamesAccepted', 'True', '2026-01-02T03:04:05Z'],
        ['Established', 'True', '2026-01-02T03:04:05Z'],
      ],
    )
    assert.deepEqual(status?.storedVersions, ['v1'])
    assert.equal(status?.acceptedNames?.singular, 'wrong')
  })

  void test('the scope of a CRD that is established cannot change', () => {
    const old = made()
    const next = { ...old, spec: { ...asDefinition(old).spec, scope: 'Cluster' } }
    assert.deepEqual(strategy.validateUpdate?.(next, old, update), [
      {
        field: 'spec.scope',
        type: 'Invalid value',
        value: 'Cluster',
        detail: 'field is immutable',
      },
    ])
  })

  void test('a status in what is created is dropped where status is a subresource, and kept on updates', () => {
    const crd = asDefinition(made())
    const versions = crd.spec?.versions?.map((version) =>
      Object.assign({ subresources: { status: {} } }, version),
    )
    const [type] = typesOf({ ...crd, spec: { ...crd.spec, versions } })
    const metadata = { name: 'a', uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' }
    const object: ApiObject = {
      apiVersion: 'crd.h.mbcas.io/v1',
      kind: 'Wrong',
      metadata,
      status: { a: 1 },
    }
    assert.equal(type?.strategy.prepareCreate?.(object, at).status, undefined)
    const old = { ...object, status: { a: 2 } }
    assert.deepEqual(type?.strategy.prepareUpdate?.(object, old, update).status, { a: 2 })
    const written = { ...update, subresource: 'status' } as const
    assert.deepEqual(type?.strategy.prepareUpdate?.(object, old, written).status, { a: 1 })
  })

  void test('a deprecated version names the one to use instead, or says what it was told', () => {
    const crd = made()
    const { spec } = asDefinition(crd)
    const versions = [
      { name: 'v1alpha1', served: true, deprecated: true },
      { name: 'v1beta1', served: true, deprecated: true, deprecationWarning: 'soon gone' },
      { name: 'v1', served: true },
    ]
    assert.deepEqual(
      typesOf({ ...crd, spec: { ...spec, versions } }).map((type) => type.deprecationWarning),
      [
        `${spec?.group}/v1alpha1 Wrong is deprecated; use ${spec?.group}/v1 Wrong`,
        'soon gone',
        undefined,
      ],
    )
  })
})

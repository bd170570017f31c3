import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { structural } from '../../scripts/crd.ts'
import { emptyColumns, faults, readCrd, rootOf } from '../../test/crds.ts'
import { each } from '../../test/each.ts'
import { podAllocationSpec } from './pod-allocation-spec.ts'
import { millicoresIn, podAllocations } from './pod-allocation.ts'

const crd = readCrd('podallocations.allocation.mbcas.io')
const version = crd.spec.versions[0]

void describe('apis/pod-allocation', () => {
  void test('the definition is structural, bounded and described', () => {
    assert.deepEqual(faults(rootOf(crd), ''), [])
  })

  void test('the definition has the names that the client uses', () => {
    assert.equal(crd.metadata.name, `${podAllocations.plural}.${podAllocations.group}`)
    assert.deepEqual(crd.spec.names.shortNames, ['pa'])
    assert.equal(crd.spec.names.kind, podAllocations.kind)
    assert.equal(version?.name, podAllocations.version)
    assert.deepEqual(version.subresources, { status: {} })
  })

  void test('every column shows a field that exists', () => {
    const columns = version?.additionalPrinterColumns ?? []
    const usual = columns.slice(0, 6).map(({ name }) => name)
    assert.deepEqual(usual, ['Pod', 'Request', 'Limit', 'Phase', 'Price', 'Age'])
    assert.deepEqual(emptyColumns(crd), [])
  })

  each(
    [
      { name: 'urgency is normal unless said', given: { podName: 'a' }, urgency: 'normal' },
      {
        name: 'urgency is kept',
        given: { podName: 'a', urgency: 'guardrail' },
        urgency: 'guardrail',
      },
    ],
    ({ given, urgency }) => assert.equal(v.parse(podAllocationSpec, given).urgency, urgency),
  )

  each(
    [
      { name: 'a bare number counts CPUs', quantity: 2, gives: 2000 },
      { name: 'so does a numeral', quantity: '1.5', gives: 1500 },
      { name: 'millicores', quantity: '250m', gives: 250 },
    ],
    ({ quantity, gives }) => assert.equal(millicoresIn(quantity), gives),
  )

  each(
    [
      { name: 'a reference to null is refused', schema: v.nullable(v.string()) },
      { name: 'a choice of shapes is refused', schema: v.union([v.string(), v.boolean()]) },
      { name: 'an open record is refused', schema: v.record(v.string(), v.string()) },
    ],
    ({ schema }) => assert.throws(() => structural(schema), /generating a CRD: expected/),
  )

  each(
    [
      { name: 'a fault is found: no type', schema: { description: 'x' } },
      { name: 'a fault is found: oneOf', schema: { type: 'object', description: 'x', oneOf: [] } },
      { name: 'a fault is found: unbounded', schema: { type: 'string', description: 'x' } },
      { name: 'a fault is found: undescribed', schema: { type: 'integer' } },
    ],
    ({ schema }) => assert.equal(faults(schema, '.x').length, 1),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { emptyColumns, faults, fieldAt, readCrd, rootOf } from '../../test/crds.ts'
import { each } from '../../test/each.ts'
import { nodeMarketStatus } from './node-market-status.ts'
import { nodeMarkets } from './node-market.ts'

const crd = readCrd('nodemarkets.allocation.mbcas.io')
const version = crd.spec.versions[0]

const cpu = {
  name: 'cpu',
  mode: 'congested',
  mechanism: 'nash',
  allocatable: '4',
  reserve: '400m',
  held: '350m',
  capacity: '3250m',
  sold: '3250m',
  unsold: 0,
  price: 0.002,
  nashProductLog: 18.25,
  pods: 12,
  unmanagedPods: 4,
  clearedAt: '2026-11-16T04:00:00Z',
}

void describe('apis/node-market', () => {
  void test('the definition is structural, bounded and described', () => {
    assert.deepEqual(faults(rootOf(crd), ''), [])
  })

  void test('the definition has the names that the client uses', () => {
    assert.equal(crd.metadata.name, `${nodeMarkets.plural}.${nodeMarkets.group}`)
    assert.equal(crd.spec.scope, 'Cluster')
    assert.deepEqual(crd.spec.names.shortNames, ['nm'])
    assert.deepEqual(crd.spec.names.categories, ['mbcas'])
    assert.equal(crd.spec.names.kind, nodeMarkets.kind)
    assert.equal(version?.name, nodeMarkets.version)
  })

  void test('one write creates and changes it: the status is no subresource, and must be there', () => {
    assert.equal(version?.subresources, undefined)
    assert.deepEqual(rootOf(crd)['required'], ['status'])
  })

  void test('every column shows a field that exists', () => {
    const usual = (version?.additionalPrinterColumns ?? []).slice(0, 7).map(({ name }) => name)
    const wanted = ['Mode', 'Capacity', 'Sold', 'Unsold', 'Price', 'Pods', 'Cleared']
    assert.deepEqual(usual, wanted)
    assert.deepEqual(emptyColumns(crd), [])
  })

  each(
    [
      { name: 'a market in full', given: cpu, ok: true },
      { name: 'without a price, which is none', given: { ...cpu, price: undefined }, ok: true },
      { name: 'another mechanism', given: { ...cpu, mechanism: 'primal-dual' }, ok: true },
      { name: 'an unknown mode', given: { ...cpu, mode: 'calm' }, ok: false },
      { name: 'without a time', given: { ...cpu, clearedAt: undefined }, ok: false },
      { name: 'half a pod', given: { ...cpu, pods: 1.5 }, ok: false },
    ],
    ({ given, ok }) =>
      assert.equal(v.safeParse(nodeMarketStatus, { resources: [given] }).success, ok),
  )

  each(
    [
      { name: 'millicores are an amount', text: '3250m', ok: true },
      { name: 'memory is', text: '1.5Gi', ok: true },
      { name: 'a debt is none', text: '-1', ok: false },
      { name: 'a word is none', text: 'much', ok: false },
    ],
    ({ text, ok }) => {
      const field = fieldAt(rootOf(crd), '.status.resources[0].sold')
      assert.equal(new RegExp(String(field?.['pattern'])).test(text), ok)
    },
  )
})

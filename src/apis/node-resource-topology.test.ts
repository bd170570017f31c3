import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { emptyColumns, faults, readCrd, rootOf } from '../../test/crds.ts'
import { each } from '../../test/each.ts'
import { nodeResourceTopologies, nodeResourceTopologyFields } from './node-resource-topology.ts'

const { group, plural, kind, version } = nodeResourceTopologies
const crd = readCrd(`${plural}.${group}`)

/** As node feature discovery writes it. */
const others = {
  topologyPolicies: ['SingleNUMANodeContainerLevel'],
  attributes: [{ name: 'topologyManagerPolicy', value: 'single-numa-node' }],
  zones: [
    {
      name: 'node-0',
      type: 'Node',
      costs: [{ name: 'node-0', value: 10 }],
      resources: [{ name: 'cpu', capacity: 20, allocatable: '16', available: '10' }],
    },
  ],
}

void describe('apis/node-resource-topology', () => {
  void test('the definition is structural and described, and takes what others may write', () => {
    const found = faults(rootOf(crd), '')
    // Theirs knows no bounds and no keys.
    const narrower = /: (no maxLength|no maxItems|neither a list by key nor a set)$/
    assert.deepEqual(
      found.filter((fault) => !narrower.test(fault)),
      [],
    )
  })

  void test('the definition has the names that the client and others use', () => {
    assert.equal(crd.metadata.name, 'noderesourcetopologies.topology.node.k8s.io')
    assert.equal(crd.spec.scope, 'Cluster')
    assert.equal(crd.spec.names.kind, kind)
    assert.deepEqual(crd.spec.names.shortNames, ['node-res-topo'])
    assert.equal(crd.spec.versions[0]?.name, version)
  })

  void test('every column shows a field that exists', () => {
    assert.deepEqual(emptyColumns(crd), [])
  })

  each(
    [
      { name: 'what others write is one', given: others, ok: true },
      { name: 'without attributes', given: { ...others, attributes: undefined }, ok: true },
      { name: 'not without zones', given: { ...others, zones: undefined }, ok: false },
      { name: 'not half a CPU as a number', given: { ...others, zones: [half()] }, ok: false },
    ],
    ({ given, ok }) =>
      assert.equal(v.safeParse(v.object(nodeResourceTopologyFields), given).success, ok),
  )
})

function half() {
  const cpu = { name: 'cpu', capacity: 0.5, allocatable: 0, available: 0 }
  return { name: 'node-0', type: 'Node', resources: [cpu] }
}

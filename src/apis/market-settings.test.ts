import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { emptyColumns, faults, readCrd, rootOf } from '../../test/crds.ts'
import { each } from '../../test/each.ts'
import { marketSettings, narrower, whyOutside } from './market-settings.ts'
import { modes } from './owner-words.ts'

const crd = readCrd('marketsettings.allocation.mbcas.io')

void describe('apis/market-settings', () => {
  void test('the definition is structural, bounded and described, of the whole cluster', () => {
    assert.deepEqual(faults(rootOf(crd), ''), [])
    assert.deepEqual(emptyColumns(crd), [])
    assert.equal(crd.metadata.name, `${marketSettings.plural}.${marketSettings.group}`)
    assert.equal(crd.spec.scope, 'Cluster')
    assert.equal(crd.spec.versions[0]?.subresources, undefined)
  })

  void test('of two modes the narrower holds', () => {
    const pairs = modes.flatMap((a) => modes.map((b) => narrower(a, b)))
    assert.deepEqual(pairs.join(' '), 'off off off off recommend recommend off recommend auto')
  })

  const settings = { mode: 'recommend', excludedNamespaces: new Set(['bank']) } as const
  each(
    [
      { name: 'a namespace takes part', namespace: 'shop', why: /^undefined$/ },
      {
        name: 'an excluded one does not',
        namespace: 'bank',
        why: /MarketSettings cluster excludes/,
      },
      { name: 'one of the system never does', namespace: 'kube-system', why: /system namespace/ },
    ],
    ({ namespace, why }) => assert.match(String(whyOutside(namespace, settings)), why),
  )
})

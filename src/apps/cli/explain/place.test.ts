import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import { placeOf } from './place.ts'

const of = (given: string, namespace?: string) =>
  placeOf('explaining a pod', given, { namespace, usual: 'home' })

void describe('where an object is', () => {
  each(
    [
      { name: 'NAMESPACE/NAME', given: 'shop/web', is: 'shop/web' },
      { name: 'NAME and -n', given: 'web', namespace: 'shop', is: 'shop/web' },
      { name: 'NAME alone, in the namespace of the context', given: 'web', is: 'home/web' },
      { name: 'both, and they agree', given: 'shop/web', namespace: 'shop', is: 'shop/web' },
    ],
    ({ given, namespace, is }) => {
      const place = of(given, namespace)
      assert.equal(`${place.namespace}/${place.name}`, is)
    },
  )

  each(
    [
      { name: 'nothing', given: '', says: /expected NAMESPACE\/NAME, or NAME and -n .*, got ""$/ },
      { name: 'no name', given: 'shop/', says: /got "shop\/"$/ },
      { name: 'no namespace', given: '/web', says: /got "\/web"$/ },
      { name: 'too much', given: 'a/b/c', says: /got "a\/b\/c"$/ },
      {
        name: 'two namespaces',
        given: 'shop/web',
        namespace: 'home',
        says: /expected one namespace, got shop in "shop\/web" and home from -n; leave one out$/,
      },
    ],
    ({ given, namespace, says }) => assert.throws(() => of(given, namespace), says),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import type { KubeObject } from '../apis/object.ts'
import { isOlder } from './store-version.ts'
import { keyOf, Store } from './store.ts'

type Thing = KubeObject & { readonly color: string; readonly bulk: string }
type Kept = { readonly name: string; readonly color: string }

/** `a@3` is object a at version 3; `a/u2@3` is another object of the same name. */
function thing(text: string, color = 'red'): Thing {
  const [, name = '', uid = 'u1', resourceVersion = ''] =
    /^([a-z]+)(?:\/(\w+))?@(\w+)$/.exec(text) ?? []
  return { metadata: { namespace: 'ns', name, uid, resourceVersion }, color, bulk: 'much' }
}

function shop() {
  const told: string[] = []
  const store = new Store<Thing, Kept, 'color'>({
    project: ({ metadata: { name = '', resourceVersion }, color }) => {
      if (color === 'unreadable') throw new Error('cannot be read')
      return { name: `${name}@${resourceVersion}`, color }
    },
    indexes: { color: ({ color }) => color.split('+') },
    tell: (change) => {
      const before = 'before' in change ? change.before.name : ''
      const now = 'now' in change ? change.now.name : ''
      told.push(`${change.type} ${before}>${now}`)
    },
  })
  const set = (object: Thing) => store.set(keyOf(object), store.entryOf(object))
  const replace = (objects: readonly Thing[], rolledBack = false) =>
    store.replace(new Map(objects.map((o) => [keyOf(o), store.entryOf(o)])), { rolledBack })
  const remove = (text: string) =>
    store.remove(keyOf(thing(text)), thing(text).metadata.resourceVersion ?? '')
  const names = () =>
    store
      .list()
      .map(({ name }) => name)
      .toSorted()
  const colored = (color: string) => store.byIndex('color', color).map(({ name }) => name)
  return { store, told, set, replace, remove, names, colored }
}

void describe('store', () => {
  each(
    [
      { name: 'a new object is added', given: [], set: 'a@2', told: ['added >a@2'] },
      { name: 'a newer version updates', given: ['a@2'], set: 'a@10', told: ['updated a@2>a@10'] },
      { name: 'the same version says nothing', given: ['a@2'], set: 'a@2', told: [] },
      { name: 'an older version is not applied', given: ['a@10'], set: 'a@9', told: [] },
      { name: 'versions without order follow the watch', given: ['a@x9'], set: 'a@x1' },
      { name: 'one decimal version has no order either', given: ['a@9'], set: 'a@x1' },
      {
        name: 'another uid of the same name is a deletion and an addition',
        given: ['a/u1@2'],
        set: 'a/u2@3',
        told: ['deleted a@2>', 'added >a@3'],
      },
      {
        name: 'an older uid of the same name stays gone',
        given: ['a/u2@3'],
        set: 'a/u1@2',
        told: [],
      },
    ],
    ({ given, set, told }) => {
      const shopped = shop()
      for (const text of given) shopped.set(thing(text))
      shopped.told.length = 0
      shopped.set(thing(set))
      assert.deepEqual(shopped.told, told ?? [`updated ${given[0]}>${set}`])
    },
  )

  each(
    [
      { name: 'a deletion deletes', remove: 'a@6', told: ['deleted a@5>'] },
      { name: 'a deletion at the version held deletes', remove: 'a@5', told: ['deleted a@5>'] },
      { name: 'an older deletion is not applied', remove: 'a@4', told: [] },
      { name: 'a deletion of what is unknown says nothing', remove: 'b@6', told: [] },
    ],
    ({ remove, told }) => {
      const shopped = shop()
      shopped.set(thing('a@5'))
      shopped.told.length = 0
      shopped.remove(remove)
      assert.deepEqual(shopped.told, told)
    },
  )

  void test('a list deletes what it lacks, tells what changed, and is silent about the rest', () => {
    const { told, set, replace, names } = shop()
    for (const text of ['same@1', 'gone@2', 'changed@3', 'reborn/u1@4', 'newer@9']) set(thing(text))
    told.length = 0
    replace(['new@8', 'same@1', 'changed@7', 'reborn/u2@6', 'newer@5'].map((text) => thing(text)))
    assert.deepEqual(told, [
      'deleted gone@2>',
      'added >new@8',
      'updated changed@3>changed@7',
      'deleted reborn@4>',
      'added >reborn@6',
    ])
    assert.deepEqual(names(), ['changed@7', 'new@8', 'newer@9', 'reborn@6', 'same@1'])
  })

  void test('after a roll-back of the server its older versions count', () => {
    const { told, set, replace, names } = shop()
    for (const text of ['a@9', 'b@2']) set(thing(text))
    told.length = 0
    replace(
      ['a@5', 'b@2'].map((text) => thing(text)),
      true,
    )
    assert.deepEqual(told, ['updated a@9>a@5'])
    assert.deepEqual(names(), ['a@5', 'b@2'])
  })

  void test('an index follows every change', () => {
    const { set, remove, colored, store } = shop()
    set(thing('a@1', 'red+blue'))
    set(thing('b@2', 'red'))
    assert.deepEqual([colored('red'), colored('blue')], [['a@1', 'b@2'], ['a@1']])
    set(thing('a@3', 'blue+green'))
    assert.deepEqual(
      [colored('red'), colored('blue'), colored('green')],
      [['b@2'], ['a@3'], ['a@3']],
    )
    set(thing('a/u2@4', 'green'))
    assert.deepEqual([colored('blue'), colored('green')], [[], ['a@4']])
    remove('a@5')
    assert.deepEqual([colored('green'), store.size], [[], 1])
  })

  void test('only the projection is held', () => {
    const { set, store } = shop()
    set(thing('a@1'))
    assert.deepEqual(store.get('ns/a'), { name: 'a@1', color: 'red' })
    assert.equal(store.get('ns/b'), undefined)
  })

  void test('an object that cannot be projected changes nothing', () => {
    const { set, names, told } = shop()
    assert.throws(() => set(thing('a@1', 'unreadable')), /cannot be read/)
    assert.deepEqual([names(), told], [[], []])
  })

  void test('a change is in the store before it is told', () => {
    const seen: (number | undefined)[] = []
    const store = new Store<KubeObject, number, 'all'>({
      project: ({ metadata }) => Number(metadata.resourceVersion),
      indexes: { all: () => ['all'] },
      tell: () => seen.push(store.get('a'), store.byIndex('all', 'all').length),
    })
    const at = (resourceVersion: string) =>
      store.set('a', store.entryOf({ metadata: { name: 'a', uid: 'u', resourceVersion } }))
    at('1')
    at('2')
    store.remove('a', '3')
    assert.deepEqual(seen, [1, 1, 2, 1, undefined, 0])
  })

  each(
    [
      { name: '9 is older than 10', a: '9', b: '10', older: true },
      { name: '10 is not older than 9', a: '10', b: '9', older: false },
      { name: '10 is not older than 10', a: '10', b: '10', older: false },
      {
        name: 'beyond 64 bits',
        a: '18446744073709551616',
        b: '18446744073709551617',
        older: true,
      },
      { name: 'zero is no version', a: '0', b: '10', older: false },
      { name: 'a leading zero is no version', a: '01', b: '10', older: false },
      { name: 'no version at all', a: '', b: '10', older: false },
    ],
    ({ a, b, older }) => assert.equal(isOlder(a, b), older),
  )
})

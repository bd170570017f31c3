import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { type Address, goTo, home, type Place, readAddress, writeAddress } from './address.ts'
import { ranges, type RangeName } from './time.ts'

const word = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !/^\/|\/$/.test(text))
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom<Place>({ view: 'cluster' }, { view: 'events' }, { view: 'comparison' }),
  fc.record({ view: fc.constant('node' as const), name: word }, { noNullPrototype: true }),
  fc
    .tuple(fc.stringMatching(/^[a-z0-9-]{1,9}$/), fc.stringMatching(/^[a-z0-9.-]{1,9}$/))
    .map(([namespace, name]) => ({ view: 'pod' as const, key: `${namespace}/${name}` })),
)
const address: fc.Arbitrary<Address> = fc.record(
  {
    place,
    range: fc.constantFrom(...(Object.keys(ranges) as RangeName[])),
    still: fc.option(
      fc.tuple(fc.nat(), fc.integer({ min: 1 })).map(([from, more]) => ({ from, to: from + more })),
      { nil: undefined },
    ),
    moment: fc.option(fc.nat(), { nil: undefined }),
    sort: fc.option(fc.constantFrom('used', '-used'), { nil: undefined }),
    text: fc.option(word, { nil: undefined }),
    only: fc.subarray(['suffering', 'resize', 'warning']),
    bands: fc.constantFrom('held', 'used'),
  },
  { noNullPrototype: true },
)

void describe('the address of the page', () => {
  void test('read again, it is what was written', () => {
    fc.assert(fc.property(address, (a) => assert.deepEqual(readAddress(writeAddress(a)), a)))
  })

  void test('whatever somebody types can be read', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readAddress(text)))
  })

  each(
    [
      { name: 'nothing is the cluster', hash: '', written: '#/' },
      { name: 'an unknown view is the cluster', hash: '#/nonsense/1', written: '#/' },
      { name: 'a pod without a name is the cluster', hash: '#/pod/shop', written: '#/' },
      { name: 'an unknown range is the usual one', hash: '#/?range=9y', written: '#/' },
      {
        name: 'a stretch of time that ends before it starts is none',
        hash: '#/?from=9&to=3',
        written: '#/',
      },
      {
        name: 'what is badly encoded is taken as it is',
        hash: '#/node/%zz',
        written: '#/node/%25zz',
      },
    ],
    ({ hash, written }) => assert.equal(writeAddress(readAddress(hash)), written),
  )

  void test('another place has the same time, and nothing else of the last', () => {
    const still = { from: 1, to: 2 }
    const from: Address = { ...home, range: '1h', still, moment: 1, sort: '-used', text: 'x' }
    assert.equal(writeAddress(goTo(from, { view: 'events' })), '#/events?range=1h&from=1&to=2')
  })
})

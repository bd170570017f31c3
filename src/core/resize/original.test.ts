import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { cpu } from '../../../test/resizes.ts'
import { InvalidInput } from '../errors.ts'
import { formatOriginal, parseOriginal } from './original.ts'

void describe('core/resize/original', () => {
  void test('only what is set is written', () => {
    const spec = [cpu('main', 100, 1500), cpu('log', 50), cpu('idle')]
    assert.equal(
      formatOriginal(spec),
      '{"main":{"request":"100m","limit":"1500m"},"log":{"request":"50m"}}',
    )
  })

  void test('what is written is read again', () => {
    const amount = fc.option(fc.nat(1_000_000), { nil: undefined })
    const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$/)
    const container = fc
      .record({ name, limit: amount, part: fc.nat(100) })
      .map(({ name, limit, part }) =>
        cpu(name, limit === undefined ? part : Math.floor((limit * part) / 100), limit),
      )
    const specs = fc.uniqueArray(container, { maxLength: 4, selector: ({ name }) => name })
    fc.assert(
      fc.property(specs, (spec) => {
        assert.deepEqual(parseOriginal(formatOriginal(spec)), spec)
      }),
    )
  })

  const remedy = '; correct the annotation'
  each(
    [
      { name: 'no JSON', text: 'main=100m', says: 'expected JSON, got "main=100m"' },
      { name: 'nothing', text: '', says: 'expected JSON, got ""' },
      { name: 'a list', text: '[]', says: 'expected an object of containers by name, got []' },
      {
        name: 'an amount for a container',
        text: '{"main":"100m"}',
        says: 'expected an object of request and limit of main, got "100m"',
      },
      {
        name: 'another key',
        text: '{"main":{"requests":"1"}}',
        says: 'expected request or limit of main, got "requests"',
      },
      {
        name: 'no quantity',
        text: '{"main":{"limit":"much"}}',
        says: 'expected a limit of main such as "100m", got "much"',
      },
      {
        name: 'no text',
        text: '{"main":{"limit":null}}',
        says: 'expected a limit of main such as "100m", got null',
      },
      {
        name: 'less than nothing',
        text: '{"main":{"request":"-1"}}',
        says: 'expected a request of main such as "100m", got "-1"',
      },
      {
        name: 'a request above its limit',
        text: '{"main":{"request":"2","limit":"1"}}',
        says: 'expected a request of main of at most its limit, 1000m, got "2000m"',
      },
    ],
    ({ text, says }) => {
      const message = `reading the original CPU values: ${says}${remedy}`
      assert.throws(() => parseOriginal(text), new InvalidInput(message))
    },
  )
})

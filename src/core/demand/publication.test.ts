import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { isPublicationDue, type Publication, publicationRules } from './publication.ts'

const question = ({
  published = 400,
  wanted = 400,
  age = 600_000,
  running = 600_000,
  isUrgent = false,
  isAway = false,
}) => ({
  last: { amount: millicores(published), at: millis(1_000_000 - age) },
  wanted: millicores(wanted),
  isUrgent,
  startedAt: millis(1_000_000 - running),
  at: millis(1_000_000),
  isAway,
})

void describe('publishing', () => {
  each(
    [
      { name: 'not within 2 %', of: { wanted: 405 }, gives: false },
      {
        name: 'not the same of nothing',
        of: { published: 0, wanted: 0 },
        gives: false,
      },
      {
        name: 'a raise',
        of: { wanted: 500 },
        gives: true,
      },
      {
        name: 'a decrease',
        of: { wanted: 300 },
        gives: true,
      },
      {
        name: 'no raise within the minute',
        of: { wanted: 500, age: 5000 },
        gives: false,
      },
      {
        name: 'an urgent raise at once',
        of: { wanted: 600, age: 5000, isUrgent: true },
        gives: true,
      },
      {
        name: 'no decrease at once, urgent or not',
        of: { wanted: 300, age: 5000, isUrgent: true },
        gives: false,
      },
      {
        name: 'no decrease of a pod that started lately',
        of: { wanted: 300, running: 80_000 },
        gives: false,
      },
      {
        name: 'but a raise of it',
        of: { wanted: 500, running: 80_000 },
        gives: true,
      },
      {
        name: 'no decrease while the API is away',
        of: { wanted: 300, isAway: true },
        gives: false,
      },
      {
        name: 'after a clock that stepped back',
        of: { wanted: 300, age: -3_600_000, running: -3_600_000 },
        gives: true,
      },
    ],
    ({ of, gives }) => assert.equal(isPublicationDue(question(of)), gives),
  )

  void test('whatever is wanted, at most once a minute unless urgent', () => {
    const turn = fc.record({
      wanted: fc.integer({ min: 1, max: 4000 }),
      isUrgent: fc.boolean(),
      after: fc.integer({ min: 100, max: 20_000 }),
    })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 200 }), (turns) => {
        let last: Publication = { amount: millicores(1), at: millis(0) }
        let at = 0
        for (const { wanted, isUrgent, after } of turns) {
          at += after
          if (!isPublicationDue({ ...question({ wanted, isUrgent }), last, at: millis(at) }))
            continue
          const isEarly = at - last.at < publicationRules.dwellMillis
          assert.ok(!isEarly || (isUrgent && wanted > last.amount))
          last = { amount: millicores(wanted), at: millis(at) }
        }
      }),
    )
  })
})

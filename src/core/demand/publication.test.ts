import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { decidePublication, type Publication, publicationRules } from './publication.ts'

const question = ({
  published = 400,
  wanted = 400,
  age = 600_000,
  running = 600_000,
  isUrgent = false,
  blocked = undefined as string | undefined,
}) => ({
  last: { amount: millicores(published), at: millis(1_000_000 - age) },
  wanted: millicores(wanted),
  isUrgent,
  startedAt: millis(1_000_000 - running),
  at: millis(1_000_000),
  blocked,
})

void describe('publishing', () => {
  each(
    [
      { name: 'not within 2 %', of: { wanted: 405 }, gives: false, says: /405m is within 2 %/ },
      {
        name: 'not the same of nothing',
        of: { published: 0, wanted: 0 },
        gives: false,
        says: /0m/,
      },
      {
        name: 'a raise',
        of: { wanted: 500 },
        gives: true,
        says: /^raised from 400m to 500m$/,
      },
      {
        name: 'a decrease',
        of: { wanted: 300 },
        gives: true,
        says: /^lowered from 400m to 300m$/,
      },
      {
        name: 'no raise within the minute',
        of: { wanted: 500, age: 5000 },
        gives: false,
        says: /55 s until/,
      },
      {
        name: 'an urgent raise at once',
        of: { wanted: 600, age: 5000, isUrgent: true },
        gives: true,
        says: /at once/,
      },
      {
        name: 'no decrease at once, urgent or not',
        of: { wanted: 300, age: 5000, isUrgent: true },
        gives: false,
        says: /until the next change/,
      },
      {
        name: 'no decrease of a pod that started lately',
        of: { wanted: 300, running: 80_000 },
        gives: false,
        says: /it started lately; not lowered for 10 s/,
      },
      {
        name: 'but a raise of it',
        of: { wanted: 500, running: 80_000 },
        gives: true,
        says: /raised/,
      },
      {
        name: 'no decrease that the guardrail blocks',
        of: { wanted: 300, blocked: 'it suffers' },
        gives: false,
        says: /it suffers/,
      },
      {
        name: 'after a clock that stepped back',
        of: { wanted: 300, age: -3_600_000, running: -3_600_000 },
        gives: true,
        says: /lowered/,
      },
    ],
    ({ of, gives, says }) => {
      const { publish, reason } = decidePublication(question(of))
      assert.equal(publish, gives)
      assert.match(reason, says)
    },
  )

  void test('the first time', () => {
    assert.equal(decidePublication({ ...question({}), last: undefined }).publish, true)
  })

  void test('whatever is wanted, at most once a minute unless urgent', () => {
    const turn = fc.record({
      wanted: fc.integer({ min: 1, max: 4000 }),
      isUrgent: fc.boolean(),
      after: fc.integer({ min: 100, max: 20_000 }),
    })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 200 }), (turns) => {
        let last: Publication | undefined
        let at = 0
        for (const { wanted, isUrgent, after } of turns) {
          at += after
          const asked = { ...question({ wanted, isUrgent }), last, at: millis(at) }
          if (!decidePublication(asked).publish) continue
          const isEarly = last !== undefined && at - last.at < publicationRules.dwellMillis
          assert.ok(!isEarly || (isUrgent && wanted > (last?.amount ?? 0)))
          last = { amount: millicores(wanted), at: millis(at) }
        }
      }),
    )
  })
})

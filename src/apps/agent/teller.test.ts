import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { charge as chargeWith, type ChargeGiven } from '../../../test/charges.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { publicationRules } from '../../core/demand/publication.ts'
import { millicores, type Millis } from '../../core/units.ts'
import type { Change } from './highlights.ts'
import type { Outcome, Publisher } from './publisher.ts'
import { createTeller } from './teller.ts'

const HOUR = 3_600_000

type Amounts = { readonly request?: number; readonly limit?: number }

/** A pod whose 1000m of 4000m were told, long after its start. */
async function scene(given: ChargeGiven = {}) {
  const clock = manualClock()
  const published: string[] = []
  const changes: Change[] = []
  let [by, isAway]: [number, boolean] = [0, false]
  let answer: Outcome = 'written'
  const publisher: Partial<Publisher> = {
    isAway: () => isAway,
    publish: async ({ decision: { request, limit }, urgency }) => {
      published.push(`${request} of ${limit}, ${urgency}`)
      return answer
    },
    publishNotes: async () => 'unchanged',
  }
  const teller = createTeller({
    publisher: publisher as Publisher,
    clock: { now: clock.now, wall: () => (clock.wall() + by) as Millis },
    rules: publicationRules,
    onTold: (change) => void changes.push(change),
  })
  const amounts = { request: millicores(1000), limit: millicores(4000) }
  const charge = chargeWith({ ...given, decision: { ...amounts, ...given.decision } })
  const startedAt = clock.now()
  const { signal } = new AbortController()
  const tell = async ({ request = 1000, limit = 4000 }: Amounts = {}) => {
    const amounts = { request: millicores(request), limit: millicores(limit) }
    return teller.inTurn(
      charge,
      { decision: { ...charge.decision, ...amounts }, startedAt },
      signal,
    )
  }
  await clock.advance(HOUR)
  await tell()
  published.length = 0
  return {
    clock,
    charge,
    published,
    changes,
    tell,
    setWall: (step: number) => void (by = step),
    goAway: () => void (isAway = true),
    reply: (outcome: Outcome) => void (answer = outcome),
  }
}

void describe('telling the API', () => {
  each<{ name: string; after: number; now: Amounts; given?: ChargeGiven; told: readonly string[] }>(
    [
      { name: 'what did not change is not told', after: HOUR, now: {}, told: [] },
      { name: 'nor what changed by 1 %', after: HOUR, now: { request: 1010 }, told: [] },
      {
        name: 'a request is told a minute after the last',
        after: 60_000,
        now: { request: 800 },
        told: ['800 of 4000, normal'],
      },
      { name: 'and not before', after: 59_999, now: { request: 800 }, told: [] },
      { name: 'nor a raise: the kernel carries it', after: 5000, now: { request: 2000 }, told: [] },
      {
        name: 'a limit that a LimitRange ties to the request waits with it',
        after: 5000,
        now: { limit: 1600, request: 800 },
        given: { pod: { range: { limitRatio: 2 } } },
        told: [],
      },
      {
        name: 'a share that is too small is told at once, as urgent',
        after: 5000,
        now: { limit: 4500 },
        given: {
          enforcement: 'strict',
          standing: { verdict: { state: 'throttled', slowRatio: undefined } },
        },
        told: ['1000 of 4500, guardrail'],
      },
      {
        name: 'one that is large enough is not',
        after: 5000,
        now: { limit: 4500 },
        given: { enforcement: 'strict' },
        told: [],
      },
    ],
    async ({ after, now, given, told }) => {
      const { clock, tell, published } = await scene(given)
      await clock.advance(after)
      await tell(now)
      assert.deepEqual(published, told)
    },
  )

  each(
    [
      { name: 'goes on when the wall clock is set back by an hour', step: -HOUR },
      { name: 'and waits as long when it is set on', step: HOUR },
    ],
    async ({ step }) => {
      const { clock, tell, published, setWall } = await scene()
      setWall(step)
      await clock.advance(59_000)
      await tell({ request: 800 })
      assert.deepEqual(published, [])
      await clock.advance(1000)
      await tell({ request: 800 })
      assert.deepEqual(published, ['800 of 4000, normal'])
    },
  )

  void test('lowers nothing while the API is away', async () => {
    const { clock, tell, published, goAway } = await scene()
    await clock.advance(HOUR)
    goAway()
    await tell({ request: 800 })
    assert.deepEqual(published, [])
  })

  void test('what could not be written is tried again', async () => {
    const { clock, tell, published, reply } = await scene()
    await clock.advance(HOUR)
    reply('failed')
    await tell({ request: 800 })
    reply('written')
    await tell({ request: 800 })
    await tell({ request: 800 })
    assert.equal(published.length, 2)
  })

  void test('what a person owns is left alone', async () => {
    const { clock, tell, charge, reply } = await scene()
    await clock.advance(HOUR)
    reply('overridden')
    assert.equal(await tell({ request: 800 }), 'overridden')
    assert.equal(charge.isOverridden, true)
  })

  each<{ name: string; given: ChargeGiven; change: string }>(
    [
      { name: 'shows a change of what is promised', given: {}, change: '1000 to 800' },
      {
        name: 'and of a strict pod that of its share',
        given: { enforcement: 'strict' },
        change: '4000 to 3000',
      },
    ],
    async ({ given, change }) => {
      const { clock, tell, changes } = await scene(given)
      await clock.advance(HOUR)
      await tell({ request: 800, limit: 3000 })
      const { from, to } = changes.at(-1) ?? {}
      assert.equal(`${from} to ${to}`, change)
    },
  )
})

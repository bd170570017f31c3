import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import { isInLane } from './lane.ts'
import { scaleOf } from './scale.ts'
import { type Claim, weigh } from './weigh.ts'

const claim = (given: Partial<Claim> = {}): Claim => ({
  entitled: millicores(1000),
  given: millicores(1000),
  credits: -0.25,
  marketCredits: -0.25,
  urgency: 0,
  ...given,
})

void describe('the scale of weights', () => {
  each<{ name: string; claims: readonly Claim[]; scale: number }>(
    [
      { name: 'is 1 where there is nobody', claims: [], scale: 1 },
      { name: 'and where nobody has a target', claims: [claim(), claim()], scale: 1 },
      {
        name: 'and where whoever has one is in a lane',
        claims: [claim({ urgency: 1, credits: 1 }), claim({ urgency: 1, marketCredits: 1 })],
        scale: 1,
      },
      { name: 'takes back what a target adds', claims: [claim({ urgency: 1 })], scale: 1 / 256 },
      {
        name: 'for all alike, beside others',
        claims: [claim({ urgency: 1 }), claim()],
        scale: 1 / 256,
      },
    ],
    ({ claims, scale }) => assert.equal(scaleOf(claims, 256), scale),
  )

  void test('leaves those in no lane at most what they were given, and at least a quarter', () => {
    const amount = fc.integer({ min: 1, max: 64_000 }).map(millicores)
    const credits = fc.double({ min: -0.25, max: 2, noNaN: true })
    const urgency = fc.double({ min: 0, max: 1, noNaN: true })
    const any = fc.record({
      entitled: amount,
      given: amount,
      credits,
      marketCredits: credits,
      urgency,
    })
    fc.assert(
      fc.property(fc.array(any), (claims) => {
        const free = claims.filter(
          ({ credits, marketCredits }) => !isInLane(credits) && !isInLane(marketCredits),
        )
        const given = free.reduce((sum, one) => sum + Math.max(one.given, one.entitled) / 1000, 0)
        const weight = free.reduce((sum, one) => sum + weigh(one, 256), 0) * scaleOf(claims, 256)
        assert.ok(weight <= given * (1 + 1e-6) && weight >= given / 4.001)
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { shareByWeight } from '../../../test/enforcement/weighted-node.ts'
import { conversions, leastShares } from '../cgroup/weight.ts'
import { millicores } from '../units.ts'
import { isInLane, laneFactorFor } from './lane.ts'
import { type ActiveClaim, scaleOf, startScale, stepScale } from './scale.ts'
import { sharesOf, weigh } from './weigh.ts'

const claim = (given: Partial<ActiveClaim> = {}): ActiveClaim => ({
  entitled: millicores(1000),
  given: millicores(1000),
  credits: -0.25,
  marketCredits: -0.25,
  urgency: 0,
  used: millicores(1000),
  ...given,
})

void describe('the scale of weights', () => {
  each<{
    name: string
    claims: readonly ActiveClaim[]
    hasOthers?: boolean
    unit?: number
    leastWeight?: number
    scale: number
  }>(
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
        name: 'not where there is nobody who takes no part',
        claims: [claim({ urgency: 1 })],
        hasOthers: false,
        scale: 1,
      },
      {
        name: 'takes back the lane from who spends what it saved',
        claims: [claim({ credits: 1, used: millicores(1500) })],
        scale: 1 / 256,
      },
      {
        name: 'is that of the kubelet, for pods that take no part',
        claims: [claim({ entitled: millicores(100) })],
        unit: 4,
        scale: 4,
      },
      {
        name: 'is what the kernel takes on a large node',
        claims: [claim({ entitled: millicores(100_000) })],
        hasOthers: false,
        scale: 0.01,
      },
      {
        name: 'for all alike, beside others',
        claims: [claim({ urgency: 1 }), claim()],
        scale: 1 / 256,
      },
    ],
    ({ claims, hasOthers = true, unit = 1, leastWeight = 0, scale }) =>
      assert.equal(scaleOf(claims, { laneFactor: 256, hasOthers, unit, leastWeight }), scale),
  )

  void test('leaves one that wakes beside a hundred tiny pods, each with a target, its own on v2', () => {
    const tiny = millicores(2)
    const greedy = claim({ entitled: tiny, given: tiny, urgency: 1, used: millicores(20) })
    const woken = claim({ credits: 1, used: millicores(900) })
    const claims = [woken, ...Array.from({ length: 100 }, () => greedy)]
    const question = { laneFactor: 256, hasOthers: true, unit: 1 }
    const leastWeight = leastShares.v2 / 1024
    const scale = scaleOf(claims, { ...question, leastWeight })
    const members = claims.map((one) => ({
      weight: conversions.linear(sharesOf(weigh(one, 256) * scale)),
      want: 2,
    }))
    const [used = 0] = shareByWeight(2, members)
    assert.ok(used > 0.99, `${used}`)
    assert.ok(scale > scaleOf(claims, { ...question, leastWeight: leastShares.v1 / 1024 }))
  })

  void test('leaves those that take more than their own at most what they were given', () => {
    const amount = fc.integer({ min: 1, max: 64_000 }).map(millicores)
    const credits = fc.double({ min: -0.25, max: 2, noNaN: true })
    const urgency = fc.double({ min: 0, max: 1, noNaN: true })
    const any = fc.record({
      entitled: amount,
      given: amount,
      credits,
      marketCredits: credits,
      urgency,
      used: amount,
    })
    fc.assert(
      fc.property(fc.array(any), (claims) => {
        const free = claims.filter(
          ({ credits, marketCredits, entitled, given, used }) =>
            !(isInLane(credits) && used <= entitled) &&
            !(isInLane(marketCredits) && used <= Math.max(entitled, given)),
        )
        const given = free.reduce((sum, one) => sum + Math.max(one.given, one.entitled) / 1000, 0)
        const weight = free.reduce((sum, one) => sum + weigh(one, 10), 0)
        const scale = scaleOf(claims, { laneFactor: 10, hasOthers: true, unit: 1, leastWeight: 0 })
        assert.ok(weight * scale <= given * (1 + 1e-6))
      }),
    )
  })

  void test('leaves whoever is in the lane the weight that its kubelet gave it', () => {
    const cores = fc.integer({ min: 200, max: 4000 }).map(millicores)
    fc.assert(
      fc.property(cores, fc.boolean(), (entitled, isUrgent) => {
        const laneFactor = laneFactorFor(entitled / 1000)
        const inLane = claim({ entitled, given: entitled, used: entitled, credits: 1 })
        const spends = claim({ ...inLane, used: millicores(4 * entitled) })
        const takes = claim({ entitled, given: entitled, urgency: isUrgent ? 1 : 0 })
        const question = { laneFactor, hasOthers: true, unit: 1, leastWeight: 0 }
        const scale = scaleOf([inLane, spends, takes], question)
        assert.ok(weigh(inLane, laneFactor) * scale >= (entitled / 1000) * (1 - 1e-9))
      }),
    )
  })
})

void test('a scale falls at once and rises after five seconds', () => {
  const low = stepScale(startScale, 1 / 64, 0.25)
  assert.equal(low.scale, 1 / 64)
  let rising = low
  for (let at = 0; at < 19; at += 1) rising = stepScale(rising, 1, 0.25)
  assert.equal(rising.scale, 1 / 64)
  assert.equal(stepScale(rising, 1, 0.25).scale, 1)
  const again = stepScale(stepScale(rising, 1 / 64, 0.25), 1, 0.25)
  assert.equal(again.scale, 1 / 64)
})

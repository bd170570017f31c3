import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import {
  besideBurstable,
  type Claim,
  isSameWeight,
  sharesOf,
  urgencyOf,
  weigh,
  weighOn,
} from './weigh.ts'

type Amounts = Partial<Record<Exclude<keyof Claim, 'own'>, number>>

const claim = (of: Amounts = {}): Claim => ({
  entitled: millicores(of.entitled ?? 1000),
  given: millicores(of.given ?? 1000),
  credits: of.credits ?? 0,
  marketCredits: of.marketCredits ?? 0,
  urgency: of.urgency ?? 0,
})

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, b)

void describe('the weight of a member', () => {
  each<{ name: string; of: Parameters<typeof claim>[0]; gives: number }>(
    [
      { name: 'in the lane its entitlement counts', of: { given: 3000, credits: 2 }, gives: 256 },
      { name: 'outside it what the clearing gave', of: { given: 3000, credits: -0.5 }, gives: 3 },
      { name: 'outside it at least the entitlement', of: { given: 200 }, gives: 1 },
      { name: 'a target about to be missed counts', of: { given: 1500, urgency: 1 }, gives: 192 },
      { name: 'half of the urgency counts less', of: { urgency: 0.5 }, gives: 64.5 },
      { name: 'so does the second lane', of: { given: 3000, marketCredits: 1 }, gives: 12 },
      {
        name: 'both together for no more than the lane',
        of: { marketCredits: 1, urgency: 1 },
        gives: 256,
      },
      {
        name: 'for no more than its own in the lane, whatever was lent to it',
        of: { given: 30_000, urgency: 1 },
        gives: 256,
      },
      {
        name: 'and for no less than what was lent to it',
        of: { entitled: 10, given: 30_000, urgency: 1 },
        gives: 30,
      },
      { name: 'whoever has nothing weighs nothing', of: { entitled: 0, given: 0 }, gives: 0 },
    ],
    ({ of, gives }) => assert.ok(near(weigh(claim(of), 256), gives), `${weigh(claim(of), 256)}`),
  )

  void describe('of one that yields to a mate with a target', () => {
    const yielding = (cores: number, of: Amounts): Claim => ({
      ...claim(of),
      own: { cores, yields: true },
    })

    each<{ name: string; cores: number; of: Amounts; scale: number; gives: number }>(
      [
        { name: 'is an eighth in the lane', cores: 1, of: { credits: 2 }, scale: 1, gives: 32 },
        { name: 'is the same outside it', cores: 1, of: { given: 3000 }, scale: 1, gives: 3 },
        {
          name: 'is what its kubelet gives it where weights are small for pods that take no part',
          cores: 1,
          of: { credits: 2 },
          scale: 1 / 256,
          gives: 1,
        },
        {
          name: 'is no more by that than without a mate',
          cores: 1,
          of: { credits: 2 },
          scale: 1 / 512,
          gives: 0.5,
        },
        {
          name: 'follows what is left to it',
          cores: 0.125,
          of: { credits: 2 },
          scale: 1 / 256,
          gives: 0.125,
        },
      ],
      ({ cores, of, scale, gives }) => {
        const weight = weighOn(scale, yielding(cores, of), 256)
        assert.ok(near(weight, gives), `${weight}`)
      },
    )
  })

  void test('nobody weighs less for having saved up', () => {
    const amount = fc.integer({ min: 1, max: 64_000 })
    const ratio = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(amount, amount, ratio, ratio, (entitled, given, urgency, credits) => {
        const of = { entitled, given, urgency, marketCredits: credits }
        assert.ok(weigh(claim({ ...of, credits }), 256) >= weigh(claim({ ...of, credits: 0 }), 256))
      }),
    )
  })

  void test('outside the lane no urgency comes before an equal entitlement inside it', () => {
    const amount = fc.integer({ min: 10, max: 64_000 })
    const credits = fc.double({ min: 0.25, max: 2, noNaN: true })
    fc.assert(
      fc.property(amount, credits, (entitled, credits) => {
        const within = weigh(claim({ entitled, given: entitled, credits }), 256)
        const outside = weigh(claim({ entitled, given: entitled, credits: 0, urgency: 1 }), 256)
        assert.ok(within > outside)
      }),
    )
  })
})

void describe('shares of a weight', () => {
  each(
    [
      { name: 'one CPU outside the lane is what a kubelet gives it', weight: 1, gives: 1024 },
      { name: 'the kernel takes no less than 2', weight: 0, gives: 2 },
      { name: 'nor more than 262144', weight: 8000, gives: 262_144 },
    ],
    ({ weight, gives }) => assert.equal(sharesOf(weight), gives),
  )

  each(
    [
      { name: 'equal weights are the same', a: 10, b: 10, same: true },
      { name: 'a tenth more is', a: 10, b: 11, same: true },
      { name: 'a fifth less is not', a: 10, b: 8, same: false },
      { name: 'a grade of the lane is not', a: 10, b: 21.5, same: false },
    ],
    ({ a, b, same }) => assert.deepEqual([isSameWeight(a, b), isSameWeight(b, a)], [same, same]),
  )
})

void describe('urgency', () => {
  each<{ name: string; target: boolean; ratio: number | undefined; gives: number }>(
    [
      { name: 'is none without a target', target: false, ratio: 3, gives: 0 },
      { name: 'is half far from the target', target: true, ratio: 0.5, gives: 0.5 },
      { name: 'grows on the way to it', target: true, ratio: 0.75, gives: 0.75 },
      { name: 'is full where it is reached', target: true, ratio: 1, gives: 1 },
      { name: 'is no more than full', target: true, ratio: 20, gives: 1 },
      { name: 'is full where nobody measures', target: true, ratio: undefined, gives: 1 },
    ],
    ({ target, ratio, gives }) => assert.equal(urgencyOf(target, ratio), gives),
  )
})

void describe('a Guaranteed pod beside the group of burstable pods', () => {
  const inside = { group: 3, weight: 30 }
  each(
    [
      { name: 'is put on the scale of the group', weight: 10, of: inside, gives: 1 },
      {
        name: 'weighs as it is beside nobody who wants CPU',
        weight: 10,
        of: { ...inside, weight: 0 },
        gives: 10,
      },
      {
        name: 'weighs as it is beside pods that request nothing',
        weight: 10,
        of: { ...inside, group: 0 },
        gives: 10,
      },
    ],
    ({ weight, of, gives }) => assert.equal(besideBurstable(weight, of), gives),
  )

  void test('has the ratio to each of them that the weights say', () => {
    const weight = fc.double({ min: 0.01, max: 1000, noNaN: true })
    fc.assert(
      fc.property(weight, weight, weight, (pod, one, other) => {
        const beside = { group: 2.5, weight: one + other }
        // The group weighs 2.5, of which each inside has its part.
        const partOfOne = (2.5 * one) / (one + other)
        assert.ok(near(besideBurstable(pod, beside) / partOfOne, pod / one))
      }),
    )
  })
})

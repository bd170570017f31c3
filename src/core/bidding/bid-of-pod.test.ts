import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, wanting } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { bidOf, ceilingCutOf, floorCutOf } from './bid-of-pod.ts'
import { millicoresUp } from './pod.ts'
import { biddingRules } from './rules.ts'

void describe('a bid', () => {
  const sold = millicores(3600)
  const usual = { id: 'api', floor: 100, need: 460, ceiling: 3600, weight: 1 }
  const around = { sold, entitledRatio: 1, weight: 1, rules: biddingRules }
  const requesting = (request: number) => ({
    containers: [container({ demandCores: 0.4, request: millicores(request) })],
  })
  const min = (minCpu: number) => ({ minCpu: millicores(minCpu) })
  const max = (maxCpu: number) => ({ maxCpu: millicores(maxCpu) })
  each(
    [
      { name: 'needs its demand and 15 %', pod: {}, gives: usual },
      {
        name: 'keeps to the annotations',
        pod: { ...requesting(300), wishes: { ...min(300), ...max(400) } },
        gives: { ...usual, floor: 300, ceiling: 400 },
      },
      {
        name: 'takes the floor where they contradict each other',
        pod: { ...requesting(500), wishes: { ...min(500), ...max(400) } },
        gives: { ...usual, floor: 500, ceiling: 500 },
      },
      {
        name: 'has no floor above what it requested',
        pod: { wishes: min(500) },
        gives: usual,
      },
      {
        name: 'not even the usual one',
        pod: requesting(20),
        gives: { ...usual, floor: 20 },
      },
      {
        name: 'but what the administrator allows its namespace',
        pod: { wishes: min(500), maxMinCpu: millicores(400) },
        gives: { ...usual, floor: 400 },
      },
      {
        name: 'has no floor above its ceiling',
        pod: { wishes: max(50) },
        gives: { ...usual, floor: 50, ceiling: 50 },
      },
    ],
    ({ pod, gives }) => {
      assert.deepEqual(bidOf(wanting('api', 0.4, pod), around), gives)
    },
  )

  each(
    [
      { name: 'less head-room in cost mode', rules: { headroomRatio: 0.05 }, gives: { need: 420 } },
      { name: 'another floor', rules: { floor: millicores(50) }, gives: { floor: 50 } },
      {
        name: 'what the search found, in cost mode',
        rules: { isCostMode: true },
        pod: { leastCpu: millicores(333) },
        gives: { need: 333 },
      },
      { name: 'and only there', pod: { leastCpu: millicores(333) }, gives: {} },
      {
        name: 'with a latency target, what its law allows it',
        pod: { aimedCores: 0.7 },
        gives: { need: 700 },
      },
      { name: 'to twice as much as without', pod: { aimedCores: 3 }, gives: { need: 920 } },
      { name: 'and never less', pod: { aimedCores: 0.2 }, gives: {} },
      {
        name: 'a LimitRange for pods bounds the ceiling',
        pod: { range: { pod: millicores(800) } },
        gives: { ceiling: 800 },
      },
      {
        name: 'one for containers too, and the floor',
        pod: { ...requesting(500), range: { container: millicores(250) }, wishes: min(500) },
        gives: { floor: 250, ceiling: 250 },
      },
      {
        name: 'what it must ask for leaves room in the limit',
        pod: { range: { least: millicores(150) } },
        gives: { floor: 200 },
      },
      {
        name: 'what its kubelet carries out bounds the ceiling, and the floor',
        pod: {
          ...requesting(500),
          wishes: min(500),
          bound: { request: millicores(105), limit: millicores(315), reason: '' },
        },
        gives: { floor: 315, ceiling: 315 },
      },
      {
        name: 'Guaranteed, the floor is what it was created with',
        pod: {
          qosClass: 'Guaranteed' as const,
          containers: [
            container({
              demandCores: 0.4,
              request: millicores(700),
              firstRequest: millicores(300),
            }),
          ],
        },
        gives: { floor: 300 },
      },
      {
        name: 'or, where that is not known, what it has',
        pod: {
          qosClass: 'Guaranteed' as const,
          containers: [container({ demandCores: 0.4, request: millicores(700) })],
        },
        gives: { floor: 700 },
      },
    ],
    ({ rules, pod, gives }) => {
      const bid = bidOf(wanting('api', 0.4, pod), {
        ...around,
        rules: { ...biddingRules, ...rules },
      })
      assert.deepEqual(bid, { ...usual, ...gives })
    },
  )

  void test('of what was requested beyond all that is sold, a floor counts in part', () => {
    const bid = bidOf(wanting('api', 0.4, { ...requesting(400), wishes: min(400) }), {
      ...around,
      entitledRatio: 0.5,
    })
    assert.equal(bid.floor, 200)
  })

  each(
    [
      { name: 'a floor within the request is not cut', pod: { wishes: min(100) }, says: undefined },
      {
        name: 'one above it says so',
        pod: { wishes: min(500) },
        says: 'min-cpu 500m is above the 100m that it requested: counted as 100m',
      },
      {
        name: 'and one above what the namespace allows',
        pod: { wishes: min(500), maxMinCpu: millicores(300) },
        says: 'min-cpu 500m is above the 300m that its namespace allows: counted as 300m',
      },
    ],
    ({ pod, says }) => assert.equal(floorCutOf(wanting('api', 0.4, pod)), says),
  )

  each(
    [
      {
        name: 'a ceiling below a floor that counts in part counts as it is',
        pod: { ...requesting(800), wishes: { ...min(3000), maxCpu: millicores(2000) } },
        bids: [800, 2000],
        says: undefined,
      },
      {
        name: 'one below a floor that counts, as that',
        pod: { ...requesting(800), wishes: { ...min(3000), maxCpu: millicores(500) } },
        bids: [800, 800],
        says: 'max-cpu 500m is below the floor of 800m: counted as 800m',
      },
      {
        name: 'so does one below what a Guaranteed pod was created with',
        pod: {
          ...requesting(800),
          qosClass: 'Guaranteed' as const,
          wishes: { maxCpu: millicores(500) },
        },
        bids: [800, 800],
        says: 'max-cpu 500m is below the floor of 800m: counted as 800m',
      },
      {
        name: 'and one below what a kernel can enforce',
        pod: { wishes: { maxCpu: millicores(1) } },
        bids: [10, 10],
        says: 'max-cpu 1m is below the floor of 10m: counted as 10m',
      },
    ],
    ({ pod, bids, says }) => {
      const bidder = wanting('api', 0.4, pod)
      const bid = bidOf(bidder, { ...around, sold: millicores(4000) })
      assert.deepEqual([bid.floor, bid.ceiling], bids)
      assert.equal(ceilingCutOf(bidder, bid), says)
    },
  )

  void test('0.3 cores are 300m, although 0.1 + 0.2 is more', () => {
    assert.equal(millicoresUp(0.1 + 0.2), 300)
    assert.equal(millicoresUp(0.3001), 301)
  })
})

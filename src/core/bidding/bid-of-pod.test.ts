import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, wanting } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import {
  type AroundBid,
  bidOf as bidWithin,
  ceilingByHandOf,
  ceilingCutOf,
  isStrict,
} from './bid-of-pod.ts'
import { entitlementsOf } from './entitlement.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import { biddingRules } from './rules.ts'

const capacity = millicores(3600)
const around = { capacity, weight: 1, rules: biddingRules, isIdle: false }
/** On a node with room for all that it requested. */
const bidOf = (pod: NodePod, around: Omit<AroundBid, 'entitled'> & Partial<AroundBid>) => {
  const entitled = entitlementsOf([pod], millicores(64_000)).get(pod.uid) ?? millicores(0)
  return bidWithin(pod, { entitled, ...around })
}
const requesting = (request: number) => ({
  containers: [container({ demandCores: 0.4, request: millicores(request) })],
})
const min = (minCpu: number) => ({ minCpu: millicores(minCpu) })
const max = (maxCpu: number) => ({ maxCpu: millicores(maxCpu) })
const bound = { request: millicores(105), limit: millicores(315), reason: '' }

void describe('an elastic bid', () => {
  const usual = { id: 'api', floor: 100, need: 400, ceiling: 3600, weight: 1 }
  each(
    [
      { name: 'needs its demand, and has what it needs of its request', pod: {}, gives: usual },
      {
        name: 'has no floor above its need: the rest of its request is for others until it wakes',
        pod: requesting(500),
        gives: { ...usual, floor: 400 },
      },
      {
        name: 'has the whole of its request, however large, where it needs it',
        pod: requesting(350),
        gives: { ...usual, floor: 350 },
      },
      {
        name: 'has a floor of min-cpu where that is less than the request',
        pod: { ...requesting(300), wishes: min(200) },
        gives: { ...usual, floor: 200 },
      },
      {
        name: 'and of the request where min-cpu is more',
        pod: { wishes: min(300) },
        gives: usual,
      },
      {
        name: 'or of what the administrator allows its namespace',
        pod: { wishes: min(300), maxMinCpu: millicores(250) },
        gives: { ...usual, floor: 250 },
      },
      {
        name: 'is bound by max-cpu, whatever it requested',
        pod: { ...requesting(500), wishes: max(300) },
        gives: { ...usual, floor: 300, ceiling: 300 },
      },
      {
        name: 'also where min-cpu says otherwise',
        pod: { ...requesting(500), wishes: { ...min(500), ...max(300) } },
        gives: { ...usual, floor: 300, ceiling: 300 },
      },
      {
        name: 'is bound by a LimitRange for pods',
        pod: { ...requesting(500), range: { pod: millicores(250) } },
        gives: { ...usual, floor: 250, ceiling: 250 },
      },
      {
        name: 'and by one for containers',
        pod: { ...requesting(500), range: { container: millicores(150) } },
        gives: { ...usual, floor: 150, ceiling: 150 },
      },
      {
        name: 'is not bound by a resize that its kubelet does not carry out: weights need none',
        pod: { ...requesting(500), bound },
        gives: { ...usual, floor: 400 },
      },
      {
        name: 'has no least floor: an idle pod leaves all to others',
        pod: { containers: [container({ demandCores: 0, request: millicores(500) })] },
        gives: { ...usual, floor: 0, need: 0 },
      },
      {
        name: 'needs, with a latency target, what keeps its bursts from waiting',
        pod: { readyCores: 0.7 },
        gives: { ...usual, need: 700 },
      },
      { name: 'up to twice its demand', pod: { readyCores: 3 }, gives: { ...usual, need: 800 } },
      { name: 'and never less than its demand', pod: { readyCores: 0.2 }, gives: usual },
      {
        name: 'of several containers needs what all of them do',
        pod: { containers: [container({ demandCores: 0.2 }), container({ demandCores: 0.3 })] },
        gives: { ...usual, floor: 200, need: 500 },
      },
    ],
    ({ pod, gives }) => assert.deepEqual(bidOf(wanting('api', 0.4, pod), around), gives),
  )

  void test('of requests beyond all there is, a floor counts in part', () => {
    const bid = bidOf(wanting('api', 0.4, requesting(400)), {
      ...around,
      entitled: millicores(200),
    })
    assert.equal(bid.floor, 200)
  })

  void test('while CPU is idle, needs what it uses and nothing that was remembered', () => {
    const containers = [container({ usageCores: 0.15, demandCores: 0.4, request: millicores(300) })]
    const pod = wanting('api', 0.4, { containers, readyCores: 0.7 })
    const { floor, need } = bidOf(pod, { ...around, isIdle: true })
    assert.deepEqual([floor, need], [150, 150])
    const strict = { ...around, isIdle: true, rules: { ...biddingRules, enforcement: 'strict' } }
    assert.equal(bidOf(pod, strict as typeof around).need, 700)
  })
})

void describe('which bids are strict', () => {
  each(
    [
      { name: 'by default none', pod: {}, gives: [false, true] },
      { name: 'who chose it', pod: { enforcement: 'strict' as const }, gives: [true, true] },
      {
        name: 'not who chose elastic',
        pod: { enforcement: 'elastic' as const },
        gives: [false, false],
      },
      {
        name: 'every Guaranteed one: its limit is its request',
        pod: { qosClass: 'Guaranteed' as const, enforcement: 'elastic' as const },
        gives: [true, true],
      },
    ],
    ({ pod, gives }) => {
      const api = wanting('api', 0.4, pod)
      const shown = (['elastic', 'strict'] as const).map((enforcement) =>
        isStrict(api, { enforcement }),
      )
      assert.deepEqual(shown, gives)
    },
  )
})

void describe('the ceiling that a person set', () => {
  const two = [container({ name: 'a' }), container({ name: 'b' })]
  each(
    [
      { name: 'none', pod: {}, gives: undefined },
      { name: 'by max-cpu', pod: { wishes: max(300) }, gives: 300 },
      { name: 'by a LimitRange for pods', pod: { range: { pod: millicores(800) } }, gives: 800 },
      {
        name: 'by one for containers, of all of them',
        pod: { range: { container: millicores(250) }, containers: two },
        gives: 500,
      },
      {
        name: 'by the lowest of all',
        pod: { range: { pod: millicores(800), container: millicores(700) }, wishes: max(900) },
        gives: 700,
      },
      { name: 'not by the kubelet', pod: { bound }, gives: undefined },
    ],
    ({ pod, gives }) => assert.equal(ceilingByHandOf(wanting('api', 0.4, pod)), gives),
  )
})

void describe('a strict bid', () => {
  const strictRules = { ...biddingRules, enforcement: 'strict' as const }
  const strictly = { ...around, rules: strictRules }
  const usual = { id: 'api', floor: 100, need: 460, ceiling: 3600, weight: 1 }
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
        gives: { ...usual, floor: 500, need: 500, ceiling: 500 },
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
      assert.deepEqual(bidOf(wanting('api', 0.4, pod), strictly), gives)
    },
  )

  each(
    [
      { name: 'less head-room in cost mode', rules: { headroomRatio: 0.05 }, gives: { need: 420 } },
      { name: 'another floor', rules: { floor: millicores(50) }, gives: { floor: 50 } },
      {
        name: 'with a latency target, what keeps its bursts from waiting',
        pod: { readyCores: 0.7 },
        gives: { need: 700 },
      },
      { name: 'to twice as much as without', pod: { readyCores: 3 }, gives: { need: 920 } },
      { name: 'and never less', pod: { readyCores: 0.2 }, gives: {} },
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
        pod: { ...requesting(300), range: { least: millicores(150) } },
        gives: { floor: 200 },
      },
      {
        name: 'but no floor is above what was requested',
        pod: { ...requesting(150), range: { least: millicores(150) } },
        gives: { floor: 150 },
      },
      {
        name: 'an idle one needs the smallest limits of its containers',
        pod: {
          containers: [1, 2, 3].map(() => container({ demandCores: 0, request: millicores(1) })),
        },
        gives: { floor: 3, need: 30 },
      },
      {
        name: 'what its kubelet carries out bounds the ceiling, and the floor',
        pod: {
          ...requesting(500),
          wishes: min(500),
          bound,
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
        gives: { floor: 700, need: 700 },
      },
    ],
    ({ rules, pod, gives }) => {
      const bid = bidOf(wanting('api', 0.4, pod), {
        ...around,
        rules: { ...strictRules, ...rules },
      })
      assert.deepEqual(bid, { ...usual, ...gives })
    },
  )

  void test('of requests beyond all that is sold, a floor counts in part', () => {
    const bid = bidOf(wanting('api', 0.4, { ...requesting(400), wishes: min(400) }), {
      ...strictly,
      entitled: millicores(200),
    })
    assert.equal(bid.floor, 200)
  })

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
      const bid = bidOf(bidder, { ...strictly, capacity: millicores(4000) })
      assert.deepEqual([bid.floor, bid.ceiling], bids)
      assert.equal(ceilingCutOf(bidder, bid), says)
    },
  )

  void test('0.3 cores are 300m, although 0.1 + 0.2 is more', () => {
    assert.equal(millicoresUp(0.1 + 0.2), 300)
    assert.equal(millicoresUp(0.3001), 301)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, pod, wanting } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { bidOf } from './bid-of-pod.ts'
import { planNode } from './plan.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import { biddingRules } from './rules.ts'
import { heldBy, whyUnmanaged } from './unmanaged.ts'

void describe('who stays out of the market', () => {
  each(
    [
      { name: 'a usual pod takes part', pod: pod(), says: /^undefined$/ },
      { name: 'opted out', pod: pod({ wishes: { isOptedOut: true } }), says: /mbcas.io\/managed/ },
      { name: 'turned off', pod: pod({ wishes: { isOff: true } }), says: /off by mbcas.io\/mode/ },
      { name: 'of the system', pod: pod({ namespace: 'kube-system' }), says: /kube-system/ },
      { name: 'ours', pod: pod({ namespace: 'mbcas-system' }), says: /system namespace/ },
      { name: 'static', pod: pod({ isStatic: true }), says: /static pod/ },
      { name: 'pending', pod: pod({ phase: 'pending' }), says: /not running yet/ },
      { name: 'terminating', pod: pod({ phase: 'terminating' }), says: /is terminating/ },
      { name: 'finished', pod: pod({ phase: 'finished' }), says: /has finished/ },
      { name: 'Guaranteed', pod: pod({ qosClass: 'Guaranteed' }), says: /Guaranteed/ },
      { name: 'BestEffort', pod: pod({ qosClass: 'BestEffort' }), says: /BestEffort/ },
      { name: 'of pod level', pod: pod({ hasPodResources: true }), says: /pod as a whole/ },
      { name: 'without containers', pod: pod({ containers: [] }), says: /no containers/ },
      {
        name: 'restarted by a resize',
        pod: pod({ containers: [container({ restartsOnResize: true })] }),
        says: /container app restarted/,
      },
      {
        name: 'Guaranteed and opted in, it takes part',
        pod: pod({ qosClass: 'Guaranteed', wishes: { managesGuaranteed: true } }),
        says: /^undefined$/,
      },
      {
        name: 'with CPUs of its own, also when opted in',
        pod: pod({
          qosClass: 'Guaranteed',
          wishes: { managesGuaranteed: true },
          containers: [container({ exclusiveCpus: 2 })],
        }),
        says: /has CPUs of its own for container app/,
      },
      {
        name: 'Guaranteed, opted in, but fixed by the kubelet',
        pod: pod({
          qosClass: 'Guaranteed',
          isFixed: true,
          wishes: { managesGuaranteed: true },
        }),
        says: /static CPU policy/,
      },
      {
        name: 'without a limit on one container, it takes part',
        pod: pod({ containers: [container(), container({ name: 'log', limit: undefined })] }),
        says: /^undefined$/,
      },
      {
        name: 'without request and limit on all',
        pod: pod({ containers: [container({ request: undefined, limit: undefined })] }),
        says: /neither a CPU request nor a CPU limit/,
      },
      {
        name: 'not measured yet',
        pod: pod({ containers: [container({ demandCores: undefined })] }),
        says: /not measured yet: container app/,
      },
    ],
    ({ pod, says }) => assert.match(String(whyUnmanaged(pod, biddingRules)), says),
  )

  each(
    [
      { name: 'holds its request', usage: 0.1, held: 300 },
      { name: 'holds its use when that is more', usage: 0.5, held: 500 },
      { name: 'holds its request before it is measured', usage: undefined, held: 300 },
      { name: 'holds nothing once finished', usage: 0.5, phase: 'finished' as const, held: 0 },
    ],
    ({ usage, phase = 'running' as const, held }) => {
      const one = container({ request: millicores(300), usageCores: usage })
      assert.equal(heldBy(pod({ phase, containers: [one] })), held)
    },
  )

  void test('what the pod as a whole asks for is held, whatever its containers do', () => {
    assert.equal(heldBy(pod({ podRequest: millicores(700) })), 700)
  })

  void test('CPUs of its own count once, though they are its request', () => {
    const one = container({ request: millicores(2000), exclusiveCpus: 2, usageCores: 0.5 })
    assert.equal(heldBy(pod({ containers: [one] })), 2000)
  })
})

void describe('a bid', () => {
  const sold = millicores(3600)
  const usual = { id: 'api', floor: 100, need: 460, ceiling: 3600, weight: 1 }
  const min = (minCpu: number) => ({ minCpu: millicores(minCpu) })
  const max = (maxCpu: number) => ({ maxCpu: millicores(maxCpu) })
  each(
    [
      { name: 'needs its demand and 15 %', pod: {}, gives: usual },
      {
        name: 'weighs by priority and multiplier',
        pod: { priority: 10_000, wishes: { priorityMultiplier: 2 } },
        gives: { ...usual, weight: 4 },
      },
      { name: 'weighs 10 at most', pod: { priority: 2e9 }, gives: { ...usual, weight: 10 } },
      { name: 'and 0.1 at least', pod: { priority: -2e9 }, gives: { ...usual, weight: 0.1 } },
      {
        name: 'keeps to the annotations',
        pod: { wishes: { ...min(300), ...max(400) } },
        gives: { ...usual, floor: 300, ceiling: 400 },
      },
      {
        name: 'takes the floor where they contradict each other',
        pod: { wishes: { ...min(500), ...max(400) } },
        gives: { ...usual, floor: 500, ceiling: 500 },
      },
      {
        name: 'has no floor above its ceiling',
        pod: { wishes: max(50) },
        gives: { ...usual, floor: 50, ceiling: 50 },
      },
    ],
    ({ pod, gives }) => {
      assert.deepEqual(bidOf(wanting('api', 0.4, pod), sold, biddingRules), gives)
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
        name: 'a LimitRange for pods bounds the ceiling',
        pod: { range: { pod: millicores(800) } },
        gives: { ceiling: 800 },
      },
      {
        name: 'one for containers too, and the floor',
        pod: { range: { container: millicores(250) }, wishes: min(500) },
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
      const bid = bidOf(wanting('api', 0.4, pod), sold, { ...biddingRules, ...rules })
      assert.deepEqual(bid, { ...usual, ...gives })
    },
  )

  void test('0.3 cores are 300m, although 0.1 + 0.2 is more', () => {
    assert.equal(millicoresUp(0.1 + 0.2), 300)
    assert.equal(millicoresUp(0.3001), 301)
  })
})

void describe('the plan of a node', () => {
  const show = (capacity: number, pods: readonly NodePod[]) => {
    const { sold, clearing, decisions } = planNode(millicores(capacity), pods)
    const amounts = decisions.map(({ pod, request, limit }) => [pod.name, request, limit])
    return { sold, mode: clearing.mode, amounts }
  }
  const held = pod({ name: 'dns', namespace: 'kube-system' })
  each(
    [
      {
        name: 'a reserve of a tenth and what others hold is not sold',
        pods: [held],
        gives: { sold: 900, mode: 'uncongested', amounts: [] },
      },
      {
        name: 'with enough for all, what is left is head-room in the limits',
        pods: [held, wanting('a', 0.4), wanting('b', 0.05)],
        gives: {
          sold: 900,
          mode: 'uncongested',
          amounts: [
            ['a', 460, 630],
            ['b', 100, 270],
          ],
        },
      },
      {
        name: 'up to the ceilings',
        pods: [wanting('a', 0.4, { wishes: { maxCpu: millicores(500) } })],
        gives: { sold: 1000, mode: 'uncongested', amounts: [['a', 375, 500]] },
      },
      {
        name: 'when it is short, limits are what the market gives',
        pods: [wanting('a', 0.8), wanting('b', 0.8)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 475, 500],
            ['b', 475, 500],
          ],
        },
      },
      {
        name: 'by weight above the floors',
        pods: [wanting('a', 0.9, { priority: 20_000 }), wanting('b', 0.9)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 665, 700],
            ['b', 285, 300],
          ],
        },
      },
      {
        name: 'when not even the floors fit, they are shared',
        pods: ['a', 'b'].map((name) => wanting(name, 0.9, { wishes: { minCpu: millicores(800) } })),
        gives: {
          sold: 1000,
          mode: 'overloaded',
          amounts: [
            ['a', 475, 500],
            ['b', 475, 500],
          ],
        },
      },
    ],
    ({ pods, gives }) => {
      const allocatable = Math.ceil((gives.sold + (pods.includes(held) ? 100 : 0)) / 0.9)
      assert.deepEqual(show(allocatable, pods), gives)
    },
  )

  void test('says why, also of the head-room and of who stays out', () => {
    const { decisions, unmanaged } = planNode(millicores(1000), [wanting('a', 0.4), held])
    assert.equal(
      decisions[0]?.reason,
      'gets its need of 460m in full: there is enough for everyone, and 340m of idle CPU as head-room in its limit',
    )
    assert.deepEqual(
      unmanaged.map(({ pod, reason, held }) => [pod.name, reason, held]),
      [['dns', 'is in the system namespace kube-system', 100]],
    )
  })

  each(
    [
      {
        name: 'in cost mode idle CPU is not lent',
        rules: { isCostMode: true },
        pods: [wanting('a', 0.4), wanting('b', 0.05)],
        gives: [
          ['a', 345, 460],
          ['b', 75, 100],
        ],
      },
      {
        name: 'a Guaranteed pod has one value for both, and no head-room',
        pods: [
          wanting('a', 0.4, { qosClass: 'Guaranteed', wishes: { managesGuaranteed: true } }),
          wanting('b', 0.05),
        ],
        gives: [
          ['a', 460, 460],
          ['b', 100, 540],
        ],
      },
      {
        name: 'without a limit only the request moves, and none is lent',
        pods: [
          pod({ name: 'a', containers: [container({ demandCores: 0.4, limit: undefined })] }),
          wanting('b', 0.05),
        ],
        gives: [
          ['a', 460, undefined],
          ['b', 100, 540],
        ],
      },
      {
        name: 'nor is a limit set when CPU is short: the request is what it bought',
        pods: [
          pod({ name: 'a', containers: [container({ demandCores: 0.9, limit: undefined })] }),
          wanting('b', 0.9),
        ],
        gives: [
          ['a', 500, undefined],
          ['b', 475, 500],
        ],
      },
      {
        name: 'a LimitRange that ties limits to requests leaves little head-room',
        pods: [
          wanting('a', 0.4, { range: { limitRatio: 1.5 } }),
          wanting('b', 0.05, { range: { limitRatio: 1.2 } }),
        ],
        gives: [
          ['a', 460, 690],
          ['b', 100, 120],
        ],
      },
      {
        name: 'and has more promised where there is none',
        pods: [wanting('a', 0.9, { range: { limitRatio: 1.04 } }), wanting('b', 0.9)],
        gives: [
          ['a', 481, 500],
          ['b', 475, 500],
        ],
      },
      {
        name: 'what the kubelet does not carry out is left to others',
        pods: [
          wanting('a', 0.9, {
            bound: { request: millicores(210), limit: millicores(300), reason: '' },
          }),
          wanting('b', 0.9),
        ],
        gives: [
          ['a', 210, 300],
          ['b', 665, 700],
        ],
      },
      {
        name: 'a coalition bids as one and shares by claims',
        pods: [
          wanting('a', 0.2, { wishes: { coalition: 'shop' } }),
          wanting('b', 0.6, { wishes: { coalition: 'shop' } }),
          wanting('c', 0.6),
        ],
        // Floors 100m each leave 700m: 467m to the two for twice the weight, of which b claims more.
        gives: [
          ['a', 156, 165],
          ['b', 476, 502],
          ['c', 316, 333],
        ],
      },
      {
        name: 'pods of other namespaces are no part of it',
        pods: [
          wanting('a', 0.2, { wishes: { coalition: 'shop' } }),
          wanting('b', 0.6, { namespace: 'other', wishes: { coalition: 'shop' } }),
          wanting('c', 0.6),
        ],
        gives: [
          ['a', 218, 230],
          ['b', 365, 385],
          ['c', 365, 385],
        ],
      },
    ],
    ({ rules, pods, gives }) => {
      const plan = planNode(millicores(1000), pods, { ...biddingRules, reserveRatio: 0, ...rules })
      const shown = plan.decisions.map(({ containers }) => containers[0])
      assert.deepEqual(
        plan.decisions.map(({ pod }, i) => [pod.name, shown[i]?.request, shown[i]?.limit]),
        gives,
      )
    },
  )

  void test('tells what the market made of it as a whole', () => {
    const pods = [wanting('a', 0.4), wanting('b', 0.4), held]
    const plan = planNode(millicores(1000), pods)
    assert.deepEqual([plan.reserve, plan.held, plan.sold], [100, 100, 800])
    assert.equal(plan.nashProductLog, Math.log(300) + Math.log(300))
    const greedy = (name: string) => wanting(name, 0.9, { wishes: { minCpu: millicores(800) } })
    const overloaded = planNode(millicores(1000), [greedy('a'), greedy('b')])
    assert.equal(overloaded.nashProductLog, undefined)
  })

  void test('says of a bid that is bound why it is', () => {
    const bound = { request: millicores(100), limit: millicores(200), reason: 'is bound: no room' }
    const { decisions } = planNode(millicores(1000), [wanting('a', 0.4, { bound })])
    assert.match(decisions[0]?.reason ?? '', /^gets its ceiling of 200m, .*; is bound: no room$/)
  })

  void test('says of which coalition a share is', () => {
    const shop = { wishes: { coalition: 'shop' } }
    const { decisions } = planNode(millicores(1000), [
      wanting('a', 0.2, shop),
      wanting('b', 0.1, shop),
    ])
    assert.match(
      decisions[0]?.reason ?? '',
      /^gets 230m, its share in the coalition default\/shop of 2 pods, which gets its need of 345m in full/,
    )
  })

  void test('a pod that would get less than the kernel can enforce keeps what it has', () => {
    const others = pod({
      name: 'dns',
      namespace: 'kube-system',
      containers: [container({ request: millicores(895) })],
    })
    const { decisions, unmanaged } = planNode(millicores(1000), [others, wanting('a', 0.4)])
    assert.deepEqual(decisions, [])
    assert.match(unmanaged[1]?.reason ?? '', /^keeps what it has: it gets 5m of its floor of 100m/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { asking, container, pod, wanting } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import { biddingRules } from './rules.ts'

const strictRules = { ...biddingRules, enforcement: 'strict' as const }

void describe('the plan of a node by quotas', () => {
  const plan = (allocatable: number, pods: readonly NodePod[]) =>
    planNode({ allocatable: millicores(allocatable) }, pods, strictRules)
  const show = (capacity: number, pods: readonly NodePod[]) => {
    const { sold, clearing, decisions } = plan(capacity, pods)
    const amounts = decisions.map(({ pod, request, limit }) => [pod.name, request, limit])
    return { sold, mode: clearing.mode, amounts }
  }
  const held = pod({ name: 'dns', namespace: 'kube-system' })
  /** Allowed a floor of 800m. */
  const greedy = (name: string) =>
    wanting(name, 0.9, { wishes: { minCpu: millicores(800) }, maxMinCpu: millicores(800) })
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
        name: 'no more is promised than is usual',
        pods: [wanting('a', 0.4, { usual: millicores(200) })],
        gives: { sold: 1000, mode: 'uncongested', amounts: [['a', 200, 1000]] },
      },
      {
        name: 'and no less than the floor',
        pods: [wanting('a', 0.4, { usual: millicores(20) })],
        gives: { sold: 1000, mode: 'uncongested', amounts: [['a', 100, 1000]] },
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
        name: 'floors that do not fit count in full for who came first',
        pods: ['a', 'b'].map((name) => greedy(name)),
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 760, 800],
            ['b', 190, 200],
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
    const { decisions, unmanaged } = plan(1000, [wanting('a', 0.4), held])
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
          ['b', 316, 333],
          ['c', 415, 437],
        ],
      },
    ],
    ({ rules, pods, gives }) => {
      const { decisions } = planNode({ allocatable: millicores(1000) }, pods, {
        ...strictRules,
        reserveRatio: 0,
        ...rules,
      })
      const shown = decisions.map(({ containers }) => containers[0])
      assert.deepEqual(
        decisions.map(({ pod }, i) => [pod.name, shown[i]?.request, shown[i]?.limit]),
        gives,
      )
    },
  )

  void test('says what the market made of it as a whole', () => {
    const {
      reserve,
      held: others,
      sold,
      ...whole
    } = plan(1000, [wanting('a', 0.4), wanting('b', 0.4), held])
    assert.deepEqual([reserve, others, sold], [100, 100, 800])
    assert.equal(whole.nashProductLog, 0.1 * Math.log(300) + 0.1 * Math.log(300))
    assert.equal(plan(1000, [greedy('a'), greedy('b')]).nashProductLog, undefined)
  })

  void test('says what the share of its namespace is, where it gets less than it needs', () => {
    const { decisions } = plan(1000, [wanting('a', 0.9), wanting('b', 0.9, { namespace: 'other' })])
    assert.equal(
      decisions[0]?.reason,
      'gets 450m of the 900m it needs: capacity is short, and by what its pods request the share of namespace default is 450m',
    )
  })

  void test('what others use beyond their requests is not taken from what was requested', () => {
    const use = pod({
      name: 'hog',
      qosClass: 'BestEffort',
      containers: [container({ request: undefined, limit: undefined, usageCores: 3.9 })],
    })
    const victim = asking('victim', 3, 2000, { namespace: 'shop' })
    const strict = plan(4000, [use, victim])
    assert.deepEqual([strict.held, strict.sold], [1600, 2000])
    const elastic = planNode({ allocatable: millicores(4000) }, [use, victim])
    assert.deepEqual([elastic.held, elastic.sold], [2000, 2000])
  })

  void test('says of a bid for bursts what they are for', () => {
    const [decision] = plan(2000, [wanting('a', 0.4, { readyCores: 0.6 })]).decisions
    assert.match(decision?.reason ?? '', /; it bids for bursts too, to keep its latency target$/)
    const [plain] = plan(2000, [wanting('a', 0.4, { readyCores: 0.3 })]).decisions
    assert.doesNotMatch(plain?.reason ?? '', /bursts/)
  })

  void test('says of a bid that is bound why it is', () => {
    const bound = { request: millicores(100), limit: millicores(200), reason: 'is bound: no room' }
    const { decisions } = plan(1000, [wanting('a', 0.4, { bound })])
    assert.match(
      decisions[0]?.reason ?? '',
      /^gets its ceiling of 200m, although .*; is bound: no room$/,
    )
  })

  void test('says of which coalition a share is', () => {
    const shop = { wishes: { coalition: 'shop' } }
    const { decisions } = plan(1000, [wanting('a', 0.2, shop), wanting('b', 0.1, shop)])
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
    const { decisions, unmanaged } = plan(1000, [others, wanting('a', 0.4)])
    assert.deepEqual(decisions, [])
    assert.match(
      unmanaged[1]?.reason ?? '',
      /^keeps what it has: it stays at its floor of 5m: .*, and a container's limit is at least 10m$/,
    )
  })

  /** On four CPUs, of which one is reserved for the 100m that the system needs. */
  each(
    [
      { name: 'the pool as it is', pool: 4000, own: 0, sold: 3510, elasticSold: 3900 },
      {
        name: 'CPUs of their own are held once',
        pool: 2000,
        own: 2,
        sold: 1510,
        elasticSold: 1900,
      },
      {
        name: 'a strict reservation leaves less than allocatable',
        pool: 3000,
        own: 0,
        sold: 2700,
        elasticSold: 3000,
      },
      {
        name: 'and less still beside CPUs of their own',
        pool: 1000,
        own: 2,
        sold: 700,
        elasticSold: 1000,
      },
      {
        name: 'CPUs of who has finished are not back yet',
        pool: 2000,
        own: 2,
        phase: 'finished' as const,
        sold: 1800,
        elasticSold: 2000,
      },
      {
        name: "nothing where every CPU is somebody's own",
        pool: 0,
        own: 3,
        sold: 0,
        elasticSold: 0,
      },
      { name: 'nobody knows', pool: undefined, own: 0, sold: 3510, elasticSold: 3900 },
    ],
    ({ pool, own, phase = 'running' as const, sold, elasticSold }) => {
      const request = millicores(own * 1000)
      const containers = [container({ request, limit: request, exclusiveCpus: own, usageCores: 0 })]
      const pinned = own === 0 ? [] : [pod({ phase, qosClass: 'Guaranteed', containers })]
      const shared = pool === undefined ? pool : millicores(pool)
      const capacity = { allocatable: millicores(3900), pool: shared }
      const strict = planNode(capacity, pinned, strictRules)
      assert.deepEqual([strict.allocatable, strict.sold], [3900, sold])
      const elastic = planNode(capacity, pinned)
      assert.equal(elastic.sold, elasticSold)
    },
  )
})

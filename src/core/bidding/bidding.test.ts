import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type Millicores, millicores } from '../units.ts'
import { bidOf } from './bid-of-pod.ts'
import { shareOverContainers } from './container-shares.ts'
import { planNode } from './plan.ts'
import { millicoresUp, type NodePod, type PodContainer, type PodWishes } from './pod.ts'
import { heldBy, whyUnmanaged } from './unmanaged.ts'

const container = (given: Partial<PodContainer> = {}): PodContainer => ({
  name: 'app',
  restartsOnResize: false,
  request: millicores(100),
  limit: millicores(200),
  usageCores: 0.1,
  demandCores: 0.1,
  ...given,
})

type PodGiven = Partial<Omit<NodePod, 'wishes'>> & { readonly wishes?: Partial<PodWishes> }

const pod = ({ wishes, ...given }: PodGiven = {}): NodePod => ({
  uid: given.name ?? 'uid-1',
  namespace: 'default',
  name: 'api',
  phase: 'running',
  qosClass: 'Burstable',
  priority: 0,
  isStatic: false,
  hasPodResources: false,
  containers: [container()],
  ...given,
  wishes: {
    isOptedOut: false,
    minCpu: undefined,
    maxCpu: undefined,
    priorityMultiplier: 1,
    ...wishes,
  },
})

const wanting = (name: string, demandCores: number, given: PodGiven = {}): NodePod =>
  pod({ name, containers: [container({ demandCores })], ...given })

void describe('who stays out of the market', () => {
  each(
    [
      { name: 'a usual pod takes part', pod: pod(), says: /^undefined$/ },
      { name: 'opted out', pod: pod({ wishes: { isOptedOut: true } }), says: /mbcas.io\/managed/ },
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
        name: 'without a limit on one container',
        pod: pod({ containers: [container(), container({ name: 'log', limit: undefined })] }),
        says: /no CPU limit on container log/,
      },
      {
        name: 'not measured yet',
        pod: pod({ containers: [container({ demandCores: undefined })] }),
        says: /not measured yet: container app/,
      },
    ],
    ({ pod, says }) => assert.match(String(whyUnmanaged(pod)), says),
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
    ({ pod, gives }) => assert.deepEqual(bidOf(wanting('api', 0.4, pod), sold), gives),
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

void describe('laws of the plan', () => {
  const cores = fc.oneof(fc.double({ min: 0, max: 8, noNaN: true }), fc.constant(0))
  const some = (max: number) => fc.integer({ min: 1, max }).map(millicores)
  const containers = fc.array(
    fc.record({
      request: fc.option(some(2000), { nil: undefined }),
      limit: fc.option(some(4000), { nil: undefined, freq: 10 }),
      usageCores: fc.option(cores, { nil: undefined, freq: 10 }),
      demandCores: fc.option(cores, { nil: undefined, freq: 10 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  const pods = fc
    .array(
      fc.record({
        containers,
        namespace: fc.constantFrom('a', 'a', 'a', 'kube-system'),
        phase: fc.constantFrom('running', 'running', 'running', 'pending', 'finished'),
        priority: fc.integer({ min: -1e6, max: 1e6 }),
        minCpu: fc.option(some(4000), { nil: undefined }),
        maxCpu: fc.option(some(4000), { nil: undefined }),
        priorityMultiplier: fc.double({ min: 0.001, max: 1000, noNaN: true }),
      }),
      { maxLength: 12 },
    )
    .map((all) =>
      all.map(({ containers, minCpu, maxCpu, priorityMultiplier, ...rest }, i) =>
        pod({
          ...rest,
          name: `p${i}`,
          wishes: { minCpu, maxCpu, priorityMultiplier },
          containers: containers.map((given, c) => container({ ...given, name: `c${c}` })),
        }),
      ),
    )
  const sum = (amounts: readonly Millicores[]) => amounts.reduce((a, b) => a + b, 0)

  void test('limits fit into what is sold, requests below limits, parts sum up, all is told', () => {
    fc.assert(
      fc.property(fc.nat(32_000), pods, (allocatable, pods) => {
        const plan = planNode(millicores(allocatable), pods)
        assert.ok(plan.sold >= 0 && plan.sold <= allocatable * 0.9)
        assert.ok(sum(plan.decisions.map(({ limit }) => limit)) <= plan.sold)
        assert.equal(plan.decisions.length + plan.unmanaged.length, pods.length)
        for (const { pod, request, limit, containers, need, reason } of plan.decisions) {
          assert.equal(containers.length, pod.containers.length)
          assert.equal(sum(containers.map(({ limit }) => limit)), limit)
          assert.equal(sum(containers.map(({ request }) => request)), request)
          assert.ok(request <= Math.max(need, containers.length) && reason !== '')
          for (const { request, limit } of containers) {
            assert.ok(limit >= 10 && request >= 1 && request < limit)
            assert.ok(Number.isSafeInteger(limit) && Number.isSafeInteger(request))
          }
        }
        for (const { reason, held } of plan.unmanaged) assert.ok(reason !== '' && held >= 0)
      }),
      { numRuns: 1000 },
    )
  })

  void test('the order of the pods does not matter', () => {
    fc.assert(
      fc.property(fc.nat(8000), pods, (allocatable, pods) => {
        const plan = planNode(millicores(allocatable), pods)
        assert.deepEqual(planNode(millicores(allocatable), pods.toReversed()), plan)
      }),
    )
  })

  void test('an idle container beside a busy one keeps enough to wake up', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const share = { need: millicores(1150), limit: millicores(1150), requestRatio: 0.75 }
    const [first, second] = shareOverContainers([busy, idle], share)
    assert.deepEqual([first?.limit, second?.limit], [1089, 61])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, asking, container, pod, wanting } from '../../../test/node-pods.ts'
import { millicores, millis } from '../units.ts'
import { entitlementsOf, floorCutOf } from './entitlement.ts'
import { planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import { requestedBy } from './weights.ts'

const requesting = (request: number | undefined, firstRequest?: number) => ({
  containers: [
    container({
      request: request === undefined ? undefined : millicores(request),
      ...(firstRequest === undefined ? {} : { firstRequest: millicores(firstRequest) }),
    }),
  ],
})
const entitlementOf = (one: NodePod): number =>
  entitlementsOf([one], millicores(64_000)).get(one.uid) ?? NaN
const min = (minCpu: number) => ({ minCpu: millicores(minCpu) })

void describe('an entitlement', () => {
  each(
    [
      { name: 'is what was requested', pod: requesting(500), gives: 500 },
      {
        name: 'by all containers',
        pod: { containers: [container(), container({ name: 'b', request: millicores(50) })] },
        gives: 150,
      },
      {
        name: 'as its owner wrote it, not what we made of it',
        pod: requesting(120, 500),
        gives: 500,
      },
      { name: 'next to nothing without a request', pod: requesting(undefined), gives: 2 },
      {
        name: 'is min-cpu where that is less',
        pod: { ...requesting(500), wishes: min(200) },
        gives: 200,
      },
      {
        name: 'and not where it is more: an owner raises it by requesting more',
        pod: { ...requesting(500), wishes: min(800) },
        gives: 500,
      },
      {
        name: 'unless an administrator allows the namespace more',
        pod: { ...requesting(500), wishes: min(800), maxMinCpu: millicores(600) },
        gives: 600,
      },
      {
        name: 'which is no entitlement by itself',
        pod: { ...requesting(500), maxMinCpu: millicores(600) },
        gives: 500,
      },
      {
        name: 'and takes nothing from who requested more',
        pod: { ...requesting(500), wishes: min(800), maxMinCpu: millicores(100) },
        gives: 500,
      },
      {
        name: 'does not grow with demand, priority or multiplier',
        pod: {
          containers: [container({ request: millicores(500), demandCores: 8 })],
          priority: 1e6,
          wishes: { priorityMultiplier: 10 },
        },
        gives: 500,
      },
    ],
    ({ pod: given, gives }) => assert.equal(entitlementOf(pod(given)), gives),
  )

  each(
    [
      {
        name: 'counts in full where all fit',
        requests: [500, 1500],
        room: 2000,
        gives: [500, 1500],
      },
      {
        name: 'in equal parts where they do not',
        requests: [500, 1500],
        room: 1000,
        gives: [250, 750],
      },
      { name: 'for nothing where there is nothing', requests: [500, 1500], room: 0, gives: [0, 0] },
      { name: 'and of nobody for nothing', requests: [], room: 1000, gives: [] },
    ],
    ({ requests, room, gives }) => {
      const pods = requests.map((request, i) => pod({ name: `p${i}`, ...requesting(request) }))
      const entitled = entitlementsOf(pods, millicores(room))
      assert.deepEqual(
        pods.map(({ uid }) => entitled.get(uid)),
        gives,
      )
    },
  )

  each(
    [
      {
        name: 'whose requests were lowered is whole for who came first',
        came: [1, 2],
        gives: [1500, 500],
      },
      { name: 'however they are listed', came: [2, 1], gives: [500, 1500] },
      {
        name: 'and who has not said when it came is last',
        came: [undefined, 2],
        gives: [500, 1500],
      },
    ],
    ({ came, gives }) => {
      const pods = came.map((at, i) =>
        pod({
          name: `p${i}`,
          cameAt: at === undefined ? undefined : millis(at),
          ...requesting(300, 1500),
        }),
      )
      const entitled = entitlementsOf(pods, millicores(2000))
      assert.deepEqual(
        pods.map(({ uid }) => entitled.get(uid)),
        gives,
      )
    },
  )

  void test('together they never exceed what there is, and fill it where they are cut', () => {
    fc.assert(
      fc.property(anyPods, fc.nat(16_000), (pods, room) => {
        const entitled = [...entitlementsOf(pods, millicores(room)).values()]
        const whole = pods.map(entitlementOf)
        const sum = entitled.reduce((all, one) => all + one, 0)
        assert.ok(sum <= room)
        assert.ok(
          sum >=
            Math.min(
              room - pods.length,
              whole.reduce((all, one) => all + one, 0),
            ),
        )
      }),
    )
  })

  void test('without an administrator nobody is entitled to more than it requested', () => {
    fc.assert(
      fc.property(anyPods, (pods) => {
        for (const one of pods) {
          const plain = { ...one, maxMinCpu: undefined }
          assert.ok(entitlementOf(plain) <= requestedBy(one))
          assert.ok(entitlementOf(plain) <= entitlementOf(one))
        }
      }),
    )
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
      {
        name: 'one that the namespace allows says nothing',
        pod: { wishes: min(300), maxMinCpu: millicores(300) },
        says: undefined,
      },
    ],
    ({ pod: given, says }) => assert.equal(floorCutOf(wanting('api', 0.4, given)), says),
  )
})

void test('a pod that no kubelet took, however large, takes nothing of what others are entitled to', () => {
  const managed = asking('api', 0.5, 1000)
  const phantom = pod({
    name: 'phantom',
    phase: 'pending',
    containers: [container({ request: millicores(1_000_000) })],
  })
  const { decisions } = planNode({ allocatable: millicores(2000) }, [managed, phantom])
  assert.equal(decisions[0]?.entitled, 1000)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, container, pod } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import type { NodePod } from './pod.ts'
import { byNamespace, shareOf, weighPods } from './weights.ts'

const asking = (name: string, request: number | undefined, priorityMultiplier = 1, more = {}) =>
  pod({
    name,
    containers: [container({ request: request === undefined ? undefined : millicores(request) })],
    wishes: { priorityMultiplier },
    ...more,
  })

const weightsOf = (pods: readonly NodePod[]) =>
  [...weighPods(pods).values()].map((weight) => Number(weight.toPrecision(3)))

void describe('the weight of a pod', () => {
  each(
    [
      { name: 'is what it requested', pods: [asking('a', 2000)], gives: [2] },
      {
        name: 'whatever its multiplier, if it is alone',
        pods: [asking('a', 100, 10)],
        gives: [0.1],
      },
      {
        name: 'by its multiplier within the namespace',
        pods: [asking('a', 50, 10), asking('b', 50)],
        gives: [0.0909, 0.00909],
      },
      {
        name: 'next to nothing without a request',
        pods: Array.from({ length: 10 }, (_, i) => asking(`p${i}`, undefined)),
        gives: Array.from({ length: 10 }, () => 0.002),
      },
      {
        name: 'times the factor of its namespace',
        pods: [asking('a', 500, 1, { shareFactor: 4 })],
        gives: [2],
      },
      {
        name: 'what it was created with, not what we made of it',
        pods: [
          pod({
            containers: [container({ request: millicores(900), firstRequest: millicores(300) })],
          }),
        ],
        gives: [0.3],
      },
    ],
    ({ pods, gives }) => assert.deepEqual(weightsOf(pods), gives),
  )

  void test('a namespace never weighs more than its share, whatever its pods say', () => {
    fc.assert(
      fc.property(anyPods, (pods) => {
        const weights = weighPods(pods)
        for (const [, members] of byNamespace(pods)) {
          const sum = members.reduce((all, { uid }) => all + (weights.get(uid) ?? 0), 0)
          assert.ok(sum <= (shareOf(members) / 1000) * (1 + 1e-9) + members.length * 1e-6)
        }
      }),
      { numRuns: 500 },
    )
  })

  void test('nor does it by more pods of the same total request', () => {
    const parts = fc.array(fc.integer({ min: 2, max: 500 }), { minLength: 1, maxLength: 20 })
    const multiplier = fc.double({ min: 0.1, max: 10, noNaN: true })
    fc.assert(
      fc.property(parts, multiplier, (requests, multiplier) => {
        const total = requests.reduce((a, b) => a + b, 0)
        const many = requests.map((request, i) => asking(`p${i}`, request, multiplier))
        const sum = [...weighPods(many).values()].reduce((all, weight) => all + weight, 0)
        assert.ok(Math.abs(sum - total / 1000) < 1e-9 * total)
      }),
    )
  })
})

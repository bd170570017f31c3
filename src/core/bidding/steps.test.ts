import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, container, pod, type PodGiven } from '../../../test/node-pods.ts'
import { type Millicores, millicores } from '../units.ts'
import { type Decision, planNode } from './plan.ts'
import type { NodePod } from './pod.ts'
import { biddingRules } from './rules.ts'
import { stepTowards } from './steps.ts'

const rules = { ...biddingRules, enforcement: 'strict' as const, reserveRatio: 0, headroomRatio: 0 }

const wanting = (name: string, demandCores: number, given: PodGiven = {}): NodePod =>
  pod({
    name,
    containers: [container({ demandCores, request: millicores(400) })],
    wishes: { maxCpu: millicores(Math.round(demandCores * 1000)) },
    ...given,
  })

const steps = (pods: readonly NodePod[], held: readonly number[]): readonly Decision[] => {
  const plan = planNode({ allocatable: millicores(1000) }, pods, rules)
  const amounts = new Map(plan.decisions.map(({ pod }, i) => [pod.uid, held[i] ?? 0]))
  return stepTowards(plan, ({ pod }) => (amounts.get(pod.uid) ?? 0) as Millicores)
}

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

void describe('from what strict pods hold to what they are to get', () => {
  each(
    [
      {
        name: 'at once where there is room',
        wants: [0.6, 0.4],
        held: [200, 300],
        gives: [600, 400],
      },
      {
        name: 'nothing where they hold it',
        wants: [0.6, 0.4],
        held: [600, 400],
        gives: [600, 400],
      },
      {
        name: 'by half of all at most, and a rise waits for the falls',
        wants: [0.8, 0.2],
        held: [200, 800],
        gives: [200, 300],
      },
      { name: 'as far as the step goes', wants: [0.8, 0.2], held: [200, 300], gives: [700, 200] },
    ],
    ({ wants, held, gives }) => {
      const pods = wants.map((demand, i) => wanting(`p${i}`, demand))
      assert.deepEqual(
        steps(pods, held).map(({ limit }) => limit),
        gives,
      )
    },
  )

  void test('elastic pods are there at once, and what they are given is no room for others', () => {
    const pods = [wanting('a', 0.5, { enforcement: 'elastic' }), wanting('b', 0.4)]
    const [a, b] = steps(pods, [0, 0])
    assert.deepEqual([a?.limit, a?.given, b?.given, b?.limit], [422, 500, 400, 250])
  })

  void test('says what it is on its way to, and splits what it has now', () => {
    const [first] = steps([wanting('a', 0.8), wanting('b', 0.2)], [200, 300])
    assert.match(first?.reason ?? '', /; on its way to 800m: 700m now$/)
    assert.deepEqual(
      first?.containers.map(({ limit }) => limit),
      [700],
    )
  })

  void test('what strict pods hold never exceeds what elastic ones leave of what is sold', () => {
    const node = fc.tuple(
      anyPods,
      fc.nat(16_000).map(millicores),
      fc.constantFrom('elastic', 'strict'),
    )
    fc.assert(
      fc.property(node, fc.nat(4000), ([pods, allocatable, enforcement], held) => {
        const plan = planNode({ allocatable }, pods, { ...biddingRules, enforcement })
        const isStrict = (one: Decision) => one.enforcement === 'strict'
        const strict = plan.decisions.filter(isStrict)
        const given = sum(plan.decisions.filter((one) => !isStrict(one)).map((one) => one.given))
        const fits = sum(strict.map(() => held)) <= plan.sold - given
        const after = stepTowards(plan, () => millicores(held))
        assert.deepEqual(
          after.filter((one) => !isStrict(one)),
          plan.decisions.filter((one) => !isStrict(one)),
        )
        const limits = sum(after.filter(isStrict).map(({ limit }) => limit))
        assert.ok(!fits || limits <= plan.sold - given)
      }),
    )
  })
})

/** What is said of a full node: what a pod gets of it, and whether its floors fit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { anyPods, asking, type PodGiven } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { floorByHandOf } from './bid-of-pod.ts'
import { planNode } from './plan.ts'
import { biddingRules } from './rules.ts'

const strict = { ...biddingRules, enforcement: 'strict' as const }
const dns = asking('dns', 0.1, 2000, { namespace: 'kube-system' })

void describe('the share of a full node', () => {
  each(
    [
      { name: 'is of all of it', pods: [asking('a', 5, 2000)], gives: [1] },
      {
        name: 'also where pods that take no part hold some',
        pods: [dns, asking('a', 5, 2000)],
        gives: [0.5],
      },
      {
        name: 'and where a reserve is left',
        pods: [asking('a', 5, 2000)],
        rules: strict,
        gives: [0.9],
      },
      {
        name: 'by weight where one uses what is lent by another',
        pods: [dns, asking('a', 5, 1000), asking('b', 0, 1000)],
        gives: [1 / 3, 1 / 6],
      },
    ],
    ({ pods, rules = biddingRules, gives }) => {
      const { decisions } = planNode({ allocatable: millicores(4000) }, pods, rules)
      const shares = decisions.map(({ shareRatio }) => shareRatio)
      assert.deepEqual(
        shares.map((share) => share.toFixed(6)),
        gives.map((share) => share.toFixed(6)),
      )
    },
  )
})

const wishing = (minCpu: number, maxCpu?: number): PodGiven => ({
  maxMinCpu: millicores(8000),
  wishes: {
    minCpu: millicores(minCpu),
    ...(maxCpu !== undefined && { maxCpu: millicores(maxCpu) }),
  },
})

void describe('a node whose floors do not fit', () => {
  each(
    [
      {
        name: 'is overloaded',
        pods: [asking('a', 5, 100, wishing(6000)), asking('b', 5, 100, wishing(6000))],
        mode: 'overloaded',
      },
      {
        name: 'also by one pod, which needs nothing now',
        pods: [asking('a', 0.1, 100, wishing(6000))],
        mode: 'overloaded',
      },
      {
        name: 'and with strict shares, which leave a reserve',
        pods: [asking('a', 0.1, 3700, { wishes: { minCpu: millicores(3700) } })],
        rules: strict,
        mode: 'overloaded',
      },
      {
        name: 'not where a floor counts only as far as was requested',
        pods: [asking('a', 5, 3000, { wishes: { minCpu: millicores(6000) } })],
        mode: 'uncongested',
      },
      {
        name: 'nor as far as its ceiling lets it',
        pods: [asking('a', 0.1, 100, wishing(6000, 500))],
        mode: 'uncongested',
      },
      {
        name: 'nor by requests, which are no floors',
        pods: [asking('a', 5, 3000), asking('b', 5, 3000)],
        mode: 'congested',
      },
    ],
    ({ pods, rules = biddingRules, mode }) => {
      const plan = planNode({ allocatable: millicores(4000) }, pods, rules)
      assert.deepEqual([plan.mode, plan.decisions[0]?.mode], [mode, mode])
    },
  )

  void test('says so to who is entitled to less than its floor', () => {
    const pods = [asking('a', 5, 100, wishing(3000)), asking('b', 0.1, 100, wishing(3000))]
    const { decisions } = planNode({ allocatable: millicores(4000) }, pods)
    assert.match(decisions[0]?.reason ?? '', /enough|needs|gets/)
    assert.doesNotMatch(decisions[0]?.reason ?? '', /floors/)
    assert.match(
      decisions[1]?.reason ?? '',
      /; is entitled to 1000m of its floor of 3000m: the floors on the node come to 6000m, and it sells 4000m$/,
    )
  })

  void test('is overloaded exactly where those that owners set come to more than it sells', () => {
    const enforcements = fc.constantFrom('elastic' as const, 'strict' as const)
    fc.assert(
      fc.property(anyPods, fc.nat(32_000), enforcements, (pods, allocatable, enforcement) => {
        const rules = { ...biddingRules, enforcement }
        const plan = planNode({ allocatable: millicores(allocatable) }, pods, rules)
        const floors = plan.decisions.map(({ pod }) => floorByHandOf(pod, rules))
        const isTooMuch = floors.reduce((sum, floor) => sum + floor, 0) > plan.sold
        assert.equal(plan.mode, isTooMuch ? 'overloaded' : plan.clearing.mode)
        for (const { mode } of plan.decisions) assert.equal(mode, plan.mode)
      }),
    )
  })
})

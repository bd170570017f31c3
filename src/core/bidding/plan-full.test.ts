import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { asking } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
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

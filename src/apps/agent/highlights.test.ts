import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { pod } from '../../../test/node-pods.ts'
import { planNode } from '../../core/bidding/plan.ts'
import { millicores, millis } from '../../core/units.ts'
import { type Charge, chargeOf } from './charge.ts'
import { type Change, createChangeLog, highlightsOf } from './highlights.ts'

const change = (name: string, at: number, { from = 100, to = 200 } = {}): Change => ({
  pod: { namespace: 'default', name },
  at: millis(at),
  from: millicores(from),
  to: millicores(to),
  reason: 'because',
})

/** Each uses so much. */
function chargesOf(held: Readonly<Record<string, number>>): Charge[] {
  const pods = Object.keys(held).map((name) => pod({ name }))
  return planNode({ allocatable: millicores(4000) }, pods).decisions.map((decision) => {
    const charge = chargeOf(decision, millis(0))
    const used = millicores(held[decision.pod.name] ?? 0)
    charge.standing = { ...charge.standing, used }
    return charge
  })
}

void describe('highlights of a node', () => {
  void test('name those that use most, the most first, and by name where they are equal', () => {
    const charges = chargesOf({ d: 100, c: 300, b: 300, a: 900 })
    const { holders } = highlightsOf(charges, createChangeLog())
    assert.deepEqual(
      holders.map(({ pod: { name }, held }) => `${name} ${held}`),
      ['a 900', 'b 300', 'c 300'],
    )
  })

  void test('count those that suffer', () => {
    const [one, two] = chargesOf({ a: 1, b: 1 })
    assert.ok(one !== undefined && two !== undefined)
    one.standing = {
      ...one.standing,
      verdict: { state: 'waits', slowRatio: undefined, reason: '' },
    }
    assert.equal(highlightsOf([one, two], createChangeLog()).sufferingPods, 1)
  })

  void test('keep the last two changes, of different pods, and nothing that changed nothing', () => {
    const log = createChangeLog()
    for (const one of [change('a', 1), change('b', 2), change('b', 3), change('c', 4, { to: 100 })])
      log.note(one)
    assert.deepEqual(
      log.last().map(({ pod: { name }, at }) => `${name} ${at}`),
      ['b 3', 'a 1'],
    )
  })
})

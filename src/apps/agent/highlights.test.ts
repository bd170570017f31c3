import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { pod } from '../../../test/node-pods.ts'
import { planNode } from '../../core/bidding/plan.ts'
import { millicores, millis } from '../../core/units.ts'
import { type Charge, chargeOf, noStanding, type PodStanding } from './charge.ts'
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

/** It waits for CPU that it is owed. */
function suffer(charge: Charge, more: Partial<PodStanding>): void {
  const verdict = { state: 'waits', slowRatio: undefined } as const
  const waiting = { ...charge.standing.waiting, waitedRatio: 0.612, owedCores: 1, usedCores: 0.5 }
  charge.standing = { ...charge.standing, verdict, waiting, ...more }
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
      verdict: { state: 'waits', slowRatio: undefined },
    }
    assert.equal(highlightsOf([one, two], createChangeLog()).sufferingPods, 1)
  })

  void test('name at most five that suffer, those that have for longest first, and why', () => {
    const charges = chargesOf({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 })
    charges.forEach((charge, i) => {
      if (charge.decision.pod.name === 'g') return
      suffer(charge, { badSince: millis(charge.decision.pod.name === 'f' ? 1 : 10 + i) })
    })
    const { suffering } = highlightsOf(charges, createChangeLog())
    assert.deepEqual(
      suffering.map(({ pod: { name } }) => name),
      ['f', 'a', 'b', 'c', 'd'],
    )
    assert.equal(suffering[0]?.reason, 'waits for a CPU 61 % of the time')
  })

  void test('name those that are held back, the largest first, to what and for whom', () => {
    const [a, b, c] = chargesOf({ a: 1, b: 1, c: 1 })
    assert.ok(a !== undefined && b !== undefined && c !== undefined)
    a.standing = { ...a.standing, heldTo: millicores(300) }
    b.standing = { ...b.standing, heldTo: millicores(700) }
    suffer(c, {})
    const heldBack = () => highlightsOf([a, b, c], createChangeLog()).heldBack
    assert.deepEqual(
      heldBack().map(({ pod: { name }, to }) => `${name} ${to}`),
      ['b 700', 'a 300'],
    )
    assert.equal(
      heldBack()[0]?.reason,
      'to protect default/c, which waits for a CPU 61 % of the time',
    )
    c.standing = noStanding
    assert.match(heldBack()[0]?.reason ?? '', /^to protect others; none of them suffers now/)
  })

  void test('name the own ceiling of one that is late, and hold nobody back for it', () => {
    const [a, c] = chargesOf({ a: 1, c: 550 })
    assert.ok(a !== undefined && c !== undefined)
    a.standing = { ...a.standing, heldTo: millicores(300) }
    suffer(c, { verdict: { state: 'late', slowRatio: 2 } })
    c.decision = {
      ...c.decision,
      ceilingByHand: millicores(600),
      pod: { ...c.decision.pod, readyCores: 1 },
    }
    const { suffering, heldBack } = highlightsOf([a, c], createChangeLog())
    const reason = 'is late: its p99 is 2 times its target; its own ceiling of 600m holds it'
    assert.equal(suffering[0]?.reason, reason)
    assert.match(heldBack[0]?.reason ?? '', /^to protect others; none of them suffers now/)
    const containers = c.decision.pod.containers.map((one) =>
      Object.assign({}, one, { usageCores: 0.5 }),
    )
    const range = { container: millicores(500) }
    c.decision = {
      ...c.decision,
      ceilingByHand: millicores(1000),
      pod: { ...c.decision.pod, containers, range },
    }
    assert.match(
      highlightsOf([c], createChangeLog()).suffering[0]?.reason ?? '',
      /; its own ceiling of 500m holds it$/,
    )
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { nodeView, podView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import { parseNodeView } from './parse.ts'

const parse = (value: unknown) => parseNodeView(JSON.stringify(value))

void describe("an agent's answer", () => {
  void test('is taken as it is', () => {
    const full = nodeView({
      pods: [
        podView({
          quota: 250,
          shares: 51_200,
          heldTo: 200,
          isInLane: true,
          p99Millis: 12.5,
          targetMillis: 50,
          state: 'late',
          isSuffering: true,
        }),
      ],
    })
    assert.deepEqual(parse(full), full)
  })

  void test('without a market and without pods, too', () => {
    assert.deepEqual(parse({ node: 'n1', at: 1, pods: [] }), { node: 'n1', at: 1, pods: [] })
  })

  void test('of what nobody asked for nothing is kept', () => {
    const more = { ...nodeView(), pods: [{ ...podView(), secret: 1 }], extra: 2 }
    assert.deepEqual(parse(more), nodeView())
  })

  void test('long words are cut', () => {
    const { pods } = parse(nodeView({ pods: [podView({ reason: 'x'.repeat(5000) })] }))
    assert.equal(pods[0]?.reason.length, 2000)
  })

  const pods = (given: object) => ({ ...nodeView(), pods: [{ ...podView(), ...given }] })
  each<{ name: string; value: unknown; says: RegExp }>(
    [
      {
        name: 'is refused if it is a list',
        value: [],
        says: /expected an object, got a list of 0/,
      },
      {
        name: 'without pods',
        value: { node: 'n1', at: 1 },
        says: /at most 1000 pods, got nothing/,
      },
      {
        name: 'with an amount that is none',
        value: pods({ used: '80' }),
        says: /expected a number of 0 or more as used, got "80"/,
      },
      { name: 'with less than nothing', value: pods({ limit: -1 }), says: /as limit, got -1/ },
      { name: 'with a null', value: pods({ quota: null }), says: /as quota, got null/ },
      {
        name: 'with an unknown state',
        value: pods({ state: 'up' }),
        says: /throttled as state, got "up"/,
      },
      { name: 'with a bid that is none', value: pods({ bid: 1 }), says: /expected a bid, got 1/ },
      {
        name: 'with more pods than a node has',
        value: { ...nodeView(), pods: Array.from({ length: 1001 }, () => podView()) },
        says: /expected at most 1000 pods/,
      },
    ],
    ({ value, says }) => assert.throws(() => parse(value), says),
  )

  void test('that is no JSON is refused', () => {
    assert.throws(() => parseNodeView('<html>'), SyntaxError)
  })
})

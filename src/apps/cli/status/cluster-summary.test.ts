import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { markets } from '../../../../test/cli/furnish.ts'
import { agentLeasePlace, renewalsIn } from '../../../apis/agent-lease.ts'
import { microTime } from '../../../apis/lease.ts'
import type { NodeMarket } from '../../../apis/node-market.ts'
import { millis } from '../../../core/units.ts'
import { plain } from '../paint.ts'
import { summarise, timeIn } from './cluster-summary.ts'
import { statusText } from './status-text.ts'

const at = millis(Date.UTC(2026, 0, 1))
const style = { width: 80, isWide: false, paint: plain }

void describe('the summary of a cluster', () => {
  void test('adds up the nodes', () => {
    const { nodes, modes, cpu, pods, sufferingPods, silentNodes, price } = summarise(markets(at), {
      at,
    })
    assert.deepEqual(
      { nodes, modes, pods, sufferingPods, silentNodes, price },
      {
        nodes: 3,
        modes: { uncongested: 2, congested: 1, overloaded: 0 },
        pods: 4,
        sufferingPods: 1,
        silentNodes: 1,
        price: { node: 'node-1', price: 0.001333 },
      },
    )
    assert.deepEqual(cpu, {
      allocatable: 12_000,
      reserve: 1200,
      held: 200,
      capacity: 10_600,
      sold: 4200,
      unsold: 6400,
    })
  })

  void test('puts trouble first, the most first, and the newest first', () => {
    const { markets: nodes, holders, changes } = summarise(markets(at), { at })
    assert.deepEqual(
      nodes.map(({ node }) => node),
      ['node-2', 'node-1', 'node-0'],
    )
    assert.deepEqual(
      holders.map(({ amount }) => amount),
      [1557, 774, 258],
    )
    assert.deepEqual(
      changes.map(({ to }) => to),
      [855, 500],
    )
  })

  void test('of one namespace names only its pods', () => {
    const { holders, changes } = summarise(markets(at), { at, namespace: 'default' })
    assert.deepEqual([holders.map(({ pod }) => pod), changes], [['default/batch-0'], []])
  })

  void test('takes the time from a cluster that is ahead of us, and not from one that is silent', () => {
    const before = millis(at - 3_600_000)
    const newest = at - 2000
    assert.equal(timeIn(markets(at), before), newest)
    assert.equal(timeIn(markets(at), at), at)
    assert.equal(timeIn([], at), at)
  })

  void test('is not misled by the clocks of nodes, nor by a Lease without a market', () => {
    const stamp = (time: number) => ({
      managedFields: [{ manager: 'mbcas-agent', time: new Date(time).toISOString() }],
    })
    const ahead = 69 * 60_000
    const clocks = { 'node-0': 0, 'node-1': ahead, 'node-2': -50_000, gone: ahead }
    const renewals = renewalsIn(
      Object.entries(clocks).map(([node, off]) => ({
        metadata: { ...agentLeasePlace(node), ...stamp(at - 9000 + (node === 'gone' ? off : 0)) },
        spec: { renewTime: microTime(millis(at - 9000 + off)) },
      })),
    )
    const [first] = markets(at)
    assert.ok(first !== undefined)
    const all = Object.entries(clocks)
      .filter(([node]) => node !== 'gone')
      .map(([name, off]): NodeMarket => {
        const clearedAt = new Date(at - 20_000 + off).toISOString()
        const resources = first.status.resources.map((one) => ({ ...one, clearedAt }))
        return { metadata: { name, ...stamp(at - 20_000) }, status: { ...first.status, resources } }
      })
    const now = timeIn(all, at, renewals)
    assert.equal(now, at)
    assert.equal(summarise(all, { at: now, renewals }).silentNodes, 0)
    const later = millis(at + 32_000)
    assert.equal(summarise(all, { at: later, renewals }).silentNodes, 3)
  })

  void test('leaves out a market of something else', () => {
    const strange: NodeMarket = { metadata: { name: 'x' }, status: { resources: [] } }
    assert.equal(summarise([strange], { at }).nodes, 0)
  })
})

void describe('the status of a cluster', () => {
  const long = 'ip-10-250-131-207.eu-central-1.compute.internal'

  void test('of a thousand nodes fits on a screen of 80 columns', () => {
    const many = Array.from({ length: 1000 }, (_, i) => {
      const [, market] = markets(at)
      assert.ok(market !== undefined)
      return { ...market, metadata: { name: `${i}-${long}` } }
    })
    const lines = statusText(summarise(many, { at }), style).split('\n')
    assert.ok(lines.length <= 40, `${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => line.length > 80),
      [],
    )
    assert.ok(lines.includes('and 995 more nodes: mbcas status -o wide, mbcas top'))
  })

  void test('names at most five that suffer, with why, and who is held back for them', () => {
    const many = Array.from({ length: 6 }, (_, i) => ({
      namespace: 'shop',
      name: `web-${i}`,
      reason: `waits for a CPU ${60 + i} % of the time`,
    }))
    const [, market] = markets(at)
    assert.ok(market !== undefined)
    const status = { ...market.status, suffering: many }
    const lines = statusText(summarise([{ ...market, status }], { at }), style).split('\n')
    const named = lines.filter((line) => /^shop.web-\d waits/.test(line))
    assert.equal(named.length, 5)
    assert.equal(named[0], 'shop/web-0 waits for a CPU 60 % of the time')
    assert.ok(lines.includes('and 1 more: mbcas status -o wide'))
    assert.ok(lines.some((line) => line.startsWith('shop/worker-0 to 1557m to protect shop/web')))
  })

  void test('without any market says what to do', () => {
    assert.match(
      statusText(summarise([], { at }), style),
      /^No node has a market yet\. .*mbcas agent/,
    )
  })

  void test('of agents that do not tell who suffers does not call it well', () => {
    const [, , untold] = markets(at)
    assert.ok(untold !== undefined)
    assert.match(statusText(summarise([untold], { at }), style), /^Nobody reports who suffers/)
  })

  void test('that is well says so first', () => {
    const [calm] = markets(at)
    assert.ok(calm !== undefined)
    assert.match(
      statusText(summarise([calm], { at }), style),
      /^None of 1 pod suffers; 1 node with enough CPU for all\n/,
    )
  })
})

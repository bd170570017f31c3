import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../each.ts'
import { placeLabels } from './labels.ts'
import { type Dot, drawArms, evenTicks, logTicks } from './picture.ts'

const exact = (mean: number) => ({ mean, low: mean * 0.9, high: mean * 1.1 })
const dot = (name: string, quota: number, p99: number): Dot => ({
  name,
  isOurs: name === 'MBCAS',
  quota: exact(quota),
  p99: exact(p99),
})

const circlesOf = (svg: string) =>
  [...svg.matchAll(/<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, kind, x, y]) => ({
    kind,
    x: Number(x),
    y: Number(y),
  }))

void describe('the picture', () => {
  const svg = drawArms([
    dot('static <p99>', 2, 400),
    dot('Captain 0', 1.5, 100),
    dot('MBCAS', 1, 20),
  ])

  void test('less quota is further left, less latency further down, and ours stands out', () => {
    const [fixed, captain, ours] = circlesOf(svg)
    assert.ok(fixed && captain && ours)
    assert.ok(ours.x < captain.x && captain.x < fixed.x)
    assert.ok(ours.y > captain.y && captain.y > fixed.y)
    assert.deepEqual([fixed.kind, captain.kind, ours.kind], ['rival', 'rival', 'ours'])
  })

  void test('all names are in it, escaped, and it has colours for dark pages', () => {
    for (const name of ['static &lt;p99>', 'Captain 0', 'MBCAS'])
      assert.ok(svg.includes(`>${name}<`))
    assert.match(svg, /prefers-color-scheme: dark/)
    assert.doesNotMatch(svg, /NaN|Infinity/)
  })

  void test('of one repeat, without intervals, there are dots all the same', () => {
    const alone = { mean: 5, low: undefined, high: undefined }
    const one = drawArms([{ name: 'static', isOurs: false, quota: alone, p99: alone }])
    assert.equal(circlesOf(one).length, 1)
    assert.doesNotMatch(one, /NaN|Infinity/)
  })

  void test('an interval that reaches below zero ends at the edge', () => {
    const wide = { mean: 50, low: -20, high: 120 }
    const both = drawArms([{ ...dot('VPA', 1, 1), p99: wide }, dot('MBCAS', 1, 20)])
    assert.doesNotMatch(both, /NaN|Infinity/)
  })
})

void describe('ticks', () => {
  each(
    [
      {
        name: 'even ones of tenths',
        ticks: evenTicks(1.27, 1.92),
        gives: [1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2],
      },
      { name: 'even ones of cores', ticks: evenTicks(2, 9.5), gives: [2, 3, 4, 5, 6, 7, 8, 9, 10] },
      { name: 'even ones around one value', ticks: evenTicks(1, 1), gives: [1, 1.02] },
      {
        name: 'those of a logarithm',
        ticks: logTicks(17, 430),
        gives: [10, 20, 50, 100, 200, 500],
      },
      { name: 'those of a logarithm around one', ticks: logTicks(50, 50), gives: [50, 100] },
    ],
    ({ ticks, gives }) => assert.deepEqual(ticks, gives),
  )
})

void test('no label covers another', () => {
  const place = fc.record({
    x: fc.integer({ min: 70, max: 700 }),
    y: fc.integer({ min: 50, max: 400 }),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 15 }), (places) => {
      const dots = places.map(({ x, y }, i) => ({
        name: `arm ${i}`,
        x,
        y,
        left: x - 9,
        right: x + 9,
      }))
      const labels = placeLabels(dots, 760)
      const boxes = labels.map(({ name, x, y, isLeft }) => {
        const width = name.length * 7
        return { left: isLeft ? x - width : x, right: isLeft ? x : x + width, y }
      })
      for (const [i, a] of boxes.entries()) {
        assert.ok(a.right <= 760)
        for (const b of boxes.slice(i + 1)) {
          const isApart = a.left >= b.right || b.left >= a.right || Math.abs(a.y - b.y) >= 14
          assert.ok(isApart, JSON.stringify([a, b]))
        }
      }
    }),
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import { millis } from '../../../core/units.ts'
import { html } from './html.ts'
import { reportPage } from './page.ts'
import { roundUp } from './plot.ts'

const arm = (name: string): ArmResult => ({
  name,
  sloViolationRatio: 0.125,
  p99Millis: 42,
  throttledRatio: 0.01,
  writtenCores: 4,
  promisedCores: 1.5,
  allowedCores: 3,
  usedCores: 1,
  demandedCores: 1.25,
  changes: 7,
  jain: 0.99,
  restarts: 0,
  pendingPods: 0,
  workloads: [],
  history: {
    at: [60_000, 70_000],
    promised: [1.5, 3],
    allowed: [3, 3],
    used: [1, 0.5],
    violating: [1, 0],
  },
})

const page = reportPage({
  view: { scenario: 'a <b> & c', arms: [arm('static'), arm('mbcas')], verdicts: ['It is so.'] },
  scenario: {
    about: 'Tests.',
    phases: [{ name: 'rush', at: millis(70_000), loads: {}, replicas: {}, roll: [] }],
    warmUp: millis(60_000),
  },
  seed: 1,
  start: 0,
  duration: 80_000,
})

void describe('the report', () => {
  void test('needs nothing from elsewhere, and no script', () => {
    assert.doesNotMatch(page, /<script|<link|<img|\bsrc=|\bhref=|url\(|@import|https?:/)
  })

  void test('shows every figure, every verdict and a plot an arm', () => {
    for (const text of [
      '12.5 %',
      '80.0 %',
      '42 ms',
      '1.50 cores',
      'It is so.',
      'rush from 1 min',
    ]) {
      assert.ok(page.includes(text), text)
    }
    assert.equal(page.match(/<figure/g)?.length, 4)
  })

  void test('takes names for text', () => {
    assert.ok(page.includes('<h1>a &lt;b&gt; &amp; c</h1>'))
  })

  void test('draws every value from its moment to the next', () => {
    assert.ok(page.includes('M0.0 100.0H500.0L500.0 0.0H1000.0'), 'promised: a half, then all')
  })
})

each(
  [
    { name: 'an axis ends at a round number', value: 3.2, gives: 4 },
    { name: 'also a large one', value: 123, gives: 150 },
    { name: 'and never at 0', value: 0, gives: 1 },
  ],
  ({ value, gives }) => assert.equal(roundUp(value), gives),
)

void test('what is put into HTML is text', () => {
  assert.equal(
    html`<p title="${'"'}">${'<i>'}${[html`<b>${1}</b>`]}</p>`.html,
    '<p title="&quot;">&lt;i&gt;<b>1</b></p>',
  )
})

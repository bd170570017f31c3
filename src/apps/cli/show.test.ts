import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { coloured } from './paint.ts'
import { bar, shorten, showAge, showShare, sparkline, table, wrap } from './show.ts'

void describe('ages', () => {
  each(
    [
      { name: 'a moment', millis: 400, shows: '0s' },
      { name: 'under two minutes in seconds', millis: 119_999, shows: '119s' },
      { name: 'minutes', millis: 120_000, shows: '2m' },
      { name: 'hours', millis: 7_200_000, shows: '2h' },
      { name: 'days', millis: 172_800_000, shows: '2d' },
      { name: 'a clock ahead of ours', millis: -5000, shows: '0s' },
    ],
    ({ millis, shows }) => assert.equal(showAge(millis), shows),
  )
})

void describe('tables', () => {
  const columns = [
    { title: 'NODE', align: 'left', shrinks: true },
    { title: 'CPU', align: 'right' },
  ] as const

  void test('are as wide as their cells, numbers to the right', () => {
    const rows = [
      ['a', '5m'],
      ['node', '1500m'],
    ]
    assert.deepEqual(table(columns, rows), ['NODE    CPU', 'a        5m', 'node  1500m'])
  })

  void test('shorten the column that may shrink', () => {
    const long = 'ip-10-0-1-23.compute.internal'
    const [, line = ''] = table(columns, [[long, '1500m']], { width: 20 })
    assert.deepEqual([line, line.length], ['ip-10-0-1-23…  1500m', 20])
  })

  void test('are never narrower than eight characters a name', () => {
    const [, line] = table(columns, [['a-long-name', '1500m']], { width: 5 })
    assert.equal(line, 'a-long-…  1500m')
  })

  void test('paint a cell and not the space around it', () => {
    const cell = { text: '5m', emphasis: 'bad' } as const
    const [, line] = table(columns, [['a', cell]], { paint: coloured })
    assert.equal(line, 'a      \u001B[31m5m\u001B[0m')
  })
})

void describe('small pictures', () => {
  void test('bars fill in eighths and stay within their ends', () => {
    assert.deepEqual(
      [0, 0.5, 1 / 16, 1, 7, -1].map((ratio) => bar(ratio, 2)),
      ['··', '█·', '▏·', '██', '██', '··'],
    )
  })

  void test('sparklines have a character a value', () => {
    assert.equal(sparkline([0, 0.5, 1, 2]), '▁▅██')
  })
})

void test('shares of nothing are nothing', () => {
  assert.deepEqual([showShare(0, 0), showShare(1, 3)], ['0 %', '33 %'])
})

void test('what is too long ends in an ellipsis', () => {
  assert.deepEqual([shorten('abcdef', 6), shorten('abcdef', 4)], ['abcdef', 'abc…'])
})

void test('wrapped lines are indented, and a long word stays whole', () => {
  assert.deepEqual(wrap('one two three', 7, 2), ['one two', '  three'])
  assert.deepEqual(wrap('row unbreakable', 6, 4), ['row', '    unbreakable'])
})

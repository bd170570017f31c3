import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { parseRecording } from '../../apis/recording.ts'
import { type Arrival, createArrivals, highestRate, rateAt } from './arrivals.ts'

const recordings = new Map(
  Object.entries({
    /** 20 a second, nothing, 5 a second. */
    'day.csv': '0,20\n100,0\n200,5\n',
    'flash.csv': '0,0.01\n360000,10000\n360001,0\n',
    'silence.csv': '0,0\n10,0\n',
    'plain.csv': '0,50\n',
  }).map(([name, text]) => [name, parseRecording(text, name)]),
)

function requests(text: string) {
  const load = parseLoad(text, recordings)
  assert.ok(load.kind === 'requests')
  return load
}

/** Those that come within so many seconds. */
function arrivals(text: string, seconds: number): Arrival[] {
  const load = requests(text)
  const next = createArrivals(load, load.seed ?? 1)
  const all: Arrival[] = []
  for (let one = next(); one.atMicros < seconds * 1e6; one = next()) all.push(one)
  return all
}

const countIn = (all: readonly Arrival[], from: number, to: number): number =>
  all.filter(({ atMicros }) => atMicros >= from * 1e6 && atMicros < to * 1e6).length

/** Five standard deviations of a Poisson count: chance is beyond it once in two million. */
function assertAbout(count: number, expected: number, what: string): void {
  const bound = 5 * Math.sqrt(expected)
  assert.ok(Math.abs(count - expected) <= bound, `${what}: expected ${expected}, got ${count}`)
}

void describe('requests as recorded', () => {
  /** In each span of seconds as many as the rows say. */
  each<{ name: string; text: string; spans: readonly (readonly [number, number, number])[] }>(
    [
      {
        name: 'come row by row, and the last row holds',
        text: 'file=day.csv',
        spans: [
          [0, 100, 2000],
          [100, 200, 0],
          [200, 300, 500],
          [300, 1300, 5000],
        ],
      },
      {
        name: 'begin anew, the last row as long as the one before it',
        text: 'file=day.csv after=loop',
        spans: [
          [0, 100, 2000],
          [100, 200, 0],
          [200, 300, 500],
          [300, 400, 2000],
          [400, 500, 0],
          [900, 1000, 2000],
        ],
      },
      {
        name: 'are as many as the scale says, as soon as the speed says',
        text: 'file=day.csv scale=4 speed=2 after=loop',
        spans: [
          [0, 50, 4000],
          [50, 100, 0],
          [100, 150, 1000],
          [150, 200, 4000],
        ],
      },
      {
        name: 'come in a crowd after a hundred hours of next to nothing, and then not at all',
        text: 'file=flash.csv',
        spans: [
          [0, 360_000, 3600],
          [360_000, 360_001, 10_000],
          [360_001, 720_000, 0],
        ],
      },
      { name: 'never come where there were none', text: 'file=silence.csv', spans: [[0, 1e9, 0]] },
      {
        name: 'never come where there were none, again and again',
        text: 'file=silence.csv after=loop',
        spans: [[0, 1e9, 0]],
      },
    ],
    ({ text, spans }) => {
      const end = Math.max(...spans.map(([, to]) => to))
      const all = arrivals(`recorded ${text} cpu=1ms seed=4`, end)
      for (const [from, to, expected] of spans) {
        assertAbout(countIn(all, from, to), expected, `from ${from} s to ${to} s`)
      }
    },
  )

  void test('are a Poisson process: in tenths of a second as different as chance has it', () => {
    const all = arrivals('recorded file=plain.csv cpu=1ms seed=9', 2000)
    const counts = new Map<number, number>()
    for (const { atMicros } of all) {
      const slot = Math.floor(atMicros / 1e5)
      counts.set(slot, (counts.get(slot) ?? 0) + 1)
    }
    const slots = Array.from({ length: 20_000 }, (_, slot) => counts.get(slot) ?? 0)
    const mean = all.length / slots.length
    const variance = slots.reduce((sum, one) => sum + (one - mean) ** 2, 0) / slots.length
    // The index of dispersion is 1, with a standard deviation of sqrt(2 / slots) = 0.01.
    assert.ok(Math.abs(variance / mean - 1) < 0.05, `got ${variance / mean}`)
    // No two tenths know of each other: the correlation of neighbours is 0, give or take 0.007.
    const neighbours = slots
      .slice(1)
      .reduce((sum, one, i) => sum + (one - mean) * ((slots[i] ?? 0) - mean), 0)
    assert.ok(Math.abs(neighbours / slots.length / variance) < 0.035)
  })

  void test('have the same statistics as the same rate written down', () => {
    const count = (text: string) => arrivals(`${text} cpu=1ms seed=2`, 1000).length
    assertAbout(count('recorded file=plain.csv'), 50_000, 'recorded')
    assertAbout(count('requests rate=50'), 50_000, 'written')
  })

  void test('are the same for the same seed, and others for another', () => {
    const text = 'recorded file=day.csv cpu=1ms spread=heavy'
    assert.deepEqual(arrivals(`${text} seed=1`, 100), arrivals(`${text} seed=1`, 100))
    assert.notDeepEqual(arrivals(`${text} seed=1`, 100), arrivals(`${text} seed=2`, 100))
  })

  void test('never come before those before them', () => {
    let before = 0
    for (const { atMicros } of arrivals(
      'recorded file=day.csv after=loop speed=99.9 cpu=1ms',
      3000,
    )) {
      assert.ok(atMicros >= before)
      before = atMicros
    }
  })

  void test('are told as a rate at a moment, and as the highest', () => {
    const { rate } = requests('recorded file=day.csv scale=2 after=loop cpu=1ms')
    assert.deepEqual(
      [0, 150_000, 200_000, 300_000].map((millis) => rateAt(rate, millis)),
      [40, 0, 10, 40],
    )
    assert.equal(highestRate(rate), 40)
  })
})

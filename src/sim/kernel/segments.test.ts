import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { parseRecording } from '../../apis/recording.ts'
import { createSegments, highestMilli, type ProfiledLoad } from './segments.ts'

const recordings = new Map([['day.csv', parseRecording('0,0.5\n10,0\n30,2.25', 'day.csv')]])
const loadOf = (text: string) => parseLoad(text, recordings) as ProfiledLoad

const first = (text: string, count: number) => {
  const next = createSegments(loadOf(text), 1)
  return Array.from({ length: count }, () => {
    const { untilMicros, milliCpu } = next()
    return [untilMicros / 1e6, milliCpu]
  })
}

void describe('the demand of', () => {
  each(
    [
      { name: 'idle', gives: [[Infinity, 2]] },
      { name: 'steady cpu=300m', gives: [[Infinity, 300]] },
      {
        name: 'ramp from=100m to=500m over=400ms',
        gives: [
          [0.1, 150],
          [0.2, 250],
          [0.3, 350],
          [0.4, 450],
          [Infinity, 500],
        ],
      },
      {
        name: 'bursty low=50m high=2 every=10s for=1s',
        gives: [
          [1, 2000],
          [10, 50],
          [11, 2000],
          [20, 50],
        ],
      },
      {
        name: 'recorded file=day.csv',
        gives: [
          [10, 500],
          [30, 0],
          [Infinity, 2250],
          [Infinity, 2250],
        ],
      },
      {
        name: 'recorded file=day.csv after=loop scale=2 speed=10',
        gives: [
          [1, 1000],
          [3, 0],
          [5, 4500],
          [6, 1000],
          [8, 0],
          [10, 4500],
        ],
      },
    ],
    ({ name, gives }) => assert.deepEqual(first(name, gives.length), gives),
  )
})

void test('spikes come as often as told, at moments that only the seed knows', () => {
  const text = 'spiky low=0 high=1 every=30s for=2s seed=5'
  const segments = first(text, 4000)
  const seconds = segments.at(-1)?.[0] ?? 0
  assert.ok(Math.abs(seconds / 2000 - 30) < 2, `a spike every ${seconds / 2000} s`)
  assert.deepEqual(first(text, 4000), segments)
  assert.notDeepEqual(first(text.replace('5', '6'), 4000), segments)
})

void test('a recording wants at most its highest row, scaled', () => {
  assert.equal(highestMilli(loadOf('recorded file=day.csv scale=2')), 4500)
})

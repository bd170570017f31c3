import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { printAge } from './age.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const ages: readonly [seconds: number, text: string][] = [
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119.9, '119s'],
  [120, '2m'],
  [9 * minute + 59, '9m59s'],
  [10 * minute + 59, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [47 * hour + 59 * minute, '47h'],
  [48 * hour, '2d'],
  [7 * day + 23 * hour, '7d23h'],
  [8 * day + 23 * hour, '8d'],
  [729 * day, '729d'],
  [731 * day, '2y1d'],
  [8 * 365 * day + 3 * day, '8y'],
]

each(
  ages.map(([seconds, text]) => ({ name: `${seconds} s ago is ${text}`, seconds, text })),
  ({ seconds, text }) => assert.equal(printAge(seconds * 1000), text),
)

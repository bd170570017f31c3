import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { type Look, waitedBetween } from './waited.ts'

/** So many milliseconds after the container started. */
const look = (millis: number, waited: number | undefined, throttled = 0): Look => ({
  reading: {
    atMicros: millis * 1000,
    usageMicros: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledMicros: throttled * 1000,
    quotaMicros: null,
    periodMicros: 100_000,
    weight: 1024,
  },
  waitingMicros: waited === undefined ? undefined : waited * 1000,
})

void describe('time waited for a CPU', () => {
  each(
    [
      { name: 'is over time', from: look(0, 0), to: look(250, 125), gives: 0.5 },
      { name: 'is of several threads', from: look(0, 100), to: look(250, 850), gives: 3 },
      {
        name: 'is less the waiting for quota',
        from: look(0, 0, 50),
        to: look(250, 200, 150),
        gives: 0.4,
      },
      {
        name: 'is none where all of it was for quota, which the kernel books when it ends',
        from: look(0, 0),
        to: look(250, 100, 400),
        gives: 0,
      },
      {
        name: 'is unknown at the first look',
        from: look(0, undefined),
        to: look(250, 125),
        gives: 0,
      },
      { name: 'and at the last', from: look(0, 125), to: look(250, undefined), gives: 0 },
      { name: 'is none in no time', from: look(250, 0), to: look(250, 125), gives: 0 },
      {
        name: 'is none of a counter that began anew',
        from: look(0, 500),
        to: look(250, 3),
        gives: 0,
      },
    ],
    ({ from, to, gives }) => assert.equal(waitedBetween(from, to), gives),
  )
})

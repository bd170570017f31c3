import assert from 'node:assert/strict'
import { describe } from 'node:test'

import type { PodDecision } from '../../src/apis/dashboard.ts'
import { each } from '../../test/each.ts'
import { changeOf, since } from './decisions.ts'

const decision = (request: number, limit?: number): PodDecision => ({
  at: 1,
  request,
  urgency: 'normal',
  reason: '',
  ...(limit === undefined ? {} : { limit }),
})

void describe('what a decision changed', () => {
  each(
    [
      {
        name: 'both',
        now: decision(430, 900),
        before: decision(200, 400),
        is: 'request 200m → 430m, limit 400m → 900m',
      },
      {
        name: 'one',
        now: decision(200, 900),
        before: decision(200, 400),
        is: 'request 200m, limit 400m → 900m',
      },
      {
        name: 'the first has nothing before it',
        now: decision(200, 900),
        before: undefined,
        is: 'request 200m, limit 900m',
      },
      {
        name: 'there may be no limit',
        now: decision(200),
        before: decision(100),
        is: 'request 100m → 200m, no limit',
      },
    ],
    ({ now, before, is }) => assert.equal(changeOf(now, before), is),
  )

  each(
    [
      { name: 'more than it was', original: 100, now: 430, is: '100m → 430m (4.3 times)' },
      { name: 'less than it was', original: 1000, now: 250, is: '1000m → 250m (0.25 times)' },
      { name: 'as it was', original: 100, now: 100, is: '100m' },
      { name: 'it was not said', original: undefined, now: 430, is: '430m' },
      { name: 'it was nothing', original: 0, now: 430, is: '0m → 430m' },
    ],
    ({ original, now, is }) => assert.equal(since(original, now), is),
  )
})

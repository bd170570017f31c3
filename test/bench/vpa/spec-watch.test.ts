import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { requestedIn, type SpecEvent } from './spec-watch.ts'

const event = (uid: string, atMicros: number, request: number): SpecEvent => ({
  atMicros,
  uid,
  workload: uid,
  request,
  isChange: false,
  restarts: 0,
  pod: undefined,
})

void describe('CPU requested over a time', () => {
  const span = { fromMicros: 100, toMicros: 200 }
  const rows = [
    { name: 'as it was before', events: [event('a', 0, 500)], cores: 0.5 },
    {
      name: 'as it became, for as long',
      events: [event('a', 0, 500), event('a', 150, 100)],
      cores: 0.3,
    },
    {
      name: 'nothing once it is gone',
      events: [event('a', 0, 500), event('a', 120, 0)],
      cores: 0.1,
    },
    { name: 'of all pods', events: [event('a', 0, 500), event('b', 190, 1000)], cores: 0.6 },
    { name: 'what came later does not count', events: [event('a', 200, 500)], cores: 0 },
  ]
  for (const { name, events, cores } of rows) {
    void test(name, () => assert.ok(Math.abs(requestedIn(events, span) - cores) < 1e-9))
  }

  void test('or of one workload', () => {
    const events = [event('a', 0, 500), event('b', 0, 1000)]
    assert.equal(requestedIn(events, span, 'b'), 1)
  })
})

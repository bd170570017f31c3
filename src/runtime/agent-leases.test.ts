import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { createHeard } from './agent-leases.ts'

void describe('runtime/agent-leases: agents that do not answer', () => {
  void test('are silent after 40 s without a renewal, and back with the next', async () => {
    const clock = manualClock()
    const { note, silentFor, silentNodes } = createHeard(clock)
    assert.equal(silentFor('n1'), undefined)
    note({ type: 'added', key: 'k', now: ['n1'] })
    await clock.advance(40_000)
    assert.equal(silentFor('n1'), undefined)
    await clock.advance(1000)
    assert.deepEqual([silentFor('n1'), silentFor('n2')], [41_000, undefined])
    assert.deepEqual(silentNodes(), ['n1'])
    assert.deepEqual(note({ type: 'updated', key: 'k', before: ['n1'], now: ['n1'] }), ['n1'])
    assert.deepEqual([silentFor('n1'), silentNodes()], [undefined, []])
    await clock.advance(50_000)
    note({ type: 'deleted', key: 'k', before: ['n1'] })
    assert.equal(silentFor('n1'), undefined)
  })
})

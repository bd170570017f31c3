import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import type { ResizeReason } from '../../core/resize/types.ts'
import { eventOf, type Phase } from './outcome.ts'

type Row = {
  readonly name: string
  readonly phase: Phase
  readonly reason: ResizeReason
  readonly gives: string | undefined
}

void describe('apps/controller: events', () => {
  const rows: readonly Row[] = [
    { name: 'done', phase: 'Applied', reason: 'Applied', gives: 'Normal CPUApplied' },
    { name: 'under way: none', phase: 'Pending', reason: 'Resizing', gives: undefined },
    { name: 'put off: none', phase: 'Pending', reason: 'Cooldown', gives: undefined },
    {
      name: 'waits for room',
      phase: 'Pending',
      reason: 'NodeHeadroom',
      gives: 'Normal CPUPending',
    },
    {
      name: 'the kubelet waits for room',
      phase: 'Pending',
      reason: 'Deferred',
      gives: 'Warning ResizeNotVerified',
    },
    { name: 'refused', phase: 'Failed', reason: 'LimitRange', gives: 'Warning CPUSkipped' },
    { name: 'opted out', phase: 'Failed', reason: 'Excluded', gives: 'Normal CPUSkipped' },
    { name: 'restored', phase: 'Failed', reason: 'Restored', gives: 'Normal CPURestored' },
    { name: 'an old server: none', phase: 'Failed', reason: 'ServerTooOld', gives: undefined },
  ]
  each(rows, ({ phase, reason, gives }) => {
    const event = eventOf({ phase, reason })
    assert.equal(event && `${event.type} ${event.reason}`, gives)
  })
})

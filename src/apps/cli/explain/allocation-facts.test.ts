import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { plain } from '../paint.ts'
import { decisionLines, explained } from './allocation-facts.ts'

void describe('explaining an allocation', () => {
  void test('has a line for every annotation that does not count as written', () => {
    const notes = ['ignoring mbcas.io/burst: expected "true" or "false", got "maybe"', 'another']
    const decision = { reason: 'gets what it needs, 300m', notes }
    const spec = { podName: 'web', desiredCPULimit: '300m', urgency: 'normal' as const, decision }
    const facts = explained({ metadata: { namespace: 'shop', name: 'web' }, spec }, '')
    const lines = decisionLines(
      facts,
      { now: 0, isEnforced: true },
      { width: Infinity, isWide: true, paint: plain },
    )
    const said = lines.flatMap((line) => /^ +note +(.*)$/.exec(line)?.[1] ?? [])
    assert.deepEqual(said, notes)
  })
})

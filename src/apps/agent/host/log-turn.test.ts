import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import { noProtection, type Protection } from '../../../core/enforcement/protection.ts'
import { millicores } from '../../../core/units.ts'
import { nothingKnown } from './decide.ts'
import { logTurn } from './log-turn.ts'

const spellOf = (seconds: number): Partial<Protection> => ({
  elapsedSeconds: seconds,
  spells: new Map([['b', [{ from: 0, until: seconds }]]]),
})

void describe('why a group is no longer held back', () => {
  each<{ name: string; after: Partial<Protection>; reason: string }>(
    [
      {
        name: 'it did not help',
        after: { restSeconds: 60 },
        reason: 'holding it back did not help',
      },
      {
        name: 'its minute is over',
        after: spellOf(60),
        reason: 'it was held back for a minute in five',
      },
      { name: 'the group is gone', after: spellOf(30), reason: 'the group is gone' },
    ],
    ({ after, reason }) => {
      const reasons: unknown[] = []
      const held = new Map([['b', millicores(930)]])
      const of = (protection: Partial<Protection>) => ({
        ...nothingKnown,
        protection: { ...noProtection, ...protection },
      })
      logTurn((_level, _message, fields) => void reasons.push(fields?.['reason']), {
        before: of({ held }),
        after: of(after),
        changes: [],
      })
      assert.deepEqual(reasons, [reason])
    },
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import type { Condition } from '../apis/object.ts'
import { millis } from '../core/units.ts'
import { setCondition, timestamp } from './conditions.ts'

const at = millis(Date.UTC(2026, 0, 2, 3, 4, 5, 678))
const said = { type: 'Applied', status: 'True', reason: 'Resized', message: 'is 500m' } as const
const before: Condition = { ...said, lastTransitionTime: '2026-01-01T00:00:00Z' }
const other: Condition = { ...before, type: 'Other' }

void describe('runtime/conditions', () => {
  each(
    [
      { name: 'a new one goes to the end', has: [other], change: {}, index: 1, moves: true },
      {
        name: 'a new status moves the time',
        has: [before, other],
        change: { status: 'False' },
        index: 0,
        moves: true,
      },
      {
        name: 'a new reason does not',
        has: [other, before],
        change: { reason: 'Same' },
        index: 1,
        moves: false,
      },
      {
        name: 'a new message does not',
        has: [before],
        change: { message: 'is 600m' },
        index: 0,
        moves: false,
      },
      {
        name: 'a new generation does not',
        has: [before],
        change: { observedGeneration: 2 },
        index: 0,
        moves: false,
      },
    ] as const,
    ({ has, change, index, moves }) => {
      const after = setCondition(has, { ...said, ...change, at })
      const lastTransitionTime = moves ? '2026-01-02T03:04:05Z' : before.lastTransitionTime
      assert.deepEqual(after[index], { ...said, ...change, lastTransitionTime })
      assert.notEqual(after, has)
    },
  )

  void test('nothing new gives back the list itself', () => {
    const list = [other, before]
    assert.equal(setCondition(list, { ...said, at }), list)
  })

  void test('a law: one of each type, the others untouched and in order, setting twice is once', () => {
    const status = fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const)
    const change = fc.record({
      type: fc.constantFrom('A', 'B', 'C'),
      status,
      reason: fc.constantFrom('X', 'Y'),
      message: fc.constantFrom('', 'z'),
      at: fc.integer({ min: 0, max: 4e12 }).map(millis),
    })
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        let list: readonly Condition[] = []
        for (const next of changes) {
          const after = setCondition(list, next)
          const types = after.map(({ type }) => type)
          assert.equal(new Set(types).size, types.length)
          assert.deepEqual(
            types.slice(0, list.length),
            list.map(({ type }) => type),
          )
          for (const [i, old] of list.entries()) {
            if (old.type !== next.type) assert.equal(after[i], old)
            else if (old.status === next.status) {
              assert.equal(after[i]?.lastTransitionTime, old.lastTransitionTime)
            } else assert.equal(after[i]?.lastTransitionTime, timestamp(next.at))
          }
          assert.equal(setCondition(after, next), after)
          list = after
        }
      }),
    )
  })
})

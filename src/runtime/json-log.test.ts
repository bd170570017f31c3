import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { manualClock } from '../../test/manual-clock.ts'
import type { LogLevel } from '../ports/log.ts'
import { jsonLog, logLevels } from './json-log.ts'

const clock = manualClock({ wall: Date.UTC(2026, 0, 1) })

function written(
  fields: Readonly<Record<string, unknown>>,
  { level = 'info', least = 'debug' }: { level?: LogLevel; least?: LogLevel } = {},
): string[] {
  const lines: string[] = []
  jsonLog({ write: (line) => lines.push(line), clock, level: least })(level, 'resized', fields)
  return lines
}

const start = '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"resized"'
const cycle: { self?: unknown } = {}
cycle.self = cycle
const chain = new Error('resizing default/api', {
  cause: new Error('patching pod', { cause: 'socket hang up' }),
})
const cyclicCause = new Error('a')
cyclicCause.cause = cyclicCause

void describe('runtime/json-log', () => {
  each(
    [
      {
        name: 'fields follow',
        fields: { pod: 'default/api', n: 3 },
        ends: ',"pod":"default/api","n":3}\n',
      },
      { name: 'nothing follows nothing', fields: {}, ends: '}\n' },
      { name: 'an undefined field is left out', fields: { pod: undefined }, ends: '}\n' },
      { name: 'a field cannot pose as the message', fields: { msg: 'x', level: 'y' }, ends: '}\n' },
      { name: 'a line break stays on the line', fields: { a: 'b\nc' }, ends: ',"a":"b\\nc"}\n' },
      { name: 'a big integer is text', fields: { n: 7n }, ends: ',"n":"7"}\n' },
      {
        name: 'an error is its message and the chain of causes',
        fields: { error: chain },
        ends: ',"error":{"message":"resizing default/api","cause":{"message":"patching pod","cause":"socket hang up"}}}\n',
      },
      {
        name: 'also inside a field',
        fields: { tries: [new Error('no')] },
        ends: ',"tries":[{"message":"no"}]}\n',
      },
      {
        name: 'a cycle is named',
        fields: { a: cycle, b: 1 },
        ends: ',"a":"[object Object]","b":1}\n',
      },
      { name: 'an error that causes itself', fields: { a: cyclicCause }, ends: ',"a":"a"}\n' },
    ].map(({ name, fields, ends }) => ({ name, fields, ends: start + ends })),
    ({ fields, ends }) => assert.deepEqual(written(fields), [ends]),
  )

  void test('a mistake of ours comes with its stack', () => {
    assert.match(
      written({ error: new TypeError('x is not a function') })[0] ?? '',
      /json-log\.test/,
    )
  })

  void test('what is below the level is not written', () => {
    for (const [i, level] of logLevels.entries()) {
      for (const [j, least] of logLevels.entries()) {
        assert.equal(written({}, { level, least }).length, i >= j ? 1 : 0)
      }
    }
  })

  void test('a law: any fields give one line of JSON, and plain ones come back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything({ withBigInt: true })), (fields) => {
        const [line = '', ...others] = written(fields)
        assert.deepEqual(others, [])
        assert.equal(line.indexOf('\n'), line.length - 1)
        assert.equal((JSON.parse(line) as { msg: string }).msg, 'resized')
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{2}$/), fc.jsonValue()), (fields) => {
        const { time, level, msg, ...back } = JSON.parse(written(fields)[0] ?? '') as Record<
          string,
          unknown
        >
        assert.deepEqual([level, msg, typeof time], ['info', 'resized', 'string'])
        assert.deepEqual(back, JSON.parse(JSON.stringify(fields)))
      }),
    )
  })
})

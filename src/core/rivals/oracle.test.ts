/** VPA's own packages answered these questions: test/oracles/vpa. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { millicores, millis } from '../units.ts'
import { type History, noHistory, recommend, remember, whyUpdate } from './vpa.ts'

type Case = {
  readonly runs: readonly (readonly [minutes: number, milli: number])[]
  readonly containers: number
  readonly request: number
  readonly age: number
  readonly lower: number
  readonly target: number
  readonly upper: number
  readonly updates: boolean
}

const cases = readFileSync('test/oracles/vpa/cases.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)

function historyOf({ runs }: Case): History {
  let history = noHistory
  let at = START
  for (const [minutes, milli] of runs) {
    for (let minute = 0; minute < minutes; minute++) {
      history = remember(history, { at: millis(at), cores: milli / 1000 })
      at += MINUTE
    }
  }
  return history
}

void test('our VPA recommends and updates as VPA does, millicore by millicore', () => {
  assert.ok(cases.length >= 300)
  for (const one of cases) {
    const recommendation = recommend(historyOf(one), one.containers)
    const standing = { request: millicores(one.request), age: one.age * MINUTE }
    const updates = whyUpdate({ recommendation, ...standing }) !== undefined
    const { lower, target, upper } = one
    assert.deepEqual(
      { ...recommendation, updates },
      { lower, target, upper, updates: one.updates },
      JSON.stringify(one),
    )
  }
})

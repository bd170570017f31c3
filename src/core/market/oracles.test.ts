/** Our clearing against the stored answers of independent solvers: see test/oracles/market. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { holdExact, holdWhole, parseLines } from '../../../test/oracles/instances.ts'

const stored = (name: string) =>
  parseLines(readFileSync(`test/oracles/market/data/${name}.jsonl`, 'utf8'))

void describe('core/market oracles', () => {
  void test('a convex solver (Clarabel) agrees to 1e-8 of capacity before rounding', () => {
    const lines = stored('clarabel')
    assert.ok(lines.length >= 2000)
    holdExact(lines, { amount: 1e-8, price: 1e-7 })
  })

  void test('exact rational arithmetic agrees to 1e-12 of capacity in degenerate markets', () => {
    const lines = stored('rational')
    assert.ok(lines.length >= 1000)
    holdExact(lines, { amount: 1e-12, price: 1e-12 })
  })

  void test('trying every whole allocation finds none better', () => {
    const lines = stored('integer')
    assert.ok(lines.length >= 600)
    holdWhole(lines)
  })
})

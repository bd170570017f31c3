/** What every example scenario comes to; `record.ts` writes the tables anew. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { goldenFolder, goldenOf, goldenPath, scenarioNames } from '../simulate/scenarios.ts'

void describe('golden scenarios', () => {
  for (const name of scenarioNames()) {
    void test(`${name} gives the table that is stored`, async () => {
      assert.equal(await goldenOf(name), readFileSync(goldenPath(name), 'utf8'))
    })
  }

  void test('no table is left of a scenario that is gone', () => {
    assert.deepEqual(
      readdirSync(goldenFolder).toSorted(),
      scenarioNames().map((name) => `${name}.txt`),
    )
  })
})

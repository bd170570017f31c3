/** The bench of the estimator runs on this kernel; its figures are for people, not for a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/estimator/measure.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))
const reason = await whyNot()
const skip = reason === undefined ? false : `needs CPU cgroups to write to: ${reason}`

void test('the bench of the estimator prints a row a load, and its bars', { skip }, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [main, 'estimator', '--quick'])
  assert.equal(code, 0, stderr)
  const numbers = '([0-9.]+/[0-9.]+ *){8}'
  for (const load of ['open 1 ms', 'open 10 ms', 'closed 1 ms']) {
    assert.match(stdout, new RegExp(`^${load} x2 +250 +50 % +${numbers}$`, 'm'))
    assert.match(stdout, new RegExp(`^${load} +250 +all +${numbers}$`, 'm'))
  }
  assert.match(stdout, /^Within 10 % five seconds after the release: \d of 3 runs$/m)
  assert.match(stdout, /^Below 0.9 for no longer than 2 s: \d of 3 runs$/m)
})

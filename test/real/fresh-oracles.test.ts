/** The oracles answer questions that they were never asked before: another seed every day. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parseMillicores, parseQuantity } from '../../src/core/quantity.ts'
import { holdExact, holdWhole, parseLines } from '../oracles/instances.ts'
import { pathOf, real, skipUnless } from '../real.ts'
import { run } from '../run.ts'

const seed = String(Math.floor(Date.now() / 86_400_000))

async function ask(script: string, count: number): Promise<string> {
  const python = `${pathOf(real.oracleVenv)}/bin/python`
  const args = [`test/oracles/market/${script}.py`, '--count', String(count), '--seed', seed]
  const { code, stdout, stderr } = await run(python, args)
  assert.equal(code, 0, stderr)
  return stdout
}

void describe(`fresh oracles, seed ${seed}`, () => {
  const skip = skipUnless(real.oracleVenv)

  void test('a convex solver agrees to 1e-8 of capacity', { skip }, async () => {
    holdExact(parseLines(await ask('clarabel', 200)), { amount: 1e-8, price: 1e-7 })
  })

  void test('exact fractions agree to 1e-12 of capacity', { skip }, async () => {
    holdExact(parseLines(await ask('rational', 1000)), { amount: 1e-12, price: 1e-12 })
  })

  void test('trying every whole allocation finds none better', { skip }, async () => {
    holdWhole(parseLines(await ask('integer', 400)))
  })

  void test(
    "Kubernetes' own parser accepts, refuses and counts as ours does",
    { skip: skipUnless(real.quantityOracle) },
    async () => {
      const oracle = pathOf(real.quantityOracle)
      const questions = await run(oracle, ['-generate', '3000', '-seed', seed])
      const { code, stdout, stderr } = await run(oracle, [], { input: questions.stdout })
      assert.equal(code, 0, stderr)
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown[])
      assert.ok(answers.length >= 2500, `${answers.length} answers`)
      for (const [text, ok, milli] of answers) {
        if (typeof text !== 'string' || /[eE][+-]?\d{4,}/.test(text)) continue // exponents that wrap around
        assert.equal(parses(text), ok, text)
        // Beyond safe integers Go overflows where we refuse; of negative parts it miscounts some.
        if (ok !== true || text.startsWith('-') || isHuge(text)) continue
        assert.equal(String(parseMillicores(text)), milli, text)
      }
    },
  )
})

const isHuge = (text: string): boolean => parseQuantity(text).nanos > 10n ** 21n

function parses(text: string): boolean {
  try {
    parseQuantity(text)
    return true
  } catch {
    return false
  }
}

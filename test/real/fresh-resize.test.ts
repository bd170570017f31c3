/** Kubernetes' own rules judge pods and resizes that they never saw before: another seed every day. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { askOracle } from '../oracles/ask.ts'
import { type Answer, answer, verdictOf } from '../oracles/resize/answers.ts'
import { askAboutPods } from '../oracles/resize/questions.ts'
import { pathOf, real, skipUnless } from '../real.ts'

const seed = Math.floor(Date.now() / 86_400_000)

void describe(`fresh resizes, seed ${seed}`, () => {
  const skip = skipUnless(real.resizeOracle)

  void test('are defaulted, accepted and refused as by Kubernetes', { skip }, async () => {
    const questions = askAboutPods(6000, seed)
    const answers = await askOracle<Answer>(pathOf(real.resizeOracle), questions)
    assert.equal(answers.length, questions.length)
    let refused = 0
    for (const [index, theirs] of answers.entries()) {
      const question = questions[index]
      assert.ok(question)
      const ours = verdictOf(answer(question))
      assert.deepEqual(ours, verdictOf(theirs), JSON.stringify(question))
      if (ours.errors.length > 0) refused += 1
    }
    const isTelling = refused > questions.length / 5 && refused < (questions.length * 9) / 10
    assert.ok(isTelling, `${refused} of ${questions.length} refused`)
  })
})

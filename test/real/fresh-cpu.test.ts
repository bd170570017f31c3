/**
 * The kubelet's own managers judge machines, options, states, hints and pods that they never saw
 * before: another seed every day. What they see otherwise than ours is made small and kept, for
 * src/core/cpu/oracle.test.ts to hold from then on.
 */
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

import { askOracle } from '../oracles/ask.ts'
import { answer, isRefused, tryToAnswer, verdictOf } from '../oracles/cpu/answers.ts'
import { ask, keptFile, type Op, type Question, structure } from '../oracles/cpu/questions.ts'
import { minimise } from '../oracles/minimise.ts'
import { pathOf, real, skipUnless } from '../real.ts'

const seed = Math.floor(Date.now() / 86_400_000)

/** How many, and the least and the greatest part of them that is refused: else they tell little. */
const asked: Readonly<Record<Op, { count: number; refused: readonly [number, number] }>> = {
  assign: { count: 7000, refused: [0.1, 0.6] },
  hints: { count: 4000, refused: [0.1, 0.6] },
  merge: { count: 7000, refused: [0.2, 0.7] },
  play: { count: 2000, refused: [0.3, 0.9] },
}

// One is asked while another is answered: that halves the time.
void describe(`fresh questions about CPU topology, seed ${seed}`, { concurrency: true }, () => {
  const skip = skipUnless(real.cpuOracle)
  for (const op of Object.keys(asked) as Op[]) {
    const { count, refused } = asked[op]
    void test(`${count} of ${op} are answered as by the kubelet`, { skip }, async () => {
      const questions = ask(op, count, seed)
      const theirs = await askOracle<object>(pathOf(real.cpuOracle), questions)
      assert.equal(theirs.length, count)
      const ours = questions.map((question) => verdictOf(answer(question)))
      for (const [i, question] of questions.entries()) {
        const they = theirs[i] ?? {}
        if (!isDeepStrictEqual(ours[i], they)) await keep(question, they)
      }
      const ratio = ours.filter(isRefused).length / count
      assert.ok(ratio >= refused[0] && ratio <= refused[1], `${ratio} of ${op} refused`)
    })
  }
})

async function keep(question: Question, they: object): Promise<never> {
  const we = verdictOf(answer(question))
  const disagree = async (questions: readonly Question[]): Promise<boolean[]> => {
    const theirs = await askOracle<object>(pathOf(real.cpuOracle), questions)
    return questions.map((one, i) => {
      const [ours = {}, their = {}] = [tryToAnswer(one), theirs[i]]
      // So that it stays the same disagreement: no refusal where there was none.
      return isAlike(ours, we) && isAlike(their, they) && !isDeepStrictEqual(ours, their)
    })
  }
  const smallest = await minimise(question, { kept: structure, disagree })
  const [theirs] = await askOracle<object>(pathOf(real.cpuOracle), [smallest])
  appendFileSync(keptFile, `${JSON.stringify([smallest, theirs])}\n`)
  const ours = verdictOf(answer(smallest))
  assert.deepEqual(ours, theirs, `kept in ${keptFile}: ${JSON.stringify(smallest)}`)
  throw new Error(`disagreed, but not when asked again: ${JSON.stringify(question)}`)
}

const isAlike = (one: object, other: object): boolean =>
  isDeepStrictEqual(Object.keys(one), Object.keys(other))

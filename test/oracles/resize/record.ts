/** Prints cases.jsonl: the oracle's answers to the questions that `recorded` asks. */
import { pathOf, real } from '../../real.ts'
import { askOracle } from '../ask.ts'
import { type Answer, digestOf, verdictOf } from './answers.ts'
import { recorded } from './questions.ts'

const questions = recorded()
const answers = await askOracle<Answer>(pathOf(real.resizeOracle), questions)
for (const [index, answer] of answers.entries()) {
  const { qos, pod, errors } = verdictOf(answer)
  console.log(JSON.stringify([questions[index]?.op, qos, digestOf(pod), errors]))
}

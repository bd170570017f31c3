/** Prints cases.jsonl: the oracle's answers to the questions that `recorded` asks. */
import { pathOf, real } from '../../real.ts'
import { askOracle } from '../ask.ts'
import { recorded } from './questions.ts'

for (const answer of await askOracle<object>(pathOf(real.cpuOracle), recorded())) {
  console.log(JSON.stringify(answer))
}

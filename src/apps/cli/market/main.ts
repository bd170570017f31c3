/** `mbcas market`: joins it with files and formats. */
import { formatYaml, parseDocument } from '../../../adapters/document.ts'
import { terminalWidth } from '../../../adapters/terminal/width.ts'
import { forDocuments, nameOf, readText } from '../../../adapters/text-file.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { cut, visible } from '../../../core/visible.ts'
import { formatJson } from '../output.ts'
import { marketTable } from './market-table.ts'
import { clearFile, type MarketFlags, verifyFile } from './market.ts'

type ClearFlags = MarketFlags & {
  readonly file: string
  readonly output: 'table' | 'json' | 'yaml'
}

export async function runMarketClear({ file, output, ...flags }: ClearFlags): Promise<number> {
  const { market, result } = clearFile(await readDocument(file), flags, nameOf(file))
  if (output === 'json') console.log(formatJson(result))
  else if (output === 'yaml') process.stdout.write(formatYaml(result))
  else process.stdout.write(marketTable(market.bids, result, terminalWidth()))
  return 0
}

/** It may repeat what stands in the result. */
const longestProblem = 1000

type VerifyFlags = MarketFlags & { readonly file: string; readonly result: string }

export async function runMarketVerify({ file, result, ...flags }: VerifyFlags): Promise<number> {
  if (file === '-' && result === '-') {
    throw new InvalidInput(
      'reading standard input: expected the market or the result, got both; name a file with -f',
    )
  }
  const problems = verifyFile(await readDocument(file), await readDocument(result), flags, {
    market: nameOf(file),
    result: nameOf(result),
  })
  for (const problem of problems) console.log(visible(cut(problem, longestProblem)))
  if (problems.length === 0) {
    console.log(visible(`${nameOf(result)} is a valid clearing of ${nameOf(file)}`))
    return 0
  }
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  console.error(visible(`mbcas market verify: ${nameOf(result)}: ${count}`))
  return 1
}

const readDocument = async (path: string): Promise<unknown> =>
  parseDocument(await readText(path, forDocuments), nameOf(path))

/** Joins the terminal commands with files and formats. */
import { formatYaml, parseDocument } from '../../adapters/document.ts'
import { readText } from '../../adapters/text-file.ts'
import { marketTable } from './market-table.ts'
import { clearFile, type MarketFlags, verifyFile } from './market.ts'

export type OutputFormat = 'table' | 'json' | 'yaml'

type ClearFlags = MarketFlags & { readonly file: string; readonly output: OutputFormat }

export function runMarketClear({ file, output, ...flags }: ClearFlags): number {
  const { market, result } = clearFile(parseDocument(readText(file), nameOf(file)), flags)
  if (output === 'json') console.log(JSON.stringify(result, null, 2))
  else if (output === 'yaml') process.stdout.write(formatYaml(result))
  else process.stdout.write(marketTable(market.bids, result, process.stdout.columns ?? 80))
  return 0
}

type VerifyFlags = MarketFlags & { readonly file: string; readonly result: string }

export function runMarketVerify({ file, result, ...flags }: VerifyFlags): number {
  const claimed = parseDocument(readText(result), nameOf(result))
  const problems = verifyFile(parseDocument(readText(file), nameOf(file)), claimed, flags)
  for (const problem of problems) console.log(problem)
  if (problems.length === 0) {
    console.log(`${nameOf(result)} is a right clearing of ${nameOf(file)}`)
    return 0
  }
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  console.error(`mbcas market verify: ${nameOf(result)}: ${count}`)
  return 1
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path)

import { type Command, InvalidArgumentError, Option } from 'commander'

import { parseCpu } from '../../../apis/cpu-amount.ts'
import { mechanismNames } from '../../../core/market/mechanism-names.ts'
import type { Millicores } from '../../../core/units.ts'
import { addExamples, type Run, runs } from './shared.ts'

export function addMarket(program: Command, work: { readonly clear: Run; readonly verify: Run }) {
  const market = program
    .command('market')
    .description('Clear a market from a file, or check a clearing')
  const clear = market
    .command('clear')
    .description('Clear a market: who gets how much of a capacity, at what price, and why')
  addMarketFlags(clear)
    .addOption(
      new Option('-o, --output <format>', 'how to print the clearing')
        .choices(['table', 'json', 'yaml'])
        .default('table'),
    )
    .option('--start-price <price>', 'where primal-dual starts, such as the last price', parsePrice)
  const file = 'examples/markets/short-node.yaml'
  addExamples(
    runs(clear, work.clear),
    { command: `mbcas market clear -f ${file}`, about: 'who gets what, and why' },
    { command: `mbcas market clear -f ${file} --capacity 4 -o json`, about: 'for programs' },
  )
  const verify = market
    .command('verify')
    .description(
      'Check a clearing against its market: exit code 1 and what is wrong, if anything is',
    )
    .requiredOption(
      '--result <file>',
      'the clearing, as `market clear -o json` or `-o yaml` prints it',
    )
  addExamples(runs(addMarketFlags(verify), work.verify), {
    command: `mbcas market verify -f ${file} --result clearing.json`,
    about: 'is it right?',
  })
}

const addMarketFlags = (command: Command): Command =>
  command
    .option('-f, --file <file>', 'the market, JSON or YAML; - is standard input', '-')
    .addOption(
      new Option('--capacity <cpu>', 'what is shared, such as 3600m; wins over the file').argParser(
        parseCapacity,
      ),
    )
    .addOption(
      new Option('--mechanism <name>', 'how it is shared; wins over the file').choices(
        mechanismNames,
      ),
    )

/** As in the file: a quantity, and what YAML would read as a number is millicores. */
const bareNumber = /^[-+]?(\.\d+|\d+(\.\d*)?)(e[-+]?\d+)?$/i

function parseCapacity(text: string): Millicores {
  try {
    return parseCpu(bareNumber.test(text) ? Number(text) : text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function parsePrice(text: string): number {
  const price = Number(text)
  if (text.trim() !== '' && price >= 0 && price < Infinity) return price
  throw new InvalidArgumentError(`expected a number of 0 or more, got "${text}"`)
}

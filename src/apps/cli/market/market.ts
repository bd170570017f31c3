/** `mbcas market`: clears a market from a file, and checks a clearing against one. */
import {
  type MarketFile,
  marketFile,
  marketResult,
  type MarketResult,
} from '../../../apis/market-file.ts'
import { parseAs } from '../../../apis/parse.ts'
import { InvalidInput, naming } from '../../../core/errors.ts'
import { type Clearing, clearMarket, type Mode } from '../../../core/market/clear.ts'
import { explainAllocation } from '../../../core/market/explain.ts'
import type { MechanismName } from '../../../core/market/mechanism-names.ts'
import { verifyClearing } from '../../../core/market/verify.ts'
import type { Millicores } from '../../../core/units.ts'
import { showMillicores } from '../show.ts'

export type MarketFlags = {
  readonly capacity?: Millicores
  readonly mechanism?: MechanismName
  readonly startPrice?: number
}

type Market = Pick<MarketFile, 'bids'> & {
  readonly capacity: Millicores
  readonly mechanism: MechanismName
}

/** Flags win over the file. */
export function readMarket(document: unknown, flags: MarketFlags, name: string): Market {
  const file = parseAs(marketFile, document, name)
  const capacity = flags.capacity ?? file.capacity
  if (capacity === undefined) {
    throw new InvalidInput(
      `${name}: expected capacity, got nothing; write it into the file or give --capacity`,
    )
  }
  return { capacity, mechanism: flags.mechanism ?? file.mechanism ?? 'nash', bids: file.bids }
}

/** `name` is how the faults call the document. */
export function clearFile(
  document: unknown,
  flags: MarketFlags,
  name = 'market',
): { market: Market; result: MarketResult } {
  const market = readMarket(document, flags, name)
  const { capacity, mechanism, bids } = market
  const start = flags.startPrice === undefined ? {} : { startPrice: flags.startPrice }
  const clearing = naming(name, () => clearMarket(capacity, bids, { mechanism, ...start }))
  const { mode, price, slack, certificate, iterations } = clearing
  const allocations = bids.map(({ id }, i) => ({
    id,
    millicores: clearing.amounts[i] ?? 0,
    exact: clearing.exact[i] ?? 0,
    reason: explainAllocation(clearing, bids, i, showMillicores),
  }))
  const rest = iterations === undefined ? {} : { iterations }
  return {
    market,
    result: { mode, mechanism, capacity, price, slack, allocations, certificate, ...rest },
  }
}

/** What is wrong with a result, in words; nothing, if it is right. */
export function verifyFile(
  document: unknown,
  resultDocument: unknown,
  flags: MarketFlags,
  names = { market: 'market', result: 'result' },
): string[] {
  const market = readMarket(document, flags, names.market)
  const { capacity, mechanism, bids } = market
  naming(names.market, () => clearMarket(capacity, bids)) // refuses bids that cannot be cleared
  let result: MarketResult
  try {
    result = parseAs(marketResult, resultDocument, names.result)
  } catch (error) {
    if (error instanceof InvalidInput) return error.message.split('\n')
    throw error
  }
  const misplaced = verifyIds(bids, result)
  if (misplaced.length > 0) return misplaced
  const problems = result.allocations
    .filter(({ reason }) => reason === '')
    .map(({ id }) => `allocation "${id}": expected a reason, got ""`)
  if (result.mechanism !== mechanism) {
    problems.push(
      `expected mechanism to be ${mechanism}, got ${result.mechanism}; if it was cleared with --mechanism, give the same here`,
    )
  }
  problems.push(...verifyIterations(result))
  const clearing: Clearing<Millicores> = {
    mode: result.mode as Mode,
    mechanism: result.mechanism,
    capacity: result.capacity as Millicores,
    price: result.price,
    slack: result.slack as Millicores,
    amounts: result.allocations.map(({ millicores }) => millicores as Millicores),
    exact: result.allocations.map(({ exact }) => exact),
    certificate: result.certificate,
  }
  return [...problems, ...verifyClearing(capacity, bids, clearing)]
}

/** Only primal-dual broadcasts prices, and only when there is something to share. */
function verifyIterations({ mode, mechanism, iterations }: MarketResult): string[] {
  if (mechanism !== 'primal-dual' || mode !== 'congested') {
    return iterations === undefined ? [] : [`expected no iterations, got ${iterations}`]
  }
  return Number.isSafeInteger(iterations) && Number(iterations) >= 0
    ? []
    : [`expected iterations to be a whole number, got ${iterations ?? 'nothing'}`]
}

function verifyIds(bids: Market['bids'], { allocations }: MarketResult): string[] {
  const problems: string[] = []
  for (let i = 0; i < Math.max(bids.length, allocations.length); i++) {
    const [wanted, got] = [bids[i]?.id, allocations[i]?.id]
    if (wanted === got) continue
    const name = (id: string | undefined) => (id === undefined ? 'none' : `bid "${id}"`)
    problems.push(`allocation ${i + 1}: expected ${name(wanted)}, got ${name(got)}`)
  }
  return problems
}

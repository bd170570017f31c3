/**
 * How fast markets clear: congested at 60 % of the needs, ids like those of pods and in no order.
 * Several markets take turns, as a single one of 110 bids would be learnt by the branch predictor.
 * All mechanisms run before any is timed, so that what the compiler has seen by then does not depend
 * on the order of the rows.
 */
import { isDeepStrictEqual } from 'node:util'

import { showMillicores, table } from '../../src/apps/cli/show.ts'
import { countedNeed } from '../../src/core/market/bid.ts'
import { clearMarket } from '../../src/core/market/clear.ts'
import { explainAllocation } from '../../src/core/market/explain.ts'
import { type MechanismName, mechanismNames } from '../../src/core/market/mechanism-names.ts'
import { scratchFor } from '../../src/core/market/scratch.ts'
import { type Vessels, waterLevel } from '../../src/core/market/water-level.ts'
import { bisection, formShares, makeWork, sortAndSearch, sortAndWalk } from './baselines.ts'
import type { Bench } from './bench.ts'
import { clearPlainly, makePlainWork } from './plain-clearing.ts'
import { type PodMarket, podMarkets, type WeightKind, weightKinds } from './pod-markets.ts'
import { race, showMillis } from './timing.ts'

/** The bar is for the mean of a whole clearing. */
const sizes = [
  { pods: 110, markets: 32, barMillis: 0.02 },
  { pods: 100_000, markets: 2, barMillis: 30 },
]
const budgetMillis = { solver: 800, clearing: 1200, reasons: 300 }

type Case = (typeof sizes)[number] & {
  readonly weights: WeightKind
  readonly pool: readonly PodMarket[]
}

export const market: Bench = {
  name: 'market',
  about: 'clearing 110 and 100,000 bids: the solver alone, and whole, against plain rivals',
  run() {
    const cases: Case[] = []
    for (const size of sizes) {
      for (const weights of weightKinds) {
        cases.push({ ...size, weights, pool: podMarkets({ ...size, weights }) })
      }
    }
    for (const at of cases) for (const name of mechanismNames) checkClearings(at, name)
    print('The solver alone: the exact continuous allocation, on the same arrays', [
      ...table(solverColumns, cases.flatMap(solverRows)),
      '',
      'sort, walk: vessels sorted with a comparator; sort, search: breakpoints sorted natively;',
      'bisection: to 1e-12. Best: of the rounds, in each of which all took turns.',
    ])
    print('The whole clearing: validation, solver, whole units, certificate', [
      ...table(
        clearingColumns,
        cases.flatMap((at) => mechanismNames.map((name) => clearingRow(at, name))),
      ),
      '',
      'Bar: for the mean. Reasons: what a sentence for every bid adds. Plain: a Set for the ids,',
      'native sort, a heap for whole units, the same certificate, the same amounts. Ratio: of means.',
    ])
  },
}

const print = (title: string, lines: readonly string[]) =>
  console.log(['', title, '', ...lines].join('\n'))

const solverColumns = [
  { title: 'WEIGHTS', align: 'left' },
  { title: 'BIDS', align: 'right' },
  { title: 'SOLVER', align: 'left' },
  { title: 'MEAN', align: 'right' },
  { title: 'BEST', align: 'right' },
  { title: 'MEAN / OURS', align: 'right' },
] as const

function solverRows({ weights, pods, pool }: Case): string[][] {
  const inputs = pool.map(nashVessels)
  const [scratch, work] = [scratchFor(pods), makeWork(pods)]
  const shares = new Float64Array(pods)
  const solvers = {
    ours: (vessels: Vessels) => waterLevel(vessels, scratch).level,
    'sort, walk': (vessels: Vessels) => sortAndWalk(vessels, work),
    'sort, search': (vessels: Vessels) => sortAndSearch(vessels, work),
    bisection: (vessels: Vessels) => bisection(vessels, work),
  }
  const names = Object.keys(solvers) as (keyof typeof solvers)[]
  for (const { vessels, capacity } of inputs) {
    const ours = formShares(vessels, solvers.ours(vessels), new Float64Array(pods))
    for (const name of names) {
      formShares(vessels, solvers[name](vessels), shares)
      const off = shares.reduce(
        (most, share, i) => Math.max(most, Math.abs(share - (ours[i] ?? 0))),
        0,
      )
      if (off <= 1e-9 * capacity) continue
      throw new Error(`bench: ${name} and ours differ by ${off} of ${capacity} for ${pods} bids`)
    }
  }
  const timings = race(
    names.map((name) => {
      const solve = solvers[name]
      const run = (call: number) => {
        const { vessels } = inputs[call % inputs.length] as (typeof inputs)[number]
        return formShares(vessels, solve(vessels), shares)
      }
      return { name, run }
    }),
    budgetMillis.solver,
  )
  return names.map((name) => {
    const { mean, best } = timings[name]
    const ratio = name === 'ours' ? '' : times(mean / timings.ours.mean)
    return [weights, pods.toLocaleString('en'), name, showMillis(mean), showMillis(best), ratio]
  })
}

function nashVessels({ capacity, bids }: PodMarket): { vessels: Vessels; capacity: number } {
  const floors = bids.reduce((sum, { floor }) => sum + floor, 0)
  const slopes = Float64Array.from(bids, ({ weight }) => weight)
  const caps = Float64Array.from(bids, (bid) => countedNeed(bid) - bid.floor)
  return { vessels: { count: bids.length, amount: capacity - floors, slopes, caps }, capacity }
}

const clearingColumns = [
  { title: 'WEIGHTS', align: 'left' },
  { title: 'BIDS', align: 'right' },
  { title: 'MECHANISM', align: 'left' },
  { title: 'MEAN', align: 'right' },
  { title: 'BEST', align: 'right' },
  { title: 'BAR', align: 'left' },
  { title: 'REASONS', align: 'right' },
  { title: 'PLAIN', align: 'right' },
  { title: 'RATIO', align: 'right' },
] as const

function checkClearings({ pods, pool }: Case, mechanism: MechanismName): void {
  const work = makePlainWork(pods)
  for (const market of pool) {
    const { mode, amounts } = clearMarket(market.capacity, market.bids, { mechanism })
    const plain = clearPlainly(market, mechanism, work)
    if (mode === 'congested' && isDeepStrictEqual(amounts, plain.amounts)) continue
    throw new Error(`bench: ${mechanism} and the plain clearing differ for ${pods} bids (${mode})`)
  }
}

function clearingRow({ weights, pods, pool, barMillis }: Case, mechanism: MechanismName): string[] {
  const work = makePlainWork(pods)
  const marketOf = (call: number) => pool[call % pool.length] as PodMarket
  const clear = ({ capacity, bids }: PodMarket) => clearMarket(capacity, bids, { mechanism })
  const clearings = new Map(pool.map((market) => [market, clear(market)]))
  const explain = (market: PodMarket) => {
    const clearing = clearings.get(market)
    if (clearing === undefined) return []
    return market.bids.map((_, i) => explainAllocation(clearing, market.bids, i, showMillicores))
  }
  const { ours, plain } = race(
    [
      { name: 'ours', run: (call) => clear(marketOf(call)) },
      { name: 'plain', run: (call) => clearPlainly(marketOf(call), mechanism, work) },
    ],
    budgetMillis.clearing,
  )
  const { reasons } = race(
    [{ name: 'reasons', run: (call) => explain(marketOf(call)) }],
    budgetMillis.reasons,
  )
  const bar = barMillis < 1 ? `${barMillis * 1000} us` : `${barMillis} ms`
  return [
    weights,
    pods.toLocaleString('en'),
    mechanism,
    showMillis(ours.mean),
    showMillis(ours.best),
    `${bar} ${ours.mean <= barMillis ? 'meets' : 'misses'}`,
    showMillis(reasons.mean),
    showMillis(plain.mean),
    times(plain.mean / ours.mean),
  ]
}

const times = (ratio: number): string => `${ratio.toFixed(1)} x`

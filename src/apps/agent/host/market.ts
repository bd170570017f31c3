/**
 * When CPU is short: what everyone is to get by the market, and the way there.
 *
 * Somebody who wants more than can be found for it, or the time, calls for a clearing. When it finds
 * that needs do not fit, its amounts become targets: who is short is held to its target, so that a
 * wish cannot take back between two clearings what the market gave to another; who got its need may go
 * on by its own law, and what it moves are new targets.
 */
import { respondToPrice } from '../../../core/bidding/price-response.ts'
import type { Move } from '../../../core/guardrail/fund-raises.ts'
import { clearMarket, type Clearing } from '../../../core/market/clear.ts'
import type { MechanismName } from '../../../core/market/mechanism-names.ts'
import { step } from '../../../core/stability/lyapunov.ts'
import type { Millicores, Millis } from '../../../core/units.ts'
import type { Trader } from './group.ts'

export type Market = {
  readonly at: Millis
  readonly clearing: Clearing<Millicores>
  /** While CPU is short; by id. */
  readonly targets: ReadonlyMap<string, Target> | undefined
}

export type Target = { readonly amount: Millicores; readonly isShort: boolean }

export type MarketRules = {
  readonly mechanism: MechanismName
  /** Needs fall with the price. */
  readonly respondsToPrice: boolean
  readonly fastMillis: Millis
  readonly slowMillis: Millis
}

/** Of the capacity, at a sample. */
const STEP_RATIO = 0.1
const LEAST_STEP = 100

export type Traded = { readonly capacity: Millicores; readonly traders: readonly Trader[] }

/** At most once a fast interval while CPU is short, else once a slow one; at once for a newcomer. */
export function isDue(
  market: Market,
  { at, isUnmet }: { readonly at: Millis; readonly isUnmet: boolean },
  { fastMillis, slowMillis }: MarketRules,
): boolean {
  const isShort = isUnmet || market.targets !== undefined
  return at - market.at >= (isShort ? fastMillis : slowMillis)
}

export function clear(
  at: Millis,
  { capacity, traders, isUnmet }: Traded & { readonly isUnmet: boolean },
  { mechanism, respondsToPrice }: MarketRules,
): Market {
  const clearing = (respondsToPrice ? clearByPrice : clearMarket)(
    capacity,
    traders.map(({ bid }) => bid),
    { mechanism },
  )
  if (clearing.mode === 'uncongested' && !isUnmet) return { at, clearing, targets: undefined }
  const targets = traders.map(({ id, bid }, i): [string, Target] => {
    const amount = clearing.amounts[i] ?? bid.floor
    return [id, { amount, isShort: amount < bid.need }]
  })
  return { at, clearing, targets: new Map(targets) }
}

const clearByPrice: typeof clearMarket<Millicores> = (...asked) => respondToPrice(...asked).clearing

/** Whether the targets still are for those who trade, and for what there is. */
export function fits({ targets }: Market, { capacity, traders }: Traded): boolean {
  if (targets === undefined) return true
  const sum = traders.reduce((sum, { id }) => sum + (targets.get(id)?.amount ?? Infinity), 0)
  return sum <= capacity
}

/** One step towards the targets: what each holds then, and who is short wants no more than that. */
export function follow({ targets }: Market, { capacity, traders }: Traded): readonly Trader[] {
  if (targets === undefined) return traders
  const maxStep = Math.max(LEAST_STEP, Math.floor(STEP_RATIO * capacity)) as Millicores
  const items = traders.map(({ id, current }) => ({
    id,
    current,
    target: targets.get(id)?.amount ?? current,
  }))
  const { next } = step({ items, capacity, maxStep })
  return traders.map((trader, i) => {
    const { current = trader.current, target = trader.current } = next[i] ?? {}
    const isShort = targets.get(trader.id)?.isShort === true
    return {
      ...trader,
      current,
      wanted: isShort ? (Math.min(trader.wanted, current) as Millicores) : trader.wanted,
      reason: current === trader.current ? trader.reason : `on its way to ${target}m by the market`,
    }
  })
}

/** What rises are still to come for those who are short: nobody else may take it. */
export const promisedBy = ({ targets }: Market, traders: readonly Trader[]): number =>
  traders.reduce((sum, { id, current }) => {
    const target = targets?.get(id)
    return target?.isShort === true ? sum + Math.max(0, target.amount - current) : sum
  }, 0)

/** What moved by its own law, or gave way to it, stays there until the next clearing. */
export function retarget(market: Market, moves: readonly Move[]): Market {
  if (market.targets === undefined) return market
  const targets = new Map(market.targets)
  for (const { id, to } of moves) {
    targets.set(id, { amount: to, isShort: targets.get(id)?.isShort === true })
  }
  return { ...market, targets }
}

/** What one sample of all groups leads to: a pure step from what is known to what is to be written. */
import { type CostRules, searchLeast } from '../../../core/bidding/cost-search.ts'
import type { CpuSet } from '../../../core/cpu/cpu-set.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Move } from '../../../core/guardrail/fund-raises.ts'
import { regulate } from '../../../core/regulation/regulate.ts'
import type { Millicores, Millis } from '../../../core/units.ts'
import {
  type Group,
  type GroupRules,
  noTrial,
  senseGroup,
  type SensingRules,
  type Trader,
  traderOf,
  usedBy,
} from './group.ts'
import {
  clear,
  fits,
  follow,
  isDue,
  type Market,
  type MarketRules,
  promisedBy,
  retarget,
  type Traded,
} from './market.ts'

export type HostRules = SensingRules &
  MarketRules & {
    /** What is sold. */
    readonly capacity: Millicores
    readonly groups: readonly GroupRules[]
    /** CPUs of those without some of their own; undefined: nobody has, and cpusets are left alone. */
    readonly pool: CpuSet | undefined
    /** Undefined: not the cost mode. */
    readonly cost: CostRules | undefined
  }

export type Memory = {
  /** Those that are there, by path. */
  readonly groups: ReadonlyMap<string, Group>
  readonly market: Market | undefined
  readonly isUnmet: boolean
  /** By the cost mode. */
  readonly searchedAt: number
}

export const nothingKnown: Memory = {
  groups: new Map(),
  market: undefined,
  isUnmet: false,
  searchedAt: -Infinity,
}

export type Seen = {
  readonly at: Millis
  /** Of the groups that are there, by path. */
  readonly readings: ReadonlyMap<string, CpuReading>
}

export type Decided = {
  readonly memory: Memory
  /** Quotas to be written; of a group without one, from what it uses. */
  readonly moves: readonly Move[]
}

export function decide(before: Memory, seen: Seen, rules: HostRules): Decided {
  const { at } = seen
  const sensed = senseAll(before.groups, seen.readings, rules)
  const { cost, slowMillis } = rules
  const isSearching = cost !== undefined && at - before.searchedAt >= slowMillis
  const groups = isSearching ? searchAll(sensed, at, cost) : sensed
  const traders = [...groups.values()].flatMap((group) => traderOf(group, rules) ?? [])
  const traded = { capacity: capacityFor(traders, groups, rules), traders }
  const market = marketOf(before, { at, ...traded }, rules)
  const { moves, regulated, isUnmet } = moveAll(market, traded)
  return {
    memory: {
      groups,
      market: retarget(market, regulated),
      isUnmet,
      searchedAt: isSearching ? at : before.searchedAt,
    },
    moves,
  }
}

function senseAll(
  before: Memory['groups'],
  readings: Seen['readings'],
  rules: HostRules,
): ReadonlyMap<string, Group> {
  const sensed = new Map<string, Group>()
  for (const group of rules.groups) {
    const reading = readings.get(group.path)
    if (reading === undefined) continue
    sensed.set(group.path, senseGroup(before.get(group.path), { reading, group }, rules))
  }
  return sensed
}

/** What is left for those that trade: the others use what they use. */
function capacityFor(
  traders: readonly Trader[],
  groups: ReadonlyMap<string, Group>,
  { capacity }: HostRules,
): Millicores {
  const trading = new Set(traders.map(({ id }) => id))
  let left: number = capacity
  for (const [path, group] of groups) if (!trading.has(path)) left -= usedBy(group)
  return Math.max(0, left) as Millicores
}

function marketOf(
  { market, isUnmet }: Memory,
  { at, ...traded }: Traded & { readonly at: Millis },
  rules: HostRules,
): Market {
  return market === undefined || isDue(market, { at, isUnmet }, rules) || !fits(market, traded)
    ? clear(at, { ...traded, isUnmet }, rules)
    : market
}

function moveAll(market: Market, { capacity, traders }: Traded) {
  const followed = follow(market, { capacity, traders })
  const free = Math.max(0, capacity - promisedBy(market, followed)) as Millicores
  const { now, unmet } = regulate(free, followed)
  const decided = new Map(now.map((move) => [move.id, move]))
  const moves = traders.flatMap(({ id, current: from, hasLimit }, i): Move[] => {
    const { current, reason } = followed[i] ?? { current: from, reason: '' }
    const move = decided.get(id)
    const to = move?.to ?? current
    return to === from && hasLimit ? [] : [{ id, from, to, reason: move?.reason ?? reason }]
  })
  return { moves, regulated: now, isUnmet: unmet.length > 0 }
}

function searchAll(
  groups: ReadonlyMap<string, Group>,
  at: Millis,
  cost: CostRules,
): ReadonlyMap<string, Group> {
  const searched = [...groups].map(([path, group]): [string, Group] => {
    const { rules, tracked, trial, search } = group
    const { demandCores } = tracked
    if (demandCores === undefined || trial.granted === Infinity) return [path, group]
    const seen = {
      at,
      demandCores,
      granted: trial.granted as Millicores,
      throttledRatio: trial.periods === 0 ? 0 : trial.throttledPeriods / trial.periods,
      isTooSlow: false,
      floor: rules.floor,
      ceiling: rules.ceiling,
    }
    return [path, { ...group, search: searchLeast(search, seen, cost), trial: noTrial }]
  })
  return new Map(searched)
}

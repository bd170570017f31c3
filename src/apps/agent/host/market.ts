/** When the market of a host is cleared, for which bids, and what each group is given. */
import { millicoresUp } from '../../../core/bidding/pod.ts'
import { respondToPrice } from '../../../core/bidding/price-response.ts'
import type { Bid } from '../../../core/market/bid.ts'
import { clearMarket, type Clearing } from '../../../core/market/clear.ts'
import type { MechanismName } from '../../../core/market/mechanism-names.ts'
import type { Millicores, Millis } from '../../../core/units.ts'
import type { Group } from './group.ts'

export type Market = {
  readonly at: Millis
  readonly clearing: Clearing<Millicores>
  /** By path. */
  readonly given: ReadonlyMap<string, Millicores>
}

export type MarketRules = {
  /** What is sold. */
  readonly capacity: Millicores
  readonly mechanism: MechanismName
  /** Needs fall with the price. */
  readonly respondsToPrice: boolean
  /** Of a bid above demand. */
  readonly headroomRatio: number
  readonly isStrict: boolean
  /** What nobody needs is added to the quotas of strict groups. */
  readonly sharesIdle: boolean
  readonly fastMillis: Millis
  readonly slowMillis: Millis
}

/** Fewer samples do not say enough to take anything away. */
const SOUND_SAMPLES = 5

export const isSound = ({ samples }: Group): boolean => samples >= SOUND_SAMPLES

export type Members = {
  readonly at: Millis
  /** Those that share CPUs. */
  readonly groups: readonly Group[]
  /** All CPUs are in use, or a strict group suffers. */
  readonly isPressed: boolean
}

/** Once per fast interval while CPU is short, else once per slow one; at once when a newcomer is known. */
export function isDue(
  { at, clearing }: Market,
  { at: now, groups, isPressed }: Members,
  { fastMillis, slowMillis }: MarketRules,
): boolean {
  const isShort = isPressed || clearing.mode !== 'uncongested'
  const isNews = groups.some(({ samples }) => samples === SOUND_SAMPLES)
  return isNews || now - at >= (isShort ? fastMillis : slowMillis)
}

export function clear({ at, groups }: Members, rules: MarketRules): Market {
  const { capacity, mechanism, respondsToPrice, isStrict, sharesIdle } = rules
  const bids = groups.map((group) => bidOf(group, rules))
  const clearing = respondsToPrice
    ? respondToPrice(capacity, bids, { mechanism }).clearing
    : clearMarket(capacity, bids, { mechanism })
  const isSpare = isStrict && sharesIdle && clearing.mode === 'uncongested'
  const amounts = isSpare ? addIdle(clearing, bids) : clearing.amounts
  const given = bids.map(({ id, floor }, i) => [id, amounts[i] ?? floor] as const)
  return { at, clearing, given: new Map(given) }
}

/**
 * An elastic group that sleeps asks for nothing, since by its weight it has its floor the moment that
 * it wakes: so the price is that of CPU that somebody wants. A strict one keeps the quota of its floor.
 */
function bidOf(
  { rules: { path: id, floor, ceiling, weight }, tracked }: Group,
  { headroomRatio, isStrict }: MarketRules,
): Bid<Millicores> {
  const need = millicoresUp((tracked.demandCores ?? 0) * (1 + headroomRatio))
  const least = isStrict ? floor : (Math.min(floor, need) as Millicores)
  return { id, floor: least, need, ceiling, weight }
}

/** All that is sold, by weight, up to the ceilings. */
const addIdle = (
  { capacity, mechanism, amounts }: Clearing<Millicores>,
  bids: readonly Bid<Millicores>[],
): readonly Millicores[] =>
  clearMarket(
    capacity,
    bids.map((bid, i) => ({ ...bid, floor: amounts[i] ?? bid.floor, need: bid.ceiling })),
    { mechanism },
  ).amounts

/** Why a bid got what it got, in words for an operator; built only for the bids that are asked about. */
import type { Millicores } from '../units.ts'
import { type Bid, countedNeed } from './bid.ts'
import type { Clearing } from './clear.ts'

type Asked = {
  readonly bid: Bid<Millicores>
  readonly amount: Millicores
  readonly clearing: Clearing<Millicores>
  readonly show: (amount: Millicores) => string
}

export function explainAllocation(
  clearing: Clearing<Millicores>,
  bids: readonly Bid<Millicores>[],
  index: number,
  show: (amount: Millicores) => string,
): string {
  const bid = bids[index]
  const amount = clearing.amounts[index]
  if (bid === undefined || amount === undefined) {
    throw new RangeError(`explaining allocation ${index}: there are ${bids.length} bids`)
  }
  const asked = { bid, amount, clearing, show }
  if (clearing.mode === 'overloaded') return overloaded(asked)
  if (bid.floor === countedNeed(bid)) return atFloor(asked)
  return clearing.mode === 'uncongested'
    ? inFull(asked, 'there is enough for everyone')
    : congested(asked)
}

function atFloor({ bid, show }: Asked): string {
  if (bid.need > bid.ceiling)
    return `gets its floor of ${show(bid.floor)}, which is also its ceiling`
  return bid.need < bid.floor
    ? `gets its floor of ${show(bid.floor)}, although it needs only ${show(bid.need)}`
    : `gets its floor of ${show(bid.floor)}, which is all it needs`
}

function inFull({ bid, show }: Asked, because: string): string {
  return bid.need > bid.ceiling
    ? `gets its ceiling of ${show(bid.ceiling)}, although it needs ${show(bid.need)}`
    : `gets its need of ${show(bid.need)} in full: ${because}`
}

function congested(asked: Asked): string {
  const { bid, amount, clearing, show } = asked
  const need = countedNeed(bid)
  const above = (amount - bid.floor) as Millicores
  const of = bid.need > bid.ceiling ? `its ceiling of ${show(need)}` : `the ${show(need)} it needs`
  if (amount === need)
    return inFull(asked, `its weight of ${weightOf(bid)} entitles it to that much`)
  if (above === 0) {
    return `stays at its floor of ${show(bid.floor)}: too little is left above the floors for a millicore each, and heavier bids come first`
  }
  const start = `gets ${show(amount)} of ${of}: capacity is short, so above its floor of ${show(bid.floor)} it gets ${show(above)}`
  if (clearing.mechanism === 'kalai-smorodinsky') {
    return `${start}, which is ${percent(above, need - bid.floor)} of what it asks (the common part times its weight of ${weightOf(bid)})`
  }
  return `${start}, its share by weight ${weightOf(bid)} at a price of ${significant(clearing.price ?? 0)} per millicore`
}

function overloaded({ bid, amount, clearing, show }: Asked): string {
  const { floor } = bid
  const weight = weightOf(bid)
  if (floor === 0)
    return `gets nothing: even the floors do not fit, and its floor is ${show(floor)}`
  const cause = `the floors do not fit into ${show(clearing.capacity)}`
  return amount === floor
    ? `gets its floor of ${show(floor)} and no more: ${cause}, but its weight of ${weight} entitles it to its floor`
    : `gets ${show(amount)} of its floor of ${show(floor)}: ${cause}, which is shared by weight (${weight}) x floor`
}

const percent = (part: number, whole: number): string => `${significant((100 * part) / whole)} %`
const significant = (value: number): string => String(Number(value.toPrecision(3)))
/** A part of a namespace's share has no end of decimals, and nobody reads more than three. */
const weightOf = ({ weight }: { readonly weight: number }): string =>
  weight < 1 ? significant(weight) : String(Number(weight.toFixed(3)))

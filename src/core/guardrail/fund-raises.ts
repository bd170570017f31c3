/**
 * Where the CPU of raises comes from between two clearings of the market.
 *
 * Objective: raise those who suffer, the heaviest first, at the least cost to others. Constraints:
 * the sum never grows above the capacity; nobody falls below its need for one who is not heavier, nor
 * below its floor for anyone; who suffers (or did lately) gives only to a heavier one that is allowed
 * to make it yield.
 * Method: askers of one weight after the other, heavy to light. Unsold capacity first; then what
 * others have above their need, which is lent; then what lighter bids have above their floor; each
 * time the lightest first. Where the sum is above the capacity to begin with (it shrank, or one came
 * with a limit of its own), what others could give is owed for that first. Those of equal weight share what there is by their wishes. O(a n log n).
 *
 *   capacity 1000; has, need, floor, weight     asks       gives
 *   a 400 400 100 2; b 400 300 100 1            a to 500   a 500 from unsold
 *   a 400 400 100 2; b 600 300 100 1            a to 900   a 900, b 100
 *   a 400 400 100 1; b 600 500 100 1            a to 900   a 500, b 500: b is not lighter
 */
import { shareFree } from '../stability/share-free.ts'
import type { Millicores } from '../units.ts'
import type { Rung } from './ladder.ts'

export type Party = {
  readonly id: string
  /** In words for people; its id if not told. */
  readonly name?: string | undefined
  readonly current: Millicores
  readonly need: Millicores
  readonly floor: Millicores
  readonly weight: number
  /** It suffers or did lately: decreases are blocked. */
  readonly isBlocked: boolean
}

export type Ask = { readonly id: string; readonly to: Millicores; readonly rung: Rung }

export type Move = {
  readonly id: string
  readonly from: Millicores
  readonly to: Millicores
  readonly reason: string
}

export type Raises = {
  readonly capacity: Millicores
  readonly parties: readonly Party[]
  readonly asks: readonly Ask[]
}

type Account = Party & {
  held: number
  /** Of that, what there is not. */
  owes: number
  isAsking: boolean
  readonly words: string[]
}
type Asker = { readonly account: Account; readonly ask: Ask; wish: number }

/** Only those that move, by id. */
export function fundRaises({ capacity, parties, asks }: Raises): Move[] {
  const accounts = new Map<string, Account>()
  for (const party of parties) {
    accounts.set(party.id, { ...party, held: party.current, owes: 0, isAsking: false, words: [] })
  }
  const askers = readAsks(asks, accounts)
  for (const { account } of askers) account.isAsking = true
  const left = capacity - parties.reduce((sum, { current }) => sum + current, 0)
  let unsold = Math.max(0, left)
  let owed = Math.max(0, -left)
  for (const weight of new Set(askers.map(({ account }) => account.weight))) {
    const equals = askers.filter(({ account }) => account.weight === weight)
    unsold -= give(equals, { free: unsold, source: 'of unsold CPU' })
    for (const keep of ['need', 'floor'] as const) {
      for (const donor of donorsTo(weight, keep, accounts)) {
        const takers = donor.isSpared ? equals.filter(mayMakeYield) : equals
        const { held, owes } = donor.account
        const spare = Math.max(0, held - owes - keptBy(donor.account, keep))
        const owing = Math.min(spare, owed)
        donor.account.owes += owing
        owed -= owing
        const free = spare - owing
        const why = keep === 'need' ? 'does not need it' : 'weighs less'
        const given = give(takers, { free, source: `of ${nameOf(donor.account)}, which ${why}` })
        if (given === 0) continue
        donor.account.held -= given
        const to = takers.map(({ account }) => nameOf(account)).join(', ')
        const than = keep === 'need' ? '' : ' and weighs more'
        donor.account.words.push(`gave ${given}m to ${to}, which needs it${than}`)
      }
    }
  }
  return movesOf(accounts, askers)
}

/** Heavy to light, ties by id; who asks for what it has does not ask. */
function readAsks(asks: readonly Ask[], accounts: ReadonlyMap<string, Account>): Asker[] {
  const askers = asks.flatMap((ask): Asker[] => {
    const account = accounts.get(ask.id)
    const wish = account === undefined ? 0 : ask.to - account.current
    return account === undefined || wish <= 0 ? [] : [{ account, ask, wish }]
  })
  return askers.toSorted(
    (a, b) => b.account.weight - a.account.weight || (a.ask.id < b.ask.id ? -1 : 1),
  )
}

const nameOf = ({ name, id }: Party): string => name ?? id

const mayMakeYield = ({ ask }: Asker): boolean => ask.rung === 'yield' || ask.rung === 'isolate'

/** Never below the floor, and nobody below its floor is taken further down. */
const keptBy = ({ need, floor }: Party, keep: 'need' | 'floor'): number =>
  keep === 'floor' ? floor : Math.max(need, floor)

type Donor = { readonly account: Account; readonly isSpared: boolean }

/** Lightest first, those spared last; who asks itself, and is no lighter, gives nothing. */
function donorsTo(
  weight: number,
  keep: 'need' | 'floor',
  accounts: ReadonlyMap<string, Account>,
): Donor[] {
  const order = (a: Donor, b: Donor): number =>
    Number(a.isSpared) - Number(b.isSpared) ||
    a.account.weight - b.account.weight ||
    (a.account.id < b.account.id ? -1 : 1)
  return [...accounts.values()]
    .filter(({ isBlocked, ...account }) =>
      account.weight < weight ? true : keep === 'need' && !isBlocked && !account.isAsking,
    )
    .map((account) => ({ account, isSpared: account.isBlocked }))
    .toSorted(order)
}

/** Shares what is free among the wishes, and says how much was given. */
function give(
  askers: readonly Asker[],
  { free, source }: { readonly free: number; readonly source: string },
): number {
  const wishes = askers.map(({ ask, wish }) => ({ id: ask.id, wish, distance: wish }))
  let given = 0
  for (const [i, share] of shareFree(free, wishes).entries()) {
    const asker = askers[i]
    if (asker === undefined || share === 0) continue
    asker.wish -= share
    asker.account.held += share
    asker.account.words.push(`gets ${share}m ${source}`)
    given += share
  }
  return given
}

function movesOf(accounts: ReadonlyMap<string, Account>, askers: readonly Asker[]): Move[] {
  for (const { account, wish } of askers) {
    if (wish > 0 && account.held > account.current) account.words.push(`${wish}m short`)
  }
  return [...accounts.values()]
    .filter(({ held, current }) => held !== current)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, current, held, words }) => ({
      id,
      from: current,
      to: held as Millicores,
      reason: words.join('; '),
    }))
}

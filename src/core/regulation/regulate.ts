/**
 * Between two clearings: which quotas move now, so that everyone gets what it wants as far as there
 * is CPU, and who has to give way where there is not.
 *
 * Constraints: the sum never grows above the capacity; nobody goes below `least`, which is what the
 * API was told, nor above its ceiling; who suffers is not lowered, and who did lately not for others.
 * Method: first those fall that want less, and what they free is there for those that want more
 * (guardrail/fund-raises.ts). Where that is not enough and lighter bids hold more than their floor,
 * but `least` forbids to take it, they are named: the API has to be told first. O(n^2 log n) at most.
 *
 *   capacity 1000; has, wants, least, floor, weight           now                   to tell first
 *   a 400 600 100 100 1; b 300 200 100 100 1              ->  a 600, b 200
 *   a 500 900 500 100 2; b 500 500 500 100 1              ->                        b 100
 *   a 500 900 100 100 1; b 500 500 100 100 1              ->                        (unmet: a)
 */
import { type Ask, fundRaises, type Move, type Party } from '../guardrail/fund-raises.ts'
import type { Rung } from '../guardrail/ladder.ts'
import type { Millicores } from '../units.ts'

export type Member = {
  readonly id: string
  /** In words for people; its id if not told. */
  readonly name?: string | undefined
  readonly weight: number
  readonly floor: Millicores
  readonly ceiling: Millicores
  /** What it could make use of; above it, it gives first. */
  readonly need: Millicores
  /** In force. */
  readonly current: Millicores
  /** Never below it: what is published, or else the floor. */
  readonly least: Millicores
  /** By its control law or its guardrail. */
  readonly wanted: Millicores
  /** In words, why `wanted`. */
  readonly reason: string
  /** By what it wants itself it is not lowered now. */
  readonly isSuffering: boolean
  /** It suffers or did lately: others do not lower it. */
  readonly isBlocked: boolean
  readonly rung: Rung
}

export type Regulation = {
  /** By id, those that move only. */
  readonly now: readonly Move[]
  /** Falls below `least`, for the benefit of others; what they free can be given when it is free. */
  readonly later: readonly Move[]
  /** Who did not get all that it wants. */
  readonly unmet: readonly string[]
}

export function regulate(capacity: Millicores, members: readonly Member[]): Regulation {
  const lowered = members.map((member) => holding(member, fallOf(member)))
  const wishes = lowered.flatMap((member) => {
    const to = Math.min(member.wanted, member.ceiling) as Millicores
    return to > member.current ? [{ id: member.id, to, rung: member.rung }] : []
  })
  const funded = fund(capacity, lowered, wishes, 'least')
  const after = lowered.map((member) =>
    holding(member, funded.get(member.id)?.to ?? member.current),
  )
  const heldOf = new Map(after.map(({ id, current }) => [id, current]))
  const unmet = wishes.filter(({ id, to }) => (heldOf.get(id) ?? to) < to)
  const now = members.flatMap((member): Move[] => {
    const to = heldOf.get(member.id) ?? member.current
    if (to === member.current) return []
    const reason = funded.get(member.id)?.reason
    const words = reason === undefined ? member.reason : `${member.reason}; ${reason}`
    return [{ id: member.id, from: member.current, to, reason: words }]
  })
  const later =
    unmet.length === 0
      ? []
      : [...fund(capacity, after, unmet, 'floor').values()].filter(({ from, to }) => to < from)
  return { now, later, unmet: unmet.map(({ id }) => id) }
}

const holding = (member: Member, current: Millicores): Member => ({ ...member, current })

const fallOf = ({ current, wanted, least, isSuffering }: Member): Millicores =>
  isSuffering || wanted >= current
    ? current
    : (Math.min(current, Math.max(wanted, least)) as Millicores)

function fund(
  capacity: Millicores,
  members: readonly Member[],
  asks: readonly Ask[],
  keeps: 'least' | 'floor',
): ReadonlyMap<string, Move> {
  const parties = members.map(
    ({ id, name, current, need, weight, isBlocked, ...member }): Party => {
      const floor = (
        keeps === 'floor' ? member.floor : Math.max(member.floor, member.least)
      ) as Millicores
      return { id, name, current, need, floor, weight, isBlocked }
    },
  )
  return new Map(fundRaises({ capacity, parties, asks }).map((move) => [move.id, move]))
}

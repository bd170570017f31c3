/**
 * Protection by quotas, for what weights cannot do.
 *
 * Objective: somebody with a claim (it is late, as measured, or is owed at least as much as it runs:
 * isHurt in standing.ts) who goes on suffering although its weight is set gets CPU from those who use
 * more than they are entitled to, for as long as that helps. Constraint: nobody is held below its entitlement.
 * Method: after 2 s of suffering those who use more than their entitlement are held to nine tenths of
 * what they use, and every second to nine tenths of that. While nobody suffers what they are held to
 * grows by a quarter every second, until it holds nobody. Where all are held to their entitlements for
 * 5 s and it did not help, or somebody is still late once nobody is held any longer, everybody is let go
 * for a minute. Waiting can be faked, in pauses that look like help: nobody is protected for more than a
 * minute in five. Whoever is back in the fast lane, well within its own, is held no longer. O(n) per
 * sample.
 *
 *   suffers   uses 1800m, entitled to 500m     held to
 *   1 s                                        nothing
 *   2 s                                        1620m
 *   3 s                                        1458m
 *   no more                                    1823m, then nothing
 */
import type { Millicores } from '../units.ts'

export type Protected = {
  readonly id: string
  readonly used: Millicores
  readonly entitled: Millicores
  /** It has a claim and suffers. */
  readonly isHurt: boolean
  /** It is late, also beside idle CPU: holding others back does not help it. */
  readonly isLate?: boolean
  /** It uses CPU by its weight alone, in the hope that nobody misses it: outside the fast lane. */
  readonly isTaker: boolean
}

export type Protection = {
  /** What each is held to, by id. */
  readonly held: ReadonlyMap<string, Millicores>
  /** Without a break. */
  readonly hurtSeconds: number
  /** Since everybody was held as far as can be. */
  readonly vainSeconds: number
  /** Until it is tried again. */
  readonly restSeconds: number
  /** Since the last step. */
  readonly stepSeconds: number
  /** By id: how long others were held for it, less what time has given back; twice a minute: all of it. */
  readonly claimed: ReadonlyMap<string, number>
}

export const noProtection: Protection = {
  held: new Map(),
  hurtSeconds: 0,
  vainSeconds: 0,
  restSeconds: 0,
  stepSeconds: 0,
  claimed: new Map(),
}

const PATIENCE_SECONDS = 2
const STEP_SECONDS = 1
const DOWN = 0.9
const UP = 1.25
const VAIN_SECONDS = 5
const REST_SECONDS = 60
const MOST_CLAIMED_SECONDS = 60
/** Of the time in which nobody is held for it. */
const REGAIN_RATIO = 0.25

export function protect(
  before: Protection,
  members: readonly Protected[],
  seconds: number,
): Protection {
  const claimed = claimedBy(before, members, seconds)
  const isHurt = members.some(({ id, isHurt }) => isHurt && !isUsedUp(claimed.get(id) ?? 0))
  const hurtSeconds = isHurt ? before.hurtSeconds + seconds : 0
  const restSeconds = Math.max(0, before.restSeconds - seconds)
  const stepSeconds = before.stepSeconds + seconds
  const waiting = { ...before, hurtSeconds, restSeconds, stepSeconds, claimed }
  if (restSeconds > 0) return { ...waiting, held: new Map(), vainSeconds: 0 }
  if (hurtSeconds >= PATIENCE_SECONDS) {
    return stepSeconds < STEP_SECONDS ? keepOnly(waiting, members) : press(waiting, members)
  }
  if (before.held.size === 0 || stepSeconds < STEP_SECONDS) return keepOnly(waiting, members)
  return isHurt ? keepOnly(waiting, members) : relax(waiting, members)
}

/** Whoever has used up its minute has none for four. */
function claimedBy(
  { held, claimed: before }: Protection,
  members: readonly Protected[],
  seconds: number,
): ReadonlyMap<string, number> {
  if (before.size === 0 && held.size === 0) return before
  const claimed = new Map<string, number>()
  for (const { id, isHurt } of members) {
    const had = before.get(id) ?? 0
    if (isUsedUp(had)) {
      const left = had - seconds * REGAIN_RATIO
      if (isUsedUp(left)) claimed.set(id, left)
      continue
    }
    const spends = held.size > 0 && (isHurt || had > 0)
    const sum = had + (spends ? seconds : -seconds * REGAIN_RATIO)
    if (sum > 0) claimed.set(id, sum < MOST_CLAIMED_SECONDS ? sum : 2 * MOST_CLAIMED_SECONDS)
  }
  return claimed
}

const isUsedUp = (claimed: number): boolean => claimed > MOST_CLAIMED_SECONDS

/** Those that are gone, or came to have a claim themselves, are held no longer. */
function keepOnly(before: Protection, members: readonly Protected[]): Protection {
  if (before.held.size === 0) return before
  const held = members.flatMap(({ id, isHurt }) => {
    const quota = before.held.get(id)
    return quota === undefined || isHurt ? [] : [[id, quota] as const]
  })
  return { ...before, held: new Map(held) }
}

function press(before: Protection, members: readonly Protected[]): Protection {
  const held = new Map<string, Millicores>()
  let isVain = true
  for (const { id, used, entitled, isHurt, isTaker } of members) {
    const now = before.held.get(id)
    const isBack = !isTaker && used < DOWN * entitled
    if (isHurt || isBack || (now === undefined && !(isTaker && used > entitled))) continue
    const quota = Math.max(entitled, Math.floor(DOWN * (now ?? used))) as Millicores
    if (quota !== now) isVain = false
    held.set(id, quota)
  }
  const vainSeconds = isVain ? before.vainSeconds + before.stepSeconds : 0
  if (vainSeconds >= VAIN_SECONDS) return resting(before)
  return { ...before, held, vainSeconds, stepSeconds: 0 }
}

function relax(before: Protection, members: readonly Protected[]): Protection {
  const held = members.flatMap(({ id, used }) => {
    const now = before.held.get(id)
    if (now === undefined) return []
    const quota = Math.ceil(UP * now) as Millicores
    // What it does not reach holds it no longer.
    return used < now * DOWN ? [] : [[id, quota] as const]
  })
  if (held.length === 0 && members.some(({ isLate = false }) => isLate)) {
    return resting(before)
  }
  return { ...before, held: new Map(held), vainSeconds: 0, stepSeconds: 0 }
}

const resting = ({ claimed }: Protection): Protection => ({
  ...noProtection,
  restSeconds: REST_SECONDS,
  claimed,
})

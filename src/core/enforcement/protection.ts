/**
 * Protection by quotas, for what weights cannot do.
 *
 * Objective: somebody with a claim (it is late, as measured, or is owed at least as much as it runs:
 * isHurt in standing.ts) who goes on suffering although its weight is set gets CPU from those who use
 * more than they are entitled to, for as long as that helps. Constraint: nobody is held below its entitlement.
 * Method: after 2 s of suffering those who use more than their entitlement are held to nine tenths of
 * what they use, and every second to nine tenths of that. While nobody suffers what they are held to
 * grows by a quarter every second, until it holds nobody. Where all that can be held are held to their
 * entitlements for 5 s and it did not help, or somebody is still late once nobody is held any longer,
 * everybody is let go for a minute. Whoever is back in the fast lane, well within its own, is held no
 * longer. O(n) per sample.
 *
 * Waiting can be faked, in pauses that look like help: nobody is held for more than a minute in five. Who
 * is held is counted, and not for whom: claimants are cheap, and ten pods of a tenant in turns would hold
 * a neighbour for good, while takers gain nothing by being many, since each of them may be held. A
 * budget per claimant on top would protect nobody: one pod that feigns may use up a minute that another
 * would have needed, which then lacks what weights cannot do, and nothing of its entitlement.
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
  /** Of all steps: by this clock spells begin and end. */
  readonly elapsedSeconds: number
  /** By id: when it was held, the latest last; what ended five minutes ago is forgotten. */
  readonly spells: ReadonlyMap<string, readonly Spell[]>
}

type Spell = { readonly from: number; readonly until: number }

export const noProtection: Protection = {
  held: new Map(),
  hurtSeconds: 0,
  vainSeconds: 0,
  restSeconds: 0,
  stepSeconds: 0,
  elapsedSeconds: 0,
  spells: new Map(),
}

const PATIENCE_SECONDS = 2
const STEP_SECONDS = 1
const DOWN = 0.9
const UP = 1.25
const VAIN_SECONDS = 5
const REST_SECONDS = 60
const MOST_HELD_SECONDS = 60
const WINDOW_SECONDS = 300

export function protect(
  before: Protection,
  members: readonly Protected[],
  seconds: number,
): Protection {
  const elapsedSeconds = before.elapsedSeconds + seconds
  const spells = spellsUntil(elapsedSeconds, before)
  const isHurt = members.some(({ isHurt }) => isHurt)
  const hurtSeconds = isHurt ? before.hurtSeconds + seconds : 0
  const restSeconds = Math.max(0, before.restSeconds - seconds)
  const stepSeconds = before.stepSeconds + seconds
  const waiting = { ...before, hurtSeconds, restSeconds, stepSeconds, elapsedSeconds, spells }
  if (restSeconds > 0) return { ...waiting, held: new Map(), vainSeconds: 0 }
  const holdable = members.filter(({ id, isHurt }) => !isHurt && !isUsedUp(waiting, id))
  if (hurtSeconds >= PATIENCE_SECONDS && stepSeconds >= STEP_SECONDS) {
    return press(waiting, holdable)
  }
  const isCalm = before.held.size > 0 && !isHurt && stepSeconds >= STEP_SECONDS
  if (!isCalm) return keepOnly(waiting, holdable)
  const isLate = members.some(({ isLate = false }) => isLate)
  return relax(waiting, holdable, isLate)
}

/** Those that are held were so until now. */
function spellsUntil(
  until: number,
  { held, spells: before, elapsedSeconds: from }: Protection,
): Protection['spells'] {
  if (before.size === 0 && held.size === 0) return before
  const spells = new Map<string, readonly Spell[]>()
  for (const id of new Set([...before.keys(), ...held.keys()])) {
    const counted = (before.get(id) ?? []).filter((one) => one.until > until - WINDOW_SECONDS)
    const last = counted.at(-1)
    if (held.has(id)) {
      if (last?.until === from)
        spells.set(id, [...counted.slice(0, -1), { from: last.from, until }])
      else spells.set(id, [...counted, { from, until }])
    } else if (last !== undefined) spells.set(id, counted)
  }
  return spells
}

/** Whoever was held for its minute. */
export function isUsedUp(
  { spells, elapsedSeconds }: Pick<Protection, 'spells' | 'elapsedSeconds'>,
  id: string,
): boolean {
  const counts = elapsedSeconds - WINDOW_SECONDS
  const held = spells.get(id)?.reduce((sum, one) => sum + one.until - Math.max(one.from, counts), 0)
  return held !== undefined && held >= MOST_HELD_SECONDS
}

/** Those that are gone, came to have a claim themselves, or were held for their minute, are held no longer. */
function keepOnly(before: Protection, holdable: readonly Protected[]): Protection {
  if (before.held.size === 0) return before
  const held = holdable.flatMap(({ id }) => {
    const quota = before.held.get(id)
    return quota === undefined ? [] : [[id, quota] as const]
  })
  return { ...before, held: new Map(held) }
}

function press(before: Protection, holdable: readonly Protected[]): Protection {
  const held = new Map<string, Millicores>()
  let isVain = true
  for (const { id, used, entitled, isTaker } of holdable) {
    const now = before.held.get(id)
    const isBack = !isTaker && used < DOWN * entitled
    if (isBack || (now === undefined && !(isTaker && used > entitled))) continue
    const quota = Math.max(entitled, Math.floor(DOWN * (now ?? used))) as Millicores
    if (quota !== now) isVain = false
    held.set(id, quota)
  }
  // While there is nobody to hold nothing was tried.
  const vainSeconds = isVain && held.size > 0 ? before.vainSeconds + before.stepSeconds : 0
  if (vainSeconds >= VAIN_SECONDS) return resting(before)
  return { ...before, held, vainSeconds, stepSeconds: 0 }
}

function relax(before: Protection, holdable: readonly Protected[], isLate: boolean): Protection {
  const held = holdable.flatMap(({ id, used }) => {
    const now = before.held.get(id)
    if (now === undefined) return []
    const quota = Math.ceil(UP * now) as Millicores
    // What it does not reach holds it no longer.
    return used < now * DOWN ? [] : [[id, quota] as const]
  })
  if (held.length === 0 && isLate) return resting(before)
  return { ...before, held: new Map(held), vainSeconds: 0, stepSeconds: 0 }
}

const resting = ({ elapsedSeconds, spells }: Protection): Protection => ({
  ...noProtection,
  restSeconds: REST_SECONDS,
  elapsedSeconds,
  spells,
})

/**
 * A weight that we set and others may set too: a kubelet at a resize, systemd when its units are reloaded,
 * a person. It is looked at again and again; what stands there and is not what stood there at the last
 * look, somebody else has written, and that counts once. It is put right, unless the same happens again
 * and again: whoever writes at every look would win anyway, so that weight is left alone for a minute.
 * O(1) for a look.
 *
 *   asked  stood  stands  foreign before  ->
 *   5000   5000   5000    0                   nothing to do
 *   5000   5000   512     0                   written: 5000 is due again
 *   5000   5000   512     7 within 10 s       contested: left alone for 60 s
 */
import type { Millis } from '../units.ts'
import { isSameWeight } from './weigh.ts'

export type Watched = {
  /** In cpu.shares, as all here; the kernel may have made something else of it. */
  readonly asked: number
  /** What stood there at the last look; undefined where nothing could be read. */
  readonly stands: number | undefined
  /** What stands there is what we asked for, or what the kernel made of it. */
  readonly isOurs: boolean
  /** When others wrote it, lately. */
  readonly foreign: readonly Millis[]
  readonly restUntil: number
}

export type Look = {
  readonly watched: Watched
  /** What somebody else has done since the last look. */
  readonly news?: 'written' | 'contested'
}

/** So many foreign writes within so long are a fight, after which the weight is let be for so long. */
export const CONTEST = { writes: 8, withinMillis: 10_000, restMillis: 60_000 }

export function lookAt(before: Watched, stands: number, at: Millis): Look {
  if (stands === before.stands) return { watched: before }
  const foreign = [...before.foreign.filter((one) => at - one < CONTEST.withinMillis), at]
  const watched = { ...before, stands, isOurs: false, foreign }
  if (foreign.length < CONTEST.writes) return { watched, news: 'written' }
  const rest = { foreign: [], restUntil: at + CONTEST.restMillis }
  return { watched: { ...watched, ...rest }, news: 'contested' }
}

export const isResting = ({ restUntil }: Watched, at: Millis): boolean => at < restUntil

/** Whether these shares are to be written, by the last look. */
export const isDue = (watched: Watched, shares: number, at: Millis): boolean =>
  !isResting(watched, at) && !(watched.isOurs && isSameWeight(watched.asked, shares))

/** `stands` is what the kernel shows after the write. */
export const afterWrite = (
  before: Watched | undefined,
  { asked, stands }: Pick<Watched, 'asked' | 'stands'>,
): Watched => ({
  asked,
  stands,
  isOurs: true,
  foreign: before?.foreign ?? [],
  restUntil: before?.restUntil ?? -Infinity,
})

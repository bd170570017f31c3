import type { ScenarioFile } from '../../apis/scenario-file.ts'

export type PhaseMark = { readonly name: string; readonly at: number }

/** A page that was opened once should not soon run out of them. */
const ROUNDS_AHEAD = 12

/**
 * When phases begin, in milliseconds since 1970: a scenario that is over begins anew, so they are told
 * of the round before this one, of this one and of some to come.
 */
export function phasesAt(
  { phases, duration }: Pick<ScenarioFile, 'phases' | 'duration'>,
  { startsAt, now }: { readonly startsAt: number; readonly now: number },
): readonly PhaseMark[] {
  const inRound = (round: number): PhaseMark[] =>
    phases.map(({ name, at }) => ({ name, at: startsAt + round * (duration ?? 0) + at }))
  if (duration === undefined || duration === 0) return inRound(0)
  const first = Math.max(0, Math.floor(now / duration) - 1)
  return Array.from({ length: ROUNDS_AHEAD }, (_, i) => inRound(first + i)).flat()
}

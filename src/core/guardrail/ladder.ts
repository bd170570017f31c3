/**
 * How far a pod that suffers may go at the expense of others: monitor, warn, yield, isolate.
 *
 *   monitor  nothing is wrong, or only since a moment; who suffers is raised on every rung, at the
 *            expense of lighter bids that do not suffer
 *   warn     it goes on: the operator may look
 *   yield    it suffers although it was raised: lighter bids give way even if they suffer too
 *   isolate  nothing more can be given here: the operator must, by a higher ceiling or another node
 *
 * Objective: neither to flap nor to stick. Up after so much time of bad signals at a level, down after
 * a much longer time of good ones; the first time starts anew with a good signal, the second with a
 * bad one. A signal that is neither counts as a quarter good, so that no level lasts for ever unless
 * the pod goes on suffering. O(1).
 *
 * The times are the seeds' counts of polls (5, 3, 2 bad ones up; 50, 75, 100 good ones down) at the
 * default sampling of 250 ms, so that they hold at every sampling interval.
 *
 *   bad for 1.3 s     monitor -> warn
 *   bad for 2.5 s     monitor -> isolate
 *   good for 60 s     isolate -> monitor
 */
import type { Verdict } from './signals.ts'

export const rungs = ['monitor', 'warn', 'yield', 'isolate'] as const
export type Rung = (typeof rungs)[number]

export type Ladder = {
  readonly rung: Rung
  readonly badSeconds: number
  readonly goodSeconds: number
}

export const bottom: Ladder = { rung: 'monitor', badSeconds: 0, goodSeconds: 0 }

type Way = { readonly to: Rung; readonly seconds: number }
/** The way up and down from each rung. */
const WAYS: Readonly<Record<Rung, { readonly up?: Way; readonly down?: Way }>> = {
  monitor: { up: { to: 'warn', seconds: 1.25 } },
  warn: { up: { to: 'yield', seconds: 0.75 }, down: { to: 'monitor', seconds: 25 } },
  yield: { up: { to: 'isolate', seconds: 0.5 }, down: { to: 'warn', seconds: 18.75 } },
  isolate: { down: { to: 'yield', seconds: 12.5 } },
}
const NEITHER_RATIO = 0.25

export function climb(before: Ladder, state: Verdict['state'], seconds: number): Ladder {
  const { rung } = before
  const { up, down } = WAYS[rung]
  const badSeconds =
    state === 'bad' ? before.badSeconds + seconds : state === 'good' ? 0 : before.badSeconds
  const calm = state === 'good' ? seconds : NEITHER_RATIO * seconds
  const goodSeconds = state === 'bad' ? 0 : before.goodSeconds + calm
  if (up !== undefined && badSeconds >= up.seconds) return { ...bottom, rung: up.to }
  if (down !== undefined && goodSeconds >= down.seconds) return { ...bottom, rung: down.to }
  return { rung, badSeconds, goodSeconds }
}

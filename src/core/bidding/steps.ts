/**
 * From what strict pods hold to what a clearing gives them, in steps of the stability controller: what is
 * held counts against the capacity, so that a rise waits until the falls have made room for it.
 *
 *   sold 1000m    hold          are to get    get now
 *                 200m, 300m    600m, 400m    600m, 400m    there is room for all
 *                 200m, 800m    800m, 200m    200m, 300m    at most half of all at once; no room yet
 *                 200m, 300m    800m, 200m    700m, 200m
 */
import { showMillicores } from '../quantity.ts'
import { step } from '../stability/lyapunov.ts'
import type { Millicores } from '../units.ts'
import { shareStrict, type StrictPart } from './limits.ts'
import type { Decision, NodePlan } from './plan.ts'
import type { Steps } from './rules.ts'

/** Of what is sold, at once. */
const STEP_RATIO = 0.5
const LEAST_STEP = 100

export function stepTowards(
  { decisions, clearing }: NodePlan,
  heldBy: (decision: Decision) => Millicores,
  steps: Steps = 'bounded',
): readonly Decision[] {
  if (steps === 'none') return decisions
  const shares = decisions.filter(({ enforcement }) => enforcement === 'strict')
  const others = decisions.reduce(
    (sum, one) => sum + (one.enforcement === 'strict' ? 0 : one.given),
    0,
  )
  const capacity = Math.max(0, clearing.capacity - others) as Millicores
  const stepRatio = steps === 'bounded' ? STEP_RATIO : 1
  const maxStep = Math.max(LEAST_STEP, Math.floor(stepRatio * capacity)) as Millicores
  const items = shares.map((decision) => {
    return { id: decision.pod.uid, current: heldBy(decision), target: decision.limit }
  })
  const { next } = step({ items, capacity, maxStep })
  const limits = new Map(next.map(({ id, current }) => [id, current]))
  return decisions.map((decision) => {
    const limit = limits.get(decision.pod.uid) ?? decision.limit
    return limit === decision.limit ? decision : onItsWay(decision, { limit, mode: clearing.mode })
  })
}

function onItsWay(decision: Decision, part: Omit<StrictPart, 'promise'>): Decision {
  const { pod, promise, reason } = decision
  const words = `on its way to ${showMillicores(decision.limit)}: ${showMillicores(part.limit)} now`
  return {
    ...decision,
    ...shareStrict(pod, { promise, ...part }),
    reason: `${reason}; ${words}`,
  }
}

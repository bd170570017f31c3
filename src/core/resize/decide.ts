/**
 * Objective: the next step of one pod to the CPU that it should have, or why there is none, without a
 * restart, another QoS class, a broken bound or an over-committed node.
 * Method: what the kubelet has actuated counts, not the spec. Refusals first, in a fixed order; then
 * the wish is cut by LimitRanges, quotas and the node; then the cooldown; then the step. The last that
 * cut it gives the reason.
 * Complexity: O(containers x (bounds + quotas)). Reference: KEP-1287.
 *
 *   actuated = spec = desired                     ->  done
 *   spec = desired, actuated not yet              ->  wait, in the kubelet's words
 *   actuated 100m, desired 1000m                  ->  resize to 200m, StepClamped, again after 5 s
 *   the same for the guardrail, 500m left there   ->  resize to 600m, NodeHeadroom
 *   a request of 64 CPUs on a node of 4           ->  refuse, NodeCapacity: nobody meant that
 */
import { type Millis, minus } from '../units.ts'
import { clampToBound, describeBound, partsInOrder, violationOf } from './bounds.ts'
import { describe, joinCpu, ofName } from './containers.ts'
import { type Course, cut, later, recommend, soon, standing, wait, wordsOf } from './course.ts'
import { keepBurstable } from './qos.ts'
import { isMet } from './quantise.ts'
import { refuse, refuseNewClass, refusePod, refuseRestart, refuseWish } from './refusals.ts'
import {
  beyondNode,
  cutToNode,
  cutToQuota,
  describeQuota,
  describeRoom,
  limitsFirst,
} from './room.ts'
import { clampStep } from './step.ts'
import {
  type ContainerCpu,
  cpuFields,
  type PodCpu,
  type ResizeDecision,
  type ResizeQuestion,
  type ResizeReason,
  type ResizeRules,
} from './types.ts'
import { readWish, type Wish } from './wish.ts'

export function decideResize(question: ResizeQuestion): ResizeDecision {
  const { pod, desired } = question
  if (pod === undefined) return refuse('PodNotFound', 'expected a pod of this name, found none')
  const wish = readWish(pod, question)
  return (
    refusePod(pod, question) ??
    refuseWish(pod, { wish, desired }) ??
    keepToBounds(wish, { ...question, pod })
  )
}

type Question = ResizeQuestion & { readonly pod: PodCpu }

function keepToBounds(wish: Wish, question: Question): ResizeDecision {
  const { pod, bounds, mode } = question
  const asked: Course = { ...wish, reason: undefined }
  const bounded = clampToBounds(asked, { pod, bounds })
  const reached = standing(asked, pod) ?? standing(bounded, pod)
  if (reached !== undefined) return reached
  const violation = violationOf(joinCpu(pod.spec, bounded.containers), bounds)
  if (violation !== undefined) return refuse('LimitRange', violation)
  return mode === 'auto' ? keepToRoom(bounded, question) : recommend(bounded, pod)
}

const clampToBounds = (course: Course, { pod, bounds }: Pick<Question, 'pod' | 'bounds'>): Course =>
  partsInOrder(bounds).reduce((course, bound) => {
    const { containers, grid } = course
    return cut(course, {
      pod,
      containers: clampToBound(containers, { pod, bound, grid }),
      reason: 'LimitRange',
      by: describeBound(bound),
    })
  }, course)

function keepToRoom(bounded: Course, question: Question): ResizeDecision {
  const { pod, quotas, node } = question
  const { grid } = bounded
  const beyond = beyondNode(bounded.containers, { pod, node })
  if (beyond !== undefined) return refuse('NodeCapacity', beyond)
  const paid = limitsFirst(quotas).reduce((course, quota) => {
    const containers = cutToQuota(course.containers, { pod, quota, grid })
    return cut(course, { pod, containers, reason: 'ResourceQuota', by: describeQuota(quota) })
  }, bounded)
  const fitting = cut(paid, {
    pod,
    containers: cutToNode(paid.containers, { pod, node, grid }),
    reason: 'NodeHeadroom',
    by: describeRoom(pod, node),
  })
  return standing(paid, pod) ?? standing(fitting, pod) ?? takeStep(fitting, question)
}

function takeStep(fitting: Course, question: Question): ResizeDecision {
  const { pod, urgency, sinceResizeMillis: since, rules } = question
  const { cooldownMillis, stepFactor: factor } = rules
  const isUrgent = urgency === 'guardrail'
  const passes = isUrgent && (fitting.reason === undefined || isMuch(fitting.containers, pod))
  if (!passes && since !== undefined && since < cooldownMillis) {
    const expected = `expected ${cooldownMillis} ms or more since the last resize, got ${since} ms`
    const message = `${expected}; then ${wordsOf(fitting, pod)}`
    return wait('Cooldown', { message, again: minus(cooldownMillis, since) })
  }
  if (isUrgent) return ask(fitting, question)
  const { grid } = fitting
  const containers = clampStep(fitting.containers, { pod, factor, grid })
  const by = `a resize changes by a factor of ${factor} at most`
  return ask(cut(fitting, { pod, containers, reason: 'StepClamped', by }), question)
}

/** Rules that cut a wish one after the other leave something over, which alone is not urgent. */
const muchRatio = 0.1

const isMuch = (wish: readonly ContainerCpu[], { spec }: PodCpu): boolean =>
  wish.some((wanted) =>
    cpuFields.some((field) => {
      const [amount, has] = [wanted[field], ofName(spec, wanted.name)?.[field]]
      if (amount === undefined || has === undefined) return false
      return Math.abs(amount - has) >= has * muchRatio
    }),
  )

function ask(course: Course, question: Question): ResizeDecision {
  const { pod, bounds, infeasible, rules } = question
  // Part of a wish may break a maximum or a ratio that the whole does not. For a minimum there is no room.
  const upper = bounds.map((bound) => ({ ...bound, min: undefined }))
  const final = clampToBounds(course, { pod, bounds: upper })
  const { containers, grid, notes, reason = 'Resizing' } = final
  const changing = containers.filter((one) => !isMet([one], { has: pod.spec, grid }))
  const to = keepBurstable(pod, { wish: changing, grid })
  const reached = standing({ ...final, containers: joinCpu(containers, to) }, pod)
  if (reached !== undefined) return reached
  const after = joinCpu(pod.spec, to)
  const violation = violationOf(after, bounds)
  if (violation !== undefined) return refuse('LimitRange', violation)
  // A rule may have moved what nobody asked to move.
  const refusal = refuseRestart(pod, { wish: to, grid }) ?? refuseNewClass(pod, to)
  if (refusal !== undefined) return refusal
  if (infeasible !== undefined && isNoLess(after, infeasible)) {
    return refuseAgain(infeasible, question)
  }
  const message = wordsOf({ containers: to, notes }, pod)
  return { action: 'resize', reason, message, to, again: nextLook(reason, rules) }
}

function nextLook(reason: ResizeReason, { cooldownMillis }: ResizeRules): Millis {
  if (reason === 'StepClamped') return cooldownMillis
  return reason === 'NodeHeadroom' ? later : soon
}

/** Of what was refused, nothing is asked for any lower. */
const isNoLess = (asked: readonly ContainerCpu[], refused: readonly ContainerCpu[]): boolean =>
  refused.length > 0 &&
  refused.every(({ name, ...amounts }) =>
    cpuFields.every((field) => (ofName(asked, name)?.[field] ?? 0) >= (amounts[field] ?? 0)),
  )

function refuseAgain(refused: readonly ContainerCpu[], { refusal }: Question): ResizeDecision {
  const said = refusal === undefined ? '' : ` (${refusal.message})`
  return refuse(
    refusal?.reason ?? 'Infeasible',
    `${describe(refused)} was refused${said}; it is not asked for again, nor more, ` +
      'until less is wanted or the node, a LimitRange or a quota has changed',
  )
}

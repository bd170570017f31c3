/** A wish on its way through the rules: cut, held against what is there, and told in words. */
import { type Millis, millis } from '../units.ts'
import { describe, describeChange, describeCut, joinCpu } from './containers.ts'
import { isMet } from './quantise.ts'
import { refuse } from './refusals.ts'
import type { ContainerCpu, KubeletWord, PodCpu, ResizeDecision, ResizeReason } from './types.ts'
import { settle, type Wish } from './wish.ts'

/** While the kubelet is at work; its answer usually comes as an event. */
export const soon = millis(5000)
/** While others keep what is needed; a change of theirs usually comes as an event. */
export const later = millis(30_000)

/** What is left of a wish, what last cut it, and all that did, in words. */
export type Course = Wish & { readonly reason: ResizeReason | undefined }

type Cut = {
  readonly pod: PodCpu
  readonly containers: readonly ContainerCpu[]
  readonly reason: ResizeReason
  readonly by: string
}

export function cut(course: Course, { pod, containers, reason, by }: Cut): Course {
  const settled = settle(containers, { pod, grid: course.grid })
  const words = describeCut(course.containers, settled)
  if (words === '') return course
  return { ...course, containers: settled, reason, notes: [...course.notes, `${by}: ${words}`] }
}

/** Where nothing is left to ask for: the pod has it, or the kubelet is at it. */
export function standing(course: Course, pod: PodCpu): ResizeDecision | undefined {
  const { containers, grid, reason, notes } = course
  if (!isMet(containers, { has: pod.spec, grid })) return undefined
  if (!isMet(containers, { has: pod.actuated, grid })) return waitForKubelet(course, pod)
  if (reason === 'NodeHeadroom') return wait(reason, { message: notes.join('; '), again: later })
  if (reason !== undefined) return refuse(reason, notes.join('; '))
  const message = [`has ${describe(containers) || 'all that is asked for'}`, ...notes].join('; ')
  return { action: 'done', reason: 'Applied', message, to: [], again: undefined }
}

const kubeletSays = {
  Deferred: { reason: 'Deferred', words: 'the node has no room yet for', again: later },
  Infeasible: { reason: 'Infeasible', words: 'the node can never give', again: undefined },
  InProgress: { reason: 'InProgress', words: 'the kubelet is at work on', again: soon },
  Error: { reason: 'ActuationError', words: 'the kubelet tries again to set', again: soon },
} as const satisfies Record<KubeletWord['state'], unknown>

function waitForKubelet({ containers, notes }: Course, { pending }: PodCpu): ResizeDecision {
  const { reason, words, again } = kubeletSays[pending?.state ?? 'InProgress']
  const said = pending?.message ? `, it says: ${pending.message}` : ''
  const message = [`${words} ${describe(containers)}${said}`, ...notes].join('; ')
  return wait(reason, { message, again })
}

export const wait = (
  reason: ResizeReason,
  { message, again }: { readonly message: string; readonly again: Millis | undefined },
): ResizeDecision => ({ action: 'wait', reason, message, to: [], again })

/** `main: limit 200m -> 400m`, and what cut it. */
export const wordsOf = (
  { containers, notes }: Pick<Course, 'containers' | 'notes'>,
  { spec, actuated }: PodCpu,
): string => [describeChange(joinCpu(spec, actuated), containers), ...notes].join('; ')

export const recommend = (course: Course, pod: PodCpu): ResizeDecision => ({
  action: 'recommend',
  reason: 'Recommended',
  message: `nothing is done, since the mode is recommend: ${wordsOf(course, pod)}`,
  to: [],
  again: undefined,
})

/** What stands against resizing a pod at all, in the order in which it is looked for. */
import { newClassOf } from './qos.ts'
import { type Grid, isMet } from './quantise.ts'
import type { ContainerCpu, PodCpu, ResizeDecision, ResizeQuestion, ResizeReason } from './types.ts'
import type { Wish } from './wish.ts'

export const refuse = (reason: ResizeReason, message: string): ResizeDecision => ({
  action: 'refuse',
  reason,
  message,
  to: [],
  again: undefined,
})

/** By the pod and its owners, whatever is asked. */
export function refusePod(pod: PodCpu, question: ResizeQuestion): ResizeDecision | undefined {
  const { excluded, verticalAutoscaler, horizontalAutoscaler, managesGuaranteed } = question
  if (question.isOtherPod) {
    return refuse(
      'OtherPod',
      'the pod of this name has another UID than the PodAllocation names: it was made anew',
    )
  }
  if (pod.isTerminating) {
    return refuse('PodNotRunning', 'expected a pod that runs, got one that is being deleted')
  }
  if (pod.phase !== 'Running') {
    return refuse('PodNotRunning', `expected a pod in phase Running, got ${pod.phase}`)
  }
  if (excluded !== undefined) return refuse('Excluded', excluded)
  if (verticalAutoscaler !== undefined) {
    return refuse(
      'VerticalPodAutoscaler',
      `VerticalPodAutoscaler "${verticalAutoscaler}" sets the CPU of this pod; ` +
        'set its updateMode to Off, or take cpu out of its controlledResources, to have MBCAS do it',
    )
  }
  if (pod.qosClass === 'Guaranteed' && !managesGuaranteed) {
    return refuse(
      'GuaranteedQoS',
      'the pod is Guaranteed and has not opted in (mbcas.io/guaranteed: manage): ' +
        'its request and limit stay as they are',
    )
  }
  if (pod.qosClass === 'Guaranteed' && horizontalAutoscaler !== undefined) {
    return refuse(
      'GuaranteedQoS',
      `HorizontalPodAutoscaler "${horizontalAutoscaler}" measures CPU by the request, ` +
        'and the limit of a Guaranteed pod cannot move without it',
    )
  }
  if (pod.hasExclusiveCpus) {
    return refuse(
      'ExclusiveCPUs',
      'the pod has CPUs of its own by the static CPU manager policy, which no kubelet resizes',
    )
  }
  return undefined
}

/** By what is asked of its containers. */
export function refuseWish(
  pod: PodCpu,
  { wish, desired }: { readonly wish: Wish; readonly desired: ResizeQuestion['desired'] },
): ResizeDecision | undefined {
  const { containers, grid, notes } = wish
  const restart = refuseRestart(pod, { wish: containers, grid })
  if (restart !== undefined) return restart
  if (pod.hasPodResources) {
    return refuse(
      'PodLevelResources',
      'the pod sets resources for all its containers together (spec.resources): ' +
        'what each of them may have is not decided by MBCAS',
    )
  }
  const known = pod.spec.map(({ name }) => name)
  const unknown = desired.find(({ name }) => !known.includes(name))
  if (unknown !== undefined) {
    return refuse(
      'UnknownContainer',
      `expected one of the containers ${known.join(', ')}, got ${unknown.name}`,
    )
  }
  const asks = desired.some(({ request, limit }) => (request ?? limit) !== undefined)
  if (pod.qosClass === 'BestEffort' && asks) return refuseClass('BestEffort', 'Burstable')
  const newClass = refuseNewClass(pod, containers)
  if (newClass !== undefined) return newClass
  if (containers.length === 0 && notes.length > 0) return refuse('Unsupported', notes.join('; '))
  return undefined
}

export function refuseRestart(
  pod: PodCpu,
  { wish, grid }: { readonly wish: readonly ContainerCpu[]; readonly grid: Grid },
): ResizeDecision | undefined {
  const restarted = wish.find(
    (one) => pod.restarting.includes(one.name) && !isMet([one], { has: pod.spec, grid }),
  )
  if (restarted === undefined) return undefined
  return refuse(
    'RestartRequired',
    `container ${restarted.name} would be restarted: its resizePolicy for cpu is ` +
      'RestartContainer, expected NotRequired',
  )
}

export function refuseNewClass(
  pod: PodCpu,
  wish: readonly ContainerCpu[],
): ResizeDecision | undefined {
  const becomes = newClassOf(pod, wish)
  return becomes && refuseClass(pod.qosClass ?? 'Burstable', becomes)
}

const refuseClass = (from: string, to: string): ResizeDecision =>
  refuse('QoSClassChange', `the QoS class would change from ${from} to ${to}: a resize may not`)

import type { KubeObject } from '../../apis/object.ts'
import { type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
import { pods } from '../../apis/pod.ts'
import type { Log } from '../../ports/log.ts'
import { type EventRecorder, referenceTo } from '../../runtime/events.ts'
import { eventOf, type Outcome } from './outcome.ts'
import type { SeenPod } from './seen-pod.ts'

export type Tell = (
  about: { readonly allocation?: PodAllocation; readonly pod: SeenPod | undefined },
  outcome: Outcome,
) => void

/** In the log, and as an event on the pod, where people look first; without it on the allocation. */
export const teller =
  ({ log, record }: { readonly log: Log; readonly record: EventRecorder['record'] }): Tell =>
  ({ allocation, pod }, { phase, reason, message }) => {
    const { namespace = '', name = '' } = (pod ?? allocation)?.metadata ?? {}
    log('info', 'allocation handled', { pod: `${namespace}/${name}`, phase, reason, message })
    const event = eventOf({ phase, reason })
    if (event === undefined) return
    const said = { ...event, message: `${reason}: ${message}` }
    if (pod !== undefined) record({ ...said, about: referenceTo<KubeObject>(pods, pod) })
    else if (allocation !== undefined) {
      record({ ...said, about: referenceTo(podAllocations, allocation) })
    }
  }

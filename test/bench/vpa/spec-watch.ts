/** What the pods' specs say over a pass, as everybody sees it who watches them. */
import { isDeepStrictEqual } from 'node:util'

import { cpuIn, type Pod, pods } from '../../../src/apis/pod.ts'
import { restartsOf } from '../../real/real-pods.ts'
import { nowMicros } from '../burn.ts'
import type { ArmNode } from './arm.ts'
import { workloadOf } from './pods.ts'

/** From this moment on. */
export type SpecEvent = {
  readonly atMicros: number
  readonly uid: string
  readonly workload: string
  /** Millicores; 0 once it is gone. */
  readonly request: number
  /** Its requests or limits differ from those before. */
  readonly isChange: boolean
  readonly restarts: number
  readonly pod: Pod | undefined
}

export type SpecWatch = {
  readonly events: readonly SpecEvent[]
  /** Ends it; throws if it ended before. */
  readonly stop: () => Promise<void>
}

export async function watchSpecs(
  { stage }: Pick<ArmNode, 'stage'>,
  onEvent: (event: SpecEvent) => void,
): Promise<SpecWatch> {
  const query = { namespace: 'default' }
  const events: SpecEvent[] = []
  const resources = new Map<string, unknown>()
  const note = (pod: Pod, isGone: boolean): void => {
    const uid = pod.metadata.uid ?? ''
    const now = pod.spec.containers.map((container) => container.resources)
    const before = resources.get(uid)
    resources.set(uid, now)
    const event = {
      atMicros: nowMicros(),
      uid,
      workload: workloadOf(pod),
      request: isGone ? 0 : (cpuIn(pod.spec.containers[0]?.resources?.requests) ?? 0),
      isChange: before !== undefined && !isDeepStrictEqual(before, now),
      restarts: restartsOf(pod),
      pod: isGone ? undefined : pod,
    }
    events.push(event)
    onEvent(event)
  }
  const { items, resourceVersion } = await stage.kube.list(pods, query)
  for (const pod of items) note(pod, false)
  const stopping = new AbortController()
  const follow = async (): Promise<void> => {
    let from = resourceVersion
    while (!stopping.signal.aborted) {
      const watch = stage.kube.watch(
        pods,
        { ...query, resourceVersion: from },
        { signal: stopping.signal },
      )
      for await (const event of watch) {
        if (event.type === 'BOOKMARK') continue
        from = event.object.metadata.resourceVersion ?? from
        note(event.object, event.type === 'DELETED')
      }
    }
  }
  const ended = follow().catch((error: unknown) => (stopping.signal.aborted ? undefined : error))
  return {
    events,
    async stop() {
      stopping.abort()
      const error = await ended
      if (error !== undefined) throw new Error('watching the pods', { cause: error })
    },
  }
}

export type Span = { readonly fromMicros: number; readonly toMicros: number }

/** Cores, on average over a time: what all pods, or those of one workload, request. */
export function requestedIn(
  events: readonly SpecEvent[],
  { fromMicros, toMicros }: Span,
  workload?: string,
): number {
  const own = events.filter((event) => workload === undefined || event.workload === workload)
  let milliMicros = 0
  for (const states of byPod(own).values()) {
    for (const [i, { atMicros, request }] of states.entries()) {
      const from = Math.max(fromMicros, atMicros)
      const to = Math.min(toMicros, states[i + 1]?.atMicros ?? Infinity)
      if (to > from) milliMicros += request * (to - from)
    }
  }
  return milliMicros / 1000 / (toMicros - fromMicros)
}

export function byPod(events: readonly SpecEvent[]): ReadonlyMap<string, readonly SpecEvent[]> {
  const found = new Map<string, SpecEvent[]>()
  for (const event of events) {
    const own = found.get(event.uid)
    if (own === undefined) found.set(event.uid, [event])
    else own.push(event)
  }
  return found
}

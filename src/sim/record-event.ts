/** Events of the simulated components, counted up when they repeat, as client-go does. */
import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import type { ApiObject } from './apiserver/object.ts'
import { Refusal } from './apiserver/refusal.ts'
import { events } from './resources.ts'
import { timeOf } from './timestamps.ts'

type EventToRecord = {
  readonly about: ApiObject
  readonly type?: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** `spec.containers{main}` for one container. */
  readonly fieldPath?: string
}

export type RecordEvent = (event: EventToRecord) => void

type Known = { readonly name: string; readonly namespace: string; readonly count: number }
/** As many different events are remembered; a repeat of an older one is a new event. */
const mostRemembered = 4096

/**
 * Nanoseconds in hexadecimal, as in names of real events. The server's version, which every event raises,
 * stands for what the agenda does not count, so that events of one moment have names of their own.
 */
const stampOf = (wall: number, version: number): string =>
  (BigInt(wall) * 1_000_000n + BigInt(version % 1_000_000)).toString(16)

export function createRecorder(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly component: string
  readonly host?: string
}): RecordEvent {
  const { api, agenda, component, host } = at
  const known = new Map<string, Known>()

  return ({ about, type = 'Normal', reason, message, fieldPath }) => {
    const now = timeOf(agenda.wall())
    const { metadata } = about
    const namespace = metadata.namespace ?? 'default'
    const key = [metadata.uid, type, reason, message, fieldPath].join('\n')
    const repeated = known.get(key)
    if (repeated !== undefined) {
      const stored = api.find(events, repeated)
      if (stored !== undefined) {
        const count = repeated.count + 1
        known.set(key, { ...repeated, count })
        api.update(events, { ...stored, count, lastTimestamp: now }, { manager: component })
        return
      }
    }
    const name = `${metadata.name}.${stampOf(agenda.wall(), api.version())}`
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: metadata.name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
        ...(fieldPath !== undefined && { fieldPath }),
      },
      reason,
      message,
      type,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component, ...(host !== undefined && { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
    }
    try {
      api.create(events, event, { manager: component })
    } catch (error) {
      // In a namespace that is going, nothing more can be told.
      if (!(error instanceof Refusal)) throw error
      return
    }
    if (known.size >= mostRemembered) known.delete(known.keys().next().value ?? '')
    known.set(key, { name, namespace, count: 1 })
  }
}

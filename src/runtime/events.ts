/**
 * Events that `kubectl describe` shows. Recording neither throws nor waits: one request at a time
 * follows behind, and what repeats while it waits becomes one request.
 */
import { type KubeEvent, events, type ObjectReference } from '../apis/event.ts'
import { apiVersionOf, type KubeObject, type Resource } from '../apis/object.ts'
import type { Clock } from '../ports/clock.ts'
import { isReason, type Kube } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { timestamp } from './conditions.ts'
import { correlation, type Occurrence, type Series } from './events-series.ts'

export type EventRecorder = {
  readonly record: (occurrence: Occurrence) => void
  /** Ends when all is sent; on abort the rest is dropped. */
  readonly flush: (signal: AbortSignal) => Promise<void>
}

export type EventRecorderOptions = {
  readonly kube: Pick<Kube, 'create' | 'patch'>
  readonly clock: Clock
  readonly log: Log
  /** Who tells, such as `mbcas-controller`. */
  readonly component: string
  /** Of a node's agent: the node. */
  readonly host?: string
}

/** Behind a stalled server; each is a few hundred bytes. */
const mostWaiting = 4096
/** What events.k8s.io allows. */
const longestMessage = 1024
const longestName = 253

export function eventRecorder(options: EventRecorderOptions): EventRecorder {
  const { kube, clock, log, component } = options
  const { note } = correlation()
  const waiting = new Set<Series>()
  const given = new AbortController()
  const request = { purpose: 'event', fieldManager: component, signal: given.signal } as const
  let sending: Promise<void> | undefined
  let isDropping = false
  let names = 0

  async function sendAll(): Promise<void> {
    for (const series of waiting) {
      waiting.delete(series)
      try {
        await send(series)
      } catch (error) {
        const { about, reason } = series
        log('warn', 'recording an event failed', {
          kind: about.kind,
          name: about.name,
          reason,
          error,
        })
      }
    }
    isDropping = false
    sending = undefined // at once: what is recorded after the loop starts another
  }

  /** The name stays, so that an answer that was lost leads to no second event. */
  async function send(series: Series): Promise<void> {
    if (series.name === undefined) {
      names += 1
      series.name = eventName(series, names)
      if (await isCreated(series, series.name)) return
    }
    // Events live for an hour by default, so it may be gone.
    if (!(await isPatched(series, series.name))) await isCreated(series, series.name)
  }

  const isCreated = async (series: Series, name: string) =>
    unless('AlreadyExists', async () =>
      kube.create(events, eventOf(series, name, options), request),
    )

  async function isPatched(series: Series, name: string): Promise<boolean> {
    const { count, last, message } = series
    const body = { count, lastTimestamp: timestamp(last), message: shortened(message) }
    const place = { namespace: namespaceOf(series), name }
    return unless('NotFound', async () =>
      kube.patch(events, place, { type: 'merge', body }, request),
    )
  }

  return {
    record: (occurrence) => {
      const series = note(occurrence, { now: clock.now(), wall: clock.wall() })
      if (!series) return
      if (waiting.size >= mostWaiting && !waiting.has(series)) {
        if (!isDropping) log('warn', 'dropping events: too many wait', { waiting: waiting.size })
        isDropping = true
        return
      }
      waiting.add(series)
      sending ??= sendAll()
    },
    flush: async (signal) => {
      const giveUp = () => {
        waiting.clear()
        given.abort()
      }
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp)
      await sending
      signal.removeEventListener('abort', giveUp)
    },
  }
}

/** Whether it was done; false if the server refused it for this reason. */
async function unless(reason: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (isReason(error, reason)) return false
    throw error
  }
}

export function referenceTo<T extends KubeObject>(
  resource: Resource<T>,
  { metadata: { namespace, name = '', uid, resourceVersion } }: NoInfer<T>,
): ObjectReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  }
}

function eventOf(
  series: Series,
  name: string,
  { component, host }: EventRecorderOptions,
): KubeEvent {
  const { about, type, reason, message, count, first, last } = series
  return {
    metadata: { namespace: namespaceOf(series), name },
    involvedObject: about,
    type,
    reason,
    message: shortened(message),
    count,
    firstTimestamp: timestamp(first),
    lastTimestamp: timestamp(last),
    source: { component, ...(host !== undefined && { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
  }
}

/** Of what has no namespace, such as a node, events are in `default`. */
const namespaceOf = ({ about }: Series): string => about.namespace ?? 'default'

/** As client-go names them: the object and a moment, here also a number within the process. */
function eventName({ about, first }: Series, number: number): string {
  const moment = `${first.toString(16)}${number.toString(16).padStart(4, '0')}`
  const room = about.name.slice(0, longestName - 1 - moment.length).replace(/[^a-z0-9]+$/, '')
  return `${room}.${moment}`
}

const shortened = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage - 3)}...` : message

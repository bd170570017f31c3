/**
 * Which event tells of an occurrence, by client-go's rules (tools/events `EventCorrelator`): what
 * repeats within ten minutes raises the count of one event; from the eleventh different message of
 * one object and reason on, the others share one event; and an object has a budget, a burst of 25
 * and then one every five minutes. The count stays right when the budget is spent.
 */
import type { EventType, ObjectReference } from '../apis/event.ts'
import type { Millis } from '../core/units.ts'

export type Occurrence = {
  readonly about: ObjectReference
  readonly type: EventType
  /** One word in CamelCase, constant. */
  readonly reason: string
  readonly message: string
}

/** What becomes one Event; counts on as it repeats. */
export type Series = Omit<Occurrence, 'message'> & {
  message: string
  count: number
  /** By the wall clock. */
  readonly first: Millis
  last: Millis
  /** By the clock that does not step. */
  seenAt: Millis
  /** Of its Event, once one was asked for. */
  name: string | undefined
}

const windowMs = 600_000
const mostMessages = 10
const burst = 25
const refillMs = 300_000
/** Objects that are remembered, the longest unseen forgotten first. */
const mostObjects = 4096

type Group = { readonly series: Map<string, Series>; combined: Series | undefined }
type Known = { readonly groups: Map<string, Group>; tokens: number; refilledAt: Millis }
type Time = { readonly now: Millis; readonly wall: Millis }

export type Correlation = {
  /** The series that tells of it, or nothing when the object's budget is spent. */
  readonly note: (occurrence: Occurrence, time: Time) => Series | undefined
}

export function correlation(): Correlation {
  const objects = new Map<string, Known>()

  function knownOf(
    { apiVersion, kind, namespace, name, uid }: ObjectReference,
    now: Millis,
  ): Known {
    const key = [apiVersion, kind, namespace, name, uid].join(' ')
    const known = objects.get(key) ?? { groups: new Map(), tokens: burst, refilledAt: now }
    objects.delete(key)
    objects.set(key, known) // now the youngest
    const [oldest] = objects.keys()
    if (objects.size > mostObjects && oldest !== undefined) objects.delete(oldest)
    return known
  }

  return {
    note: (occurrence, time) => {
      const known = knownOf(occurrence.about, time.now)
      const key = `${occurrence.type} ${occurrence.reason}`
      const group = known.groups.get(key) ?? { series: new Map(), combined: undefined }
      known.groups.set(key, group)
      const series = seriesOf(group, occurrence, time)
      series.count += 1
      series.last = time.wall
      series.seenAt = time.now
      return spend(known, time.now) ? series : undefined
    },
  }
}

function seriesOf(group: Group, occurrence: Occurrence, { now, wall }: Time): Series {
  const isLive = (series: Series) => now - series.seenAt <= windowMs
  for (const [message, series] of group.series) {
    if (!isLive(series)) group.series.delete(message)
  }
  const same = group.series.get(occurrence.message)
  if (same) return same
  const fresh = { ...occurrence, count: 0, first: wall, last: wall, seenAt: now, name: undefined }
  if (group.series.size < mostMessages) {
    group.series.set(occurrence.message, fresh)
    return fresh
  }
  const combined = group.combined && isLive(group.combined) ? group.combined : fresh
  combined.message = `(combined from similar events): ${occurrence.message}`
  group.combined = combined
  return combined
}

function spend(known: Known, now: Millis): boolean {
  known.tokens = Math.min(burst, known.tokens + (now - known.refilledAt) / refillMs)
  known.refilledAt = now
  if (known.tokens < 1) return false
  known.tokens -= 1
  return true
}

/** The newest happenings, in order of time, and the decisions on every pod. */
import type { Happening, PodDecision } from '../../apis/dashboard.ts'
import type { SeenAllocation } from './seen.ts'

export type Feed = {
  /** One that is known already is not added again. */
  readonly add: (happening: Happening) => void
  /** The newest first; the same list until something is added. */
  readonly newest: () => readonly Happening[]
  readonly newestSuffering: () => readonly Happening[]
}

/** As many as a person scrolls through. */
const MOST_SHOWN = 500
const MOST_SUFFERING = 20

export function createFeed(): Feed {
  /** The oldest first: most are added at the end. */
  const all: Happening[] = []
  const known = new Set<string>()
  let shown: readonly Happening[] = []
  let suffering: readonly Happening[] = []
  let isStale = false

  const renew = (): void => {
    if (!isStale) return
    isStale = false
    shown = all.toReversed()
    suffering = shown.filter(({ kind }) => kind === 'suffering').slice(0, MOST_SUFFERING)
  }

  return {
    add: (happening) => {
      if (known.has(happening.id)) return
      const before = all.findLastIndex(({ at }) => at <= happening.at)
      if (before === -1 && all.length >= MOST_SHOWN) return // older than all that are shown
      known.add(happening.id)
      all.splice(before + 1, 0, happening)
      if (all.length > MOST_SHOWN) {
        const oldest = all.shift()
        if (oldest !== undefined) known.delete(oldest.id)
      }
      isStale = true
    },
    newest: () => {
      renew()
      return shown
    },
    newestSuffering: () => {
      renew()
      return suffering
    },
  }
}

export type Decisions = {
  readonly note: (allocation: SeenAllocation, now: number) => void
  /** The newest first. */
  readonly of: (pod: string) => readonly PodDecision[]
  readonly forget: (pod: string) => void
}

/** About 300 bytes each: at most 15 MB in all, however many pods there are. */
const MOST_IN_ALL = 50_000
const mostOfOne = { min: 5, max: 50 }

export function createDecisions(): Decisions {
  type Known = { readonly uid: string; readonly generation: number; list: readonly PodDecision[] }
  const known = new Map<string, Known>()
  const most = (): number =>
    Math.max(mostOfOne.min, Math.min(mostOfOne.max, Math.floor(MOST_IN_ALL / known.size)))

  return {
    note: (allocation, now) => {
      const { key, uid, generation } = allocation
      const before = known.get(key)
      if (before?.uid === uid && before.generation === generation) return
      const list = [decisionIn(allocation, now), ...(before?.list ?? [])]
      known.set(key, { uid, generation, list })
      if (list.length > most()) known.set(key, { uid, generation, list: list.slice(0, most()) })
    },
    of: (pod) => known.get(pod)?.list ?? [],
    forget: (pod) => void known.delete(pod),
  }
}

function decisionIn(allocation: SeenAllocation, now: number): PodDecision {
  const { decidedAt = now, request, limit, urgency, mode, price, reason } = allocation
  return {
    at: decidedAt,
    request,
    ...(limit !== undefined && { limit }),
    urgency,
    ...(mode !== undefined && { mode }),
    ...(price !== undefined && { price }),
    reason,
  }
}

/** Where every PodAllocation stands, for the metrics: how many, and how long the longest. */
import { timeIn } from '../../apis/object.ts'
import type { PodAllocation } from '../../apis/pod-allocation.ts'
import type { ResizeReason } from '../../core/resize/types.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { keyOf } from '../../runtime/store.ts'
import type { ControllerMetrics } from './metrics.ts'
import type { Outcome, Phase } from './outcome.ts'

export type Standings = {
  /** True if it stood elsewhere before. */
  readonly note: (allocation: PodAllocation, outcome: Outcome) => boolean
  readonly reasonOf: (key: string) => ResizeReason | undefined
  readonly forget: (key: string) => void
  /** Whether the pod is to get its original values back, and has yet to. */
  readonly noteRestore: (key: string, isDue: boolean) => void
  /** Shows how long the longest has waited for each reason. */
  readonly show: () => void
}

type Stand = { readonly phase: Phase; readonly reason: ResizeReason; readonly since: Millis }

/** As somebody wants it: nobody waits there. */
const calm: ReadonlySet<ResizeReason> = new Set(['Applied', 'Recommended', 'Excluded', 'Restored'])

export function createStandings(clock: Clock, metrics: ControllerMetrics): Standings {
  const stands = new Map<string, Stand>()
  const counts = new Map<string, number>()
  /** Since when, also of pods that have no allocation any more. */
  const restores = new Map<string, Millis>()
  let shown = new Set<ResizeReason>()

  const count = ({ phase, reason }: Stand, by: 1 | -1): void => {
    const place = `${phase} ${reason}`
    const now = (counts.get(place) ?? 0) + by
    counts.set(place, now)
    metrics.standing(phase, reason, now)
  }

  const forget = (key: string): void => {
    const stand = stands.get(key)
    if (stand === undefined) return
    count(stand, -1)
    stands.delete(key)
  }

  return {
    note: (allocation, { phase, reason }) => {
      const key = keyOf(allocation)
      const before = stands.get(key)
      if (before?.phase === phase && before.reason === reason) return false
      forget(key)
      const since = before === undefined ? sinceOf(allocation, { reason, clock }) : clock.now()
      const stand = { phase, reason, since }
      stands.set(key, stand)
      count(stand, 1)
      return true
    },
    reasonOf: (key) => stands.get(key)?.reason,
    forget,
    noteRestore: (key, isDue) => {
      if (!isDue) restores.delete(key)
      else if (!restores.has(key)) restores.set(key, clock.now())
    },
    show: () => {
      metrics.restoring(Math.max(0, ...[...restores.values()].map((since) => clock.now() - since)))
      const longest = new Map<ResizeReason, number>()
      for (const { reason, since } of stands.values()) {
        const waited = clock.now() - since
        if (!calm.has(reason)) longest.set(reason, Math.max(waited, longest.get(reason) ?? 0))
      }
      for (const reason of shown) if (!longest.has(reason)) metrics.waiting(reason, 0)
      for (const [reason, waited] of longest) metrics.waiting(reason, waited)
      shown = new Set([...shown, ...longest.keys()])
    },
  }
}

type Anew = { readonly reason: ResizeReason; readonly clock: Clock }

/** Who waited before this controller began goes on waiting, by what the status says. */
function sinceOf({ status }: PodAllocation, { reason, clock }: Anew): Millis {
  const now = clock.now()
  const applied = status?.conditions?.find(({ type }) => type === 'Applied')
  const at = status?.reason === reason ? timeIn(applied?.lastTransitionTime) : undefined
  return at === undefined ? now : (Math.min(now, now - (clock.wall() - at)) as Millis)
}

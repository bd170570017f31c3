/**
 * What changed from one view to the next (`apis/dashboard-patch`). The history of the next one has only
 * what is new. Undefined: nothing changed but the time; `whole`: what went cannot be said by a patch.
 */
import type { ClusterPatch, EventsPatch, NodePatch, PodPatch } from '../../apis/dashboard-patch.ts'
import type { ClusterView, EventFeed, NodeDetail, PodDetail } from '../../apis/dashboard.ts'

export function patchCluster(before: ClusterView, now: ClusterView): ClusterPatch | undefined {
  const nodes = changedIn(before.nodes, now.nodes, ({ name }) => name)
  const sufferedLately = newIn(before.sufferedLately, now.sufferedLately, ({ id }) => id)
  return unlessEmpty(now.at, {
    ...(!isSame(before.totals, now.totals) && { totals: now.totals }),
    ...(now.history.at.length > 0 && { history: now.history }),
    ...(nodes.changed.length > 0 && { nodes: nodes.changed }),
    ...(nodes.gone.length > 0 && { gone: nodes.gone }),
    ...(sufferedLately.length > 0 && { sufferedLately }),
    ...(!areSame(before.suffering, now.suffering) && { suffering: now.suffering }),
    ...(before.troubles.join('\n') !== now.troubles.join('\n') && { troubles: now.troubles }),
  })
}

export function patchNode(before: NodeDetail, now: NodeDetail): NodePatch | undefined {
  const pods = changedIn(before.pods, now.pods, ({ key }) => key)
  return unlessEmpty(now.at, {
    ...(!isSame(before.tile, now.tile) && { tile: now.tile }),
    ...(before.reserve !== now.reserve && { reserve: now.reserve }),
    ...(before.held !== now.held && { held: now.held }),
    ...(pods.changed.length > 0 && { pods: pods.changed }),
    ...(pods.gone.length > 0 && { gone: pods.gone }),
    ...(now.history.at.length > 0 && { history: now.history }),
  })
}

export function patchPod(before: PodDetail, now: PodDetail): PodPatch | 'whole' | undefined {
  const optional = ['bid', 'original', 'state'] as const
  if (optional.some((name) => before[name] !== undefined && now[name] === undefined)) return 'whole'
  const changed = optional.flatMap((name) =>
    now[name] === undefined || isSame(before[name] ?? {}, now[name]) ? [] : [[name, now[name]]],
  )
  const decisions = newIn(before.decisions, now.decisions, (decision) => JSON.stringify(decision))
  return unlessEmpty(now.at, {
    ...(!isSame(before.row, now.row) && { row: now.row }),
    ...(Object.fromEntries(changed) as Pick<PodPatch, (typeof optional)[number]>),
    ...(before.restarts !== now.restarts && { restarts: now.restarts }),
    ...(now.history.at.length > 0 && { history: now.history }),
    ...(decisions.length > 0 && { decisions }),
  })
}

export function patchEvents(before: EventFeed, now: EventFeed): EventsPatch | undefined {
  const events = newIn(before.events, now.events, ({ id }) => id)
  return events.length === 0 ? undefined : { at: now.at, events }
}

const unlessEmpty = <P extends object>(at: number, parts: P): (P & { at: number }) | undefined =>
  Object.keys(parts).length === 0 ? undefined : { at, ...parts }

function changedIn<T extends object>(
  before: readonly T[],
  now: readonly T[],
  keyOf: (one: T) => string,
): { readonly changed: readonly T[]; readonly gone: readonly string[] } {
  if (before === now) return { changed: [], gone: [] }
  const known = new Map(before.map((one) => [keyOf(one), one]))
  const changed = now.filter((one) => {
    const old = known.get(keyOf(one))
    known.delete(keyOf(one))
    return old === undefined || !isSame(old, one)
  })
  return { changed, gone: [...known.keys()] }
}

function newIn<T>(
  before: readonly T[],
  now: readonly T[],
  keyOf: (one: T) => string,
): readonly T[] {
  if (before === now) return []
  const known = new Set(before.map(keyOf))
  return now.filter((one) => !known.has(keyOf(one)))
}

const areSame = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((one, i) => isSame(one, b[i] ?? {}))

/** Flat objects of plain values. */
function isSame<T extends object>(a: T, b: T): boolean {
  if (a === b) return true
  const names = Object.keys(a) as (keyof T)[]
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/** Histories are columns of equal length, one of them `at`. */
import type { NodeHistory, PodBand } from '../../src/apis/dashboard.ts'
import type { Span } from './time.ts'

type Column = readonly unknown[]
export type Columns = { readonly at: readonly number[] }

/** Samples that a page keeps unless it was given more: an hour of seconds. */
export const KEPT_SAMPLES = 3600

/** How much of both to keep: what is not after the last known sample was told before. */
function joint(old: Columns, fresh: Columns): { readonly drop: number; readonly skip: number } {
  const last = old.at.at(-1) ?? -Infinity
  const next = fresh.at.findIndex((at) => at > last)
  const skip = next === -1 ? fresh.at.length : next
  const room = Math.max(KEPT_SAMPLES, old.at.length)
  return { skip, drop: Math.max(0, old.at.length + fresh.at.length - skip - room) }
}

export function appendColumns<History extends Columns>(old: History, fresh: History): History {
  const { drop, skip } = joint(old, fresh)
  if (skip === fresh.at.length) return old
  const entries = Object.entries<unknown>(old).map(([name, column]) => [
    name,
    [...(column as Column).slice(drop), ...columnOf(fresh, name).slice(skip)],
  ])
  return Object.fromEntries(entries) as History
}

const columnOf = (history: Columns, name: string): Column =>
  (history as unknown as Readonly<Record<string, Column>>)[name] ?? []

/** The same for a node, whose pods come and go. */
export function appendNodeHistory(old: NodeHistory, fresh: NodeHistory): NodeHistory {
  const { drop, skip } = joint(old, fresh)
  if (skip === fresh.at.length) return old
  const { pods: oldPods, ...oldColumns } = old
  const { pods: freshPods, ...freshColumns } = fresh
  const columns = appendColumns(oldColumns, freshColumns)
  const before = nulls(old.at.length - drop)
  const after = nulls(fresh.at.length - skip)
  const was = new Map(oldPods.map((band) => [band.key, band]))
  const is = new Map(freshPods.map((band) => [band.key, band]))
  const keys = [...new Set([...was.keys(), ...is.keys()])]
  const pods = keys.map((key): PodBand => {
    const [from, to] = [was.get(key), is.get(key)]
    return {
      key,
      held: [...(from?.held.slice(drop) ?? before), ...(to?.held.slice(skip) ?? after)],
      used: [...(from?.used.slice(drop) ?? before), ...(to?.used.slice(skip) ?? after)],
    }
  })
  return { ...columns, pods: pods.filter(({ held, used }) => isSeen(held) || isSeen(used)) }
}

const nulls = (length: number): null[] => Array.from({ length }, () => null)
const isSeen = (values: readonly (number | null)[]): boolean => values.some((v) => v !== null)

/** The last sample at or before a moment; -1 before the first. Times ascend. */
export function indexAt(at: readonly number[], moment: number): number {
  let low = 0
  let high = at.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at[middle] ?? Infinity) <= moment) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The samples within a stretch, and one on either side so that lines go on to the edge. */
export function within(at: readonly number[], { from, to }: Span): readonly [number, number] {
  return [Math.max(0, indexAt(at, from)), Math.min(at.length, indexAt(at, to) + 2)]
}

/**
 * Which samples to draw when there are more than pixels: evenly spread, the last always among them.
 * thin(5, 9) = all, thin(10, 4) = 0 3 6 9
 */
export function thin(length: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, most)))
  const first = length === 0 ? 0 : (length - 1) % step
  return Array.from({ length: Math.ceil((length - first) / step) }, (_, i) => first + i * step)
}

/**
 * The history of one thing and of its parts, finer the younger: of a node and its pods, or of the
 * cluster. The coarse ring is always kept; the finer ones only where there is something to see in them.
 *
 *   ring    from sample to sample   reaches back    a pod with 8 columns
 *   fine    1 step  (1 s)           5 minutes       10.8 KB
 *   middle  5 steps (5 s)           15 minutes       6.5 KB
 *   coarse  30 steps (30 s)         an hour          4.3 KB
 */
import { type ColumnKind, createRing, type Ring, type Strip } from './ring.ts'

export type Range = { readonly from: number; readonly to: number }
export const allTime: Range = { from: 0, to: Infinity }

export type RecordShape = {
  readonly own: readonly ColumnKind[]
  readonly part: readonly ColumnKind[]
  /** From sample to sample of the finest. */
  readonly stepMillis: number
}

export type Sample = {
  readonly at: number
  readonly own: readonly (number | undefined)[]
  readonly parts: ReadonlyMap<string, readonly (number | undefined)[]>
}

/** Columns of equal length, in order of time. */
export type Columns = {
  readonly at: readonly number[]
  readonly own: readonly (readonly (number | null)[])[]
  readonly parts: ReadonlyMap<string, readonly (readonly (number | null)[])[]>
}

export type HistoryRecord = {
  readonly put: (sample: Sample, isFine: boolean) => void
  /** Closed slots only, so that nothing told changes; of one part where it is named. */
  readonly read: (range: Range, now: number, only?: string) => Columns
  /** Keeps the coarse ring alone. */
  readonly coarsen: () => void
  /** How many parts have fine rings. */
  readonly fineParts: () => number
}

const rings = { fine: { steps: 1, slots: 300 }, middle: { steps: 5, slots: 180 } }
const COARSE = { steps: 30, slots: 120 }

export function createRecord(shape: RecordShape): HistoryRecord {
  const coarse = createTrack(shape, COARSE)
  let finer: readonly Track[] = []

  const put: HistoryRecord['put'] = (sample, isFine) => {
    if (isFine && finer.length === 0) {
      finer = [createTrack(shape, rings.fine), createTrack(shape, rings.middle)]
    }
    coarse.put(sample)
    if (isFine) for (const track of finer) track.put(sample)
  }

  const read: HistoryRecord['read'] = ({ from, to }, now, only) => {
    const tracks = [...finer, coarse]
    const found = mergeSlots(tracks, { from, to }, now)
    const names = only === undefined ? namesIn(tracks) : [only]
    const columnsOf = (name: string) =>
      shape.part.map((_, column) =>
        found.map(({ track, slot }) => {
          const strip = track.parts.get(name)?.strip
          return strip === undefined ? null : track.part.get(strip, column, slot)
        }),
      )
    return {
      at: found.map(({ at }) => at),
      own: shape.own.map((_, column) =>
        found.map(({ track, slot }) => track.own.get(track.strip, column, slot)),
      ),
      parts: new Map(names.map((name) => [name, columnsOf(name)])),
    }
  }

  return {
    put,
    read,
    coarsen: () => {
      finer = []
    },
    fineParts: () => finer[0]?.parts.size ?? 0,
  }
}

type Track = {
  readonly stepMillis: number
  readonly own: Ring
  readonly strip: Strip
  readonly part: Ring
  readonly parts: Map<string, Part>
  readonly put: (sample: Sample) => void
}
type Part = { readonly strip: Strip; seenAt: number }
type Found = { readonly track: Track; readonly slot: number; readonly at: number }

function createTrack(shape: RecordShape, size: { steps: number; slots: number }): Track {
  const { slots } = size
  const stepMillis = shape.stepMillis * size.steps
  const own = createRing(shape.own, { stepMillis, slots })
  const part = createRing(shape.part, { stepMillis, slots })
  const strip = own.newStrip()
  const parts = new Map<string, Part>()

  const put = ({ at, own: values, parts: sampled }: Sample): void => {
    for (const [name, { seenAt }] of parts) {
      if (at - seenAt > stepMillis * slots) parts.delete(name) // nothing of it is left
    }
    for (const name of sampled.keys()) {
      if (!parts.has(name)) parts.set(name, { strip: part.newStrip(), seenAt: at })
    }
    const strips = Array.from(parts.values(), ({ strip }) => strip)
    if (own.open(at, [strip]) === undefined || part.open(at, strips) === undefined) return
    own.put(strip, values)
    for (const [name, amounts] of sampled) {
      const known = parts.get(name)
      if (known === undefined) continue
      known.seenAt = at
      part.put(known.strip, amounts)
    }
  }

  return { stepMillis, own, strip, part, parts, put }
}

/** In order of time; what a finer one tells, also in part, a coarser one does not tell again. */
function mergeSlots(finestFirst: readonly Track[], { from, to }: Range, now: number): Found[] {
  const found: Found[] = []
  for (const track of finestFirst) {
    const told = new Set(found.map(({ at }) => Math.floor(at / track.stepMillis)))
    for (const { slot, at } of track.own.closed(from, to, now)) {
      if (!told.has(at / track.stepMillis)) found.push({ track, slot, at })
    }
  }
  return found.toSorted((a, b) => a.at - b.at)
}

const namesIn = (tracks: readonly Track[]): string[] =>
  [...new Set(tracks.flatMap(({ parts }) => [...parts.keys()]))].toSorted()

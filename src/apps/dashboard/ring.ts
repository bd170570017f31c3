/**
 * Values over time in slots of equal length, the oldest overwritten: typed arrays, so that what is kept
 * is known beforehand. What falls into one slot becomes one value a column.
 *
 *   step 5 s, mean   at 0 s: 100m, at 2 s: 300m, at 5 s: 50m   ->  200m at 0 s, 50m at 5 s
 *   step 5 s, last   at 0 s: 100m, at 2 s: 300m, at 5 s: 50m   ->  300m at 0 s, 50m at 5 s
 *   step 5 s, most   at 0 s: 100m, at 2 s: 300m, at 5 s: 50m   ->  300m at 0 s, 50m at 5 s
 */
export type ColumnKind = 'mean' | 'last' | 'most'
export type RingSize = { readonly stepMillis: number; readonly slots: number }

/** The values of one thing: column by column, NaN where there is none. */
export type Strip = Float32Array

export type Ring = {
  /** The slot of this moment, emptied in all strips if it is a new one; undefined if it is past. */
  readonly open: (at: number, strips: Iterable<Strip>) => number | undefined
  /** Into the slot that was opened last. */
  readonly put: (strip: Strip, values: readonly (number | undefined)[]) => void
  readonly newStrip: () => Strip
  readonly get: (strip: Strip, column: number, slot: number) => number | null
  /** In order of time: the slots that have begun within a range, without the one that is open now. */
  readonly closed: (from: number, to: number, now: number) => readonly Slot[]
}

export type Slot = { readonly slot: number; readonly at: number }

/** A slot that nothing has fallen into. */
const NEVER = -1

export function createRing(columns: readonly ColumnKind[], { stepMillis, slots }: RingSize): Ring {
  /** Which step since 1970 each slot is of. */
  const steps = new Float64Array(slots).fill(NEVER)
  let newest = NEVER
  /** How often the newest was put into. */
  let count = 0

  const open: Ring['open'] = (at, strips) => {
    const step = Math.floor(at / stepMillis)
    if (step < newest) return undefined
    const slot = step % slots
    count = step === newest ? count + 1 : 1
    if (step === newest) return slot
    newest = step
    steps[slot] = step
    for (const strip of strips) {
      for (let column = 0; column < columns.length; column += 1) strip[column * slots + slot] = NaN
    }
    return slot
  }

  const put: Ring['put'] = (strip, values) => {
    const slot = newest % slots
    columns.forEach((kind, column) => {
      const value = values[column]
      if (value === undefined) return
      const place = column * slots + slot
      const before = strip[place] ?? NaN
      strip[place] = Number.isNaN(before) ? value : joined(kind, { before, value, count })
    })
  }

  return {
    open,
    put,
    newStrip: () => new Float32Array(columns.length * slots).fill(NaN),
    get: (strip, column, slot) => {
      const value = strip[column * slots + slot] ?? NaN
      // Six digits: what a Float32 holds.
      return Number.isNaN(value) ? null : Number(value.toPrecision(6))
    },
    closed: (from, to, now) => {
      const found: Slot[] = []
      const open = Math.floor(now / stepMillis)
      for (let step = Math.max(0, newest - slots + 1); step <= newest; step += 1) {
        const slot = step % slots
        const at = step * stepMillis
        if (steps[slot] === step && step < open && at >= from && at <= to) found.push({ slot, at })
      }
      return found
    },
  }
}

type Joining = { readonly before: number; readonly value: number; readonly count: number }

function joined(kind: ColumnKind, { before, value, count }: Joining): number {
  if (kind === 'last') return value
  return kind === 'most' ? Math.max(before, value) : before + (value - before) / count
}

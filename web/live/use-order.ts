import { useRef, useState } from 'preact/hooks'

import { keepOrder, type Sortable, sortedKeys } from '../model/order.ts'

type Ordering<Row> = {
  readonly keyOf: (row: Row) => string
  readonly valueOf: (row: Row) => Sortable
  readonly descending: boolean
  /** Another name is a request for another order. */
  readonly name: string
}

export type Ordered<Row> = {
  readonly rows: readonly Row[]
  /** The values have changed so that they would now be in another order. */
  readonly isOutdated: boolean
  readonly sortAgain: () => void
}

type Kept = { readonly request: string; readonly keys: readonly string[] }

/** Rows in the order they had when it was last asked for. */
export function useOrder<Row>(rows: readonly Row[], ordering: Ordering<Row>): Ordered<Row> {
  const [times, setTimes] = useState(0)
  const request = `${ordering.name} ${times}`
  const kept = useRef<Kept>(undefined)
  const sorted = sortedKeys(rows, ordering)
  const keys = kept.current?.request === request ? keepOrder(kept.current.keys, sorted) : sorted
  kept.current = { request, keys }
  const byKey = new Map(rows.map((row) => [ordering.keyOf(row), row]))
  return {
    rows: keys.flatMap((key) => byKey.get(key) ?? []),
    isOutdated: keys.some((key, i) => key !== sorted[i]),
    sortAgain: () => setTimes(times + 1),
  }
}

/** The order of rows. It changes only on request: rows that jump cannot be read. */
export type SortBy = { readonly column: string; readonly descending: boolean }
export type Sortable = number | string | undefined

/** `used` or `-used`. */
export const readSort = (text: string): SortBy => ({
  column: text.replace(/^-/, ''),
  descending: text.startsWith('-'),
})
export const writeSort = ({ column, descending }: SortBy): string =>
  `${descending ? '-' : ''}${column}`

/** A click on a column: the other way round if it is the one, else numbers from the greatest. */
export const nextSort = (now: SortBy | undefined, column: string, isNumeric: boolean): SortBy =>
  now?.column === column
    ? { column, descending: !now.descending }
    : { column, descending: isNumeric }

type Sorting<Row> = {
  readonly keyOf: (row: Row) => string
  readonly valueOf: (row: Row) => Sortable
  readonly descending: boolean
}

/** The keys in order; what has no value comes last either way, and equals by key. */
export function sortedKeys<Row>(
  rows: readonly Row[],
  { keyOf, valueOf, descending }: Sorting<Row>,
): readonly string[] {
  return rows
    .map((row) => ({ key: keyOf(row), value: valueOf(row) }))
    .toSorted((a, b) => {
      if (a.value === undefined || b.value === undefined) {
        return Number(a.value === undefined) - Number(b.value === undefined) || byText(a.key, b.key)
      }
      const order = compare(a.value, b.value)
      return (descending ? -order : order) || byText(a.key, b.key)
    })
    .map(({ key }) => key)
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byText(String(a), String(b))

/** Those of the old order that are still there, then the new ones as they come. */
export function keepOrder(order: readonly string[], keys: readonly string[]): readonly string[] {
  const present = new Set(keys)
  const known = new Set(order)
  return [...order.filter((key) => present.has(key)), ...keys.filter((key) => !known.has(key))]
}

/** A table of nodes or pods that can be sorted, and that knows which columns are only for wide ones. */
import { InvalidInput } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import type { Style } from './output.ts'
import { type Cell, type Column, table } from './show.ts'

export type Sheet = {
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly SheetRow[]
}

/** What is only wide is left out where columns are few. */
export type SheetColumn = Column & { readonly isOnlyWide?: boolean }

export type SheetRow = {
  /** Of a node its name, of a pod `namespace/name`. */
  readonly key: string
  readonly cells: readonly Cell[]
}

export type Sort<Row> = {
  readonly name: string
  readonly compare: (a: Row, b: Row) => number
}

/** The first is the one that holds if nobody asks for another. */
export function sortRows<Row>(
  rows: readonly Row[],
  sorts: readonly Sort<Row>[],
  name: string | undefined,
): Row[] {
  const names = sorts.map((sort) => sort.name)
  const sort = name === undefined ? sorts[0] : sorts.find((one) => one.name === name)
  if (sort !== undefined) return rows.toSorted(sort.compare)
  const meant = nearest(name ?? '', names)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw new InvalidInput(`--sort: expected ${names.join(', ')}, got "${name}"${hint}`)
}

export function narrow({ columns, rows }: Sheet): Sheet {
  const isKept = (_: unknown, i: number): boolean => columns[i]?.isOnlyWide !== true
  return {
    columns: columns.filter(isKept),
    rows: rows.map(({ key, cells }) => ({ key, cells: cells.filter(isKept) })),
  }
}

export function sheetLines(sheet: Sheet, { width, isWide, paint }: Style): string[] {
  const { columns, rows } = isWide ? sheet : narrow(sheet)
  const cells = rows.map((row) => row.cells)
  return table(columns, cells, { width, paint })
}

/** Rows stay where they were, so that nothing jumps under the eye; new ones come last. */
export function keepOrder(
  rows: readonly SheetRow[],
  order: readonly string[] | undefined,
): readonly SheetRow[] {
  if (order === undefined) return rows
  const places = new Map(order.map((key, i) => [key, i]))
  const place = ({ key }: SheetRow): number => places.get(key) ?? order.length
  return rows.toSorted((a, b) => place(a) - place(b))
}

/** A table that can be sorted and may be long: only the rows on the screen are drawn. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

import { usePage } from '../live/page.ts'
import { usePhone } from '../live/use-media.ts'
import { useOrder } from '../live/use-order.ts'
import { useVisible } from '../live/use-visible.ts'
import { nextSort, readSort, type Sortable, type SortBy, writeSort } from '../model/order.ts'
import { Outdated } from './outdated.tsx'

export type Column<Row> = {
  readonly key: string
  readonly title: string
  /** What it is, on hover. */
  readonly about: string
  /** A track of a CSS grid. */
  readonly width: string
  readonly isNumeric: boolean
  readonly valueOf: (row: Row) => Sortable
  readonly cell: (row: Row) => ComponentChildren
}

type Props<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly isBad?: (row: Row) => boolean
  readonly initially: SortBy
}

/** As the style sheet has them. On a phone a row is a small card. */
const ROW_HEIGHT = 40
const CARD_HEIGHT = 132

export function DataTable<Row>({ label, columns, rows, keyOf, isBad, initially }: Props<Row>) {
  const { address, change } = usePage()
  const list = useRef<HTMLDivElement>(null)
  const rowHeight = usePhone() ? CARD_HEIGHT : ROW_HEIGHT
  const sort = address.sort === undefined ? initially : readSort(address.sort)
  const sorted = columns.find(({ key }) => key === sort.column) ?? columns[0]
  const valueOf = sorted?.valueOf ?? keyOf
  const ordered = useOrder(rows, {
    name: writeSort(sort),
    keyOf,
    valueOf,
    descending: sort.descending,
  })
  const { first, end } = useVisible({ list, count: ordered.rows.length, rowHeight })
  const tracks = { '--tracks': columns.map(({ width }) => width).join(' ') }
  const click = ({ key, isNumeric }: Column<Row>): void =>
    change({ sort: writeSort(nextSort(sort, key, isNumeric)) })
  return (
    <>
      <div
        class="table"
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={tracks}
      >
        <div role="rowgroup">
          <div class="table-head" role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <div
                key={column.key}
                role="columnheader"
                class={column.isNumeric ? 'is-number' : ''}
                aria-sort={
                  column.key !== sort.column ? 'none' : sort.descending ? 'descending' : 'ascending'
                }
              >
                <button type="button" title={column.about} onClick={() => click(column)}>
                  {column.title}
                </button>
              </div>
            ))}
          </div>
        </div>
        <div
          ref={list}
          role="rowgroup"
          style={{
            paddingTop: `${first * rowHeight}px`,
            paddingBottom: `${(ordered.rows.length - end) * rowHeight}px`,
          }}
        >
          {ordered.rows.slice(first, end).map((row, i) => (
            <div
              key={keyOf(row)}
              class={isBad?.(row) ? 'table-row is-bad' : 'table-row'}
              role="row"
              aria-rowindex={first + i + 2}
            >
              {columns.map(({ key, title, isNumeric, cell }) => (
                <div
                  key={key}
                  role="cell"
                  class={`cell-${key}${isNumeric ? ' is-number' : ''}`}
                  data-title={title}
                >
                  {cell(row)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      <Outdated ordered={ordered} what={`by ${sorted?.title.toLowerCase() ?? ''}`} />
    </>
  )
}

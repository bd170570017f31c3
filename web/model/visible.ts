/** Which rows of a long list are on the screen: only those are drawn. */
export type Viewport = {
  /** Of the list above the top of the screen; negative while it starts below. In pixels, as all. */
  readonly scrolled: number
  readonly height: number
}

/** Drawn beyond the edges, so that scrolling and `j` and `k` find the next row. */
const BEYOND = 6

export type Rows = { readonly first: number; readonly end: number }

/** Rows are of equal height. visibleRows(1000, 40, { scrolled: 400, height: 800 }) = 4 to 36 */
export function visibleRows(
  count: number,
  rowHeight: number,
  { scrolled, height }: Viewport,
): Rows {
  const clamp = (row: number): number => Math.max(0, Math.min(count, row))
  const first = clamp(Math.floor(scrolled / rowHeight) - BEYOND)
  return { first, end: Math.max(first, clamp(Math.ceil((scrolled + height) / rowHeight) + BEYOND)) }
}

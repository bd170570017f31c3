/** By code unit, so that it is the same everywhere. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The most first; what is not known comes last. */
export const descending =
  <Row>(amount: (row: Row) => number | null) =>
  (a: Row, b: Row): number =>
    (amount(b) ?? -1) - (amount(a) ?? -1)

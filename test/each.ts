import { test } from 'node:test'

/** A table of cases, a test a row: `name` is its sentence. */
export function each<Row extends { readonly name: string }>(
  rows: readonly Row[],
  run: (row: Row) => void | Promise<void>,
): void {
  for (const row of rows) void test(row.name, async () => run(row))
}

/** What differs between two values, gathered level by level. */
import { type FieldSet, none } from './field-set.ts'

export type Comparison = {
  /** Added, or present before and after with different values. */
  readonly changed: FieldSet | undefined
  readonly removed: FieldSet | undefined
}

type Growing = { [element: string]: FieldSet }
/** A comparison that is being made. */
export type Gathered = { changed: Growing | undefined; removed: Growing | undefined }

export const gather = (): Gathered => ({ changed: undefined, removed: undefined })

export function note(gathered: Gathered, element: string, found: Comparison | undefined): void {
  if (found === undefined) return
  if (found.changed) (gathered.changed ??= {})[element] = found.changed
  if (found.removed) (gathered.removed ??= {})[element] = found.removed
}

export type Whole = 'came' | 'went' | 'stayed'

/** `undefined` if nothing was noted, and the whole neither came nor went. */
export function sum(gathered: Gathered, whole: Whole): Comparison | undefined {
  const { changed, removed } = gathered
  if (whole === 'came') {
    if (changed) changed['.'] = none
    return { changed: changed ?? none, removed }
  }
  if (whole === 'went') {
    if (removed) removed['.'] = none
    return { changed, removed: removed ?? none }
  }
  return changed || removed ? gathered : undefined
}

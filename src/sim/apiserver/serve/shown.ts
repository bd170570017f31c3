/** An answer in the form that the client asked for. */
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { type Included, tableOf } from '../table/table.ts'
import type { Form } from './accept.ts'
import { type ListMeta, printList, printObject, printPartial, printPartialList } from './print.ts'

export type Shown = {
  readonly type: ResourceType
  readonly form: Form
  readonly included: Included
  /** Milliseconds since 1970. */
  readonly now: number
}

export function showObject({ type, form, included, now }: Shown, object: ApiObject): string {
  if (form === 'json') return printObject(type, object)
  if (form === 'metadata') return printPartial(object)
  const { resourceVersion } = object.metadata
  return JSON.stringify(tableOf(type, [object], { metadata: { resourceVersion }, included, now }))
}

export function showList(
  { type, form, included, now }: Shown,
  items: readonly ApiObject[],
  metadata: ListMeta,
): string {
  if (form === 'json') return printList(type, items, metadata)
  if (form === 'metadata') return printPartialList(items, metadata)
  return JSON.stringify(tableOf(type, items, { metadata, included, now }))
}

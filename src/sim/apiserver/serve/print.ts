/** Objects and lists as JSON text. */
import type { ApiObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { partialOf } from '../table/table.ts'
import { isCustom } from '../write/cluster.ts'

/** Without kind and apiVersion, which a list leaves away and which differ between served versions. */
function printRest(object: ApiObject): string {
  const { kind: _, apiVersion: __, ...rest } = object
  return JSON.stringify(rest)
}

/** Lists come again and again, and most of their items have not changed. */
const printed = new WeakMap<ApiObject, string>()

function printItem(object: ApiObject): string {
  const known = printed.get(object)
  if (known !== undefined) return known
  const text = printRest(object)
  printed.set(object, text)
  return text
}

const withKind = (kind: string, apiVersion: string, rest: string): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},${rest.slice(1)}`

export const printObject = (type: ResourceType, object: ApiObject): string =>
  withKind(type.kind, apiVersionOf(type), printRest(object))

export type ListMeta = {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Items of built-in kinds have no kind of their own. */
export function printList(
  type: ResourceType,
  items: readonly ApiObject[],
  metadata: ListMeta,
): string {
  const print = isCustom(type)
    ? (item: ApiObject) => withKind(type.kind, apiVersionOf(type), printItem(item))
    : printItem
  const rest = `{"metadata":${JSON.stringify(metadata)},"items":[${items.map(print).join(',')}]}`
  return withKind(`${type.kind}List`, apiVersionOf(type), rest)
}

export const printPartial = (object: ApiObject): string => JSON.stringify(partialOf(object))

export const printPartialList = (items: readonly ApiObject[], metadata: ListMeta): string =>
  withKind(
    'PartialObjectMetadataList',
    'meta.k8s.io/v1',
    `{"metadata":${JSON.stringify(metadata)},"items":[${items.map(printPartial).join(',')}]}`,
  )

/** Which objects a request is about: its label and field selectors together. */
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { parseFieldSelector } from './fields.ts'
import { parseLabelSelector } from './labels.ts'

/** Undefined means all. */
export type Selection = ((object: ApiObject) => boolean) | undefined

export function selectionOf(
  type: ResourceType,
  written: { readonly labels: string; readonly fields: string },
): Selection {
  const labels = parseLabelSelector(written.labels)
  const fields = parseFieldSelector(written.fields, type)
  if (labels === undefined) return fields
  if (fields === undefined) return ({ metadata }) => labels(metadata.labels)
  return (object) => labels(object.metadata.labels) && fields(object)
}

/** A pod as the template of its owner says. */
import type { ApiObject, JsonObject } from '../apiserver/object.ts'
import { ownerRefTo, type PodTemplate } from './workload.ts'

/** A name is generated from the owner's, if none is given. */
export function podFrom(
  owner: ApiObject<{ readonly template: PodTemplate }>,
  more: { readonly labels?: Readonly<Record<string, string>>; readonly spec?: JsonObject } = {},
): JsonObject {
  const { metadata = {}, spec = {} } = owner.spec?.template ?? {}
  const labels = { ...metadata.labels, ...more.labels }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      labels,
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [ownerRefTo(owner)],
    },
    spec: { ...(spec as JsonObject), ...more.spec },
  }
}

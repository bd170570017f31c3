/** The parts of a Namespace that we read: what it asks for on behalf of its pods. */
import type { Keep } from './keep.ts'
import { ownNames, prefix } from './names.ts'
import type { KubeObject, ObjectMeta, Resource } from './object.ts'

export type Namespace = KubeObject

export const namespaces: Resource<Namespace> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}

/** What is read of a namespace: any tenant may write into their own. */
export const namespaceKeep: Keep = { metadata: { labels: ownNames, annotations: ownNames } }

/** A copy of what an informer keeps. */
export const projectNamespace = ({ metadata }: Namespace): Namespace => ({
  metadata: {
    ...(metadata.name !== undefined && { name: metadata.name }),
    ...ours('labels', metadata),
    ...ours('annotations', metadata),
  },
})

function ours(field: 'labels' | 'annotations', metadata: ObjectMeta): ObjectMeta {
  const kept = Object.entries(metadata[field] ?? {}).filter(([name]) => name.startsWith(prefix))
  return kept.length > 0 ? { [field]: Object.fromEntries(kept) } : {}
}

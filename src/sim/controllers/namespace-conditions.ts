/** Why a namespace that is deleted is still there. */
import type { ApiObject } from '../apiserver/object.ts'
import type { Condition } from './workload.ts'

export type Content = {
  readonly group: string
  readonly plural: string
  readonly objects: readonly ApiObject[]
}

const discovered: Condition = {
  type: 'NamespaceDeletionDiscoveryFailure',
  status: 'False',
  reason: 'ResourcesDiscovered',
  message: 'All resources successfully discovered',
}
const parsed: Condition = {
  type: 'NamespaceDeletionGroupVersionParsingFailure',
  status: 'False',
  reason: 'ParsedGroupVersions',
  message: 'All legacy kube types successfully parsed',
}
const deleted: Condition = {
  type: 'NamespaceDeletionContentFailure',
  status: 'False',
  reason: 'ContentDeleted',
  message: 'All content successfully deleted, may be waiting on finalization',
}

export function namespaceConditions(
  known: readonly Condition[] = [],
  { content, now }: { readonly content: readonly Content[]; readonly now: string },
): readonly Condition[] {
  const dated = (next: Condition): Condition => {
    const old = known.find(({ type }) => type === next.type)
    const { lastTransitionTime = now } = old?.status === next.status ? old : {}
    return { ...next, lastTransitionTime }
  }
  return [discovered, parsed, deleted, remaining(content), held(content)].map(dated)
}

function remaining(content: readonly Content[]): Condition {
  const type = 'NamespaceContentRemaining'
  const left = content
    .map(
      ({ plural, group, objects }) => `${plural}.${group} has ${objects.length} resource instances`,
    )
    .toSorted()
  return left.length === 0
    ? {
        type,
        status: 'False',
        reason: 'ContentRemoved',
        message: 'All content successfully removed',
      }
    : {
        type,
        status: 'True',
        reason: 'SomeResourcesRemain',
        message: `Some resources are remaining: ${left.join(', ')}`,
      }
}

function held(content: readonly Content[]): Condition {
  const type = 'NamespaceFinalizersRemaining'
  const counts = new Map<string, number>()
  for (const { metadata } of content.flatMap(({ objects }) => objects)) {
    for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const left = [...counts].map(([name, n]) => `${name} in ${n} resource instances`).toSorted()
  return left.length === 0
    ? {
        type,
        status: 'False',
        reason: 'ContentHasNoFinalizers',
        message: 'All content-preserving finalizers finished',
      }
    : {
        type,
        status: 'True',
        reason: 'SomeFinalizersRemain',
        message: `Some content in the namespace has finalizers remaining: ${left.join(', ')}`,
      }
}

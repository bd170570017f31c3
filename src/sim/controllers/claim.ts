/** A controller takes what matches its selector and has no other, and lets go what no longer matches. */
import type { OwnerReference } from '../../apis/object.ts'
import type { Api, ResourceRef } from '../apiserver/api.ts'
import type { ApiObject } from '../apiserver/object.ts'
import { matchesLabels } from '../label-selector.ts'
import { rewrite } from '../rewrite.ts'
import type { Children } from './children.ts'
import { selectorOf } from './follow.ts'
import { manager, ownerRefTo } from './workload.ts'

/** Returns all that are the owner's now; the index of children knows a moment later. */
export function claim<T extends ApiObject>(
  api: Api,
  {
    of,
    owner,
    children,
    mayTake = () => true,
  }: {
    readonly of: ResourceRef
    readonly owner: ApiObject
    readonly children: Children<T>
    readonly mayTake?: (child: T) => boolean
  },
): readonly T[] {
  const { uid, namespace, deletionTimestamp } = owner.metadata
  const selector = selectorOf(owner)
  const setOwners = (
    object: T,
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
  ) =>
    rewrite(api, { of, object, by: { manager } }, (current) => {
      const ownerReferences = change(current.metadata.ownerReferences ?? [])
      return { ...current, metadata: { ...current.metadata, ownerReferences } }
    })
  const isWanted = ({ metadata }: T) => matchesLabels(selector, metadata.labels)

  const known = children.of(uid)
  const released = known.filter((child) => !isWanted(child))
  for (const child of released) {
    setOwners(child, (owners) => owners.filter((one) => one.uid !== uid))
  }
  const kept = released.length === 0 ? known : known.filter(isWanted)
  if (deletionTimestamp !== undefined) return kept
  const free = children
    .orphans(namespace)
    .filter((one) => one.metadata.deletionTimestamp === undefined && mayTake(one) && isWanted(one))
  if (free.length === 0) return kept
  const taken = free.flatMap(
    (orphan) => setOwners(orphan, (owners) => [...owners, ownerRefTo(owner)]) ?? [],
  )
  return [...kept, ...taken]
}

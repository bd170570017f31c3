/** What the controller keeps of a pod: small, and read once for each version of it. */
import { type Keep, only } from '../../apis/keep.ts'
import { mirrorAnnotation, prefix } from '../../apis/names.ts'
import { fieldsEntryKeep, type ObjectMeta, type OwnerReference, timeIn } from '../../apis/object.ts'
import { noteWriterKeep, originalNoteIn } from '../../apis/original-note.ts'
import { isSidecar } from '../../apis/pod-containers.ts'
import { cpuIn, type Pod, podKeep } from '../../apis/pod.ts'
import { systemNamespaces } from '../../core/bidding/unmanaged.ts'
import { InvalidInput } from '../../core/errors.ts'
import { parseOriginal } from '../../core/resize/original.ts'
import type { ContainerCpu } from '../../core/resize/types.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import { keyOf } from '../../runtime/store.ts'
import { claimOf } from './claims.ts'
import { podCpuOf, type PodOwnCpu } from './pod-cpu.ts'

export type SeenPod = {
  /** Name, UID and version, and what its owner says by annotations and labels of ours. */
  readonly metadata: ObjectMeta
  readonly key: string
  readonly uid: string
  readonly namespace: string
  readonly nodeName: string | undefined
  readonly cpu: PodOwnCpu
  /** By name: they are written in another list than the containers. */
  readonly sidecars: readonly string[]
  /** What it keeps from the others of its node. */
  readonly claim: Millicores
  readonly overhead: Millicores
  readonly owner: OwnerReference | undefined
  /** Run by a kubelet from a file: the API cannot resize it. */
  readonly isMirror: boolean
  /** What it had before we first changed it; undefined while we did not. */
  readonly original: readonly ContainerCpu[] | undefined
  /** That stands on it, in our name. */
  readonly isNoted: boolean
  /** By the wall clock, to the second; of whoever resized it. */
  readonly resizedAt: Millis | undefined
}

const MOST_RESIZES = 8

/** What is read of a pod, also who resized it. */
export const seenPodKeep: Keep = {
  ...podKeep,
  metadata: {
    ...podKeep.metadata,
    managedFields: {
      ...(fieldsEntryKeep as object),
      ...noteWriterKeep,
      // Of resizes no more than this, so that they never take the room of the note's writer.
      [only]: (entry, count) =>
        noteWriterKeep[only](entry) || (entry['subresource'] === 'resize' && count < MOST_RESIZES),
    },
  },
}

export function seePod(pod: Pod): SeenPod {
  const { metadata, spec } = pod
  const { uid = '', namespace = '', annotations = {}, ownerReferences = [] } = metadata
  // Where we never act there is nothing to undo, whatever is noted.
  const note = systemNamespaces.has(namespace) ? undefined : originalNoteIn(metadata)
  const original = note === undefined ? undefined : originalIn(note)
  return {
    metadata: projectMeta(metadata),
    key: keyOf(pod),
    uid,
    namespace,
    nodeName: spec.nodeName,
    cpu: podCpuOf(pod),
    sidecars: (spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name),
    claim: claimOf(pod),
    overhead: cpuIn(spec.overhead) ?? (0 as Millicores),
    owner: ownerReferences.find(({ controller }) => controller === true),
    isMirror: annotations[mirrorAnnotation] !== undefined,
    original,
    isNoted: original !== undefined,
    resizedAt: resizedAtOf(metadata),
  }
}

/** Anybody may write an annotation: one that says nothing is none, and is written anew. */
function originalIn(text: string): readonly ContainerCpu[] | undefined {
  try {
    return parseOriginal(text)
  } catch (error) {
    if (error instanceof InvalidInput) return undefined
    throw error
  }
}

const ours = (words: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(words).filter(([name]) => name.startsWith(prefix)))

const projectMeta = (metadata: ObjectMeta): ObjectMeta => ({
  name: metadata.name ?? '',
  namespace: metadata.namespace ?? '',
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
  annotations: ours(metadata.annotations),
  labels: ours(metadata.labels),
})

/**
 * The server itself notes the moment of a resize, with the resize: a controller that was killed
 * before it could note anything leaves it to the next one.
 */
function resizedAtOf({ managedFields = [] }: ObjectMeta): Millis | undefined {
  const times = managedFields.flatMap(({ subresource, time }) =>
    subresource === 'resize' ? (timeIn(time) ?? []) : [],
  )
  return times.length === 0 ? undefined : (Math.max(...times) as Millis)
}

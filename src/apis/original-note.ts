/**
 * Whose the note of original values on a pod is. Anybody who may write a pod may write an annotation;
 * `policy-original.yaml` keeps all but the controller from this one. Where that is not installed, or a
 * template brought the note with it, the server's own record of who wrote which field tells ours from
 * others. One that nobody is recorded to have written is not ours: anybody may clear the record, and
 * the controller applies its note, which is recorded even then.
 */
import { atMost, type Keep, only, short } from './keep.ts'
import { fieldManagers, originalAnnotation } from './names.ts'
import type { FieldsEntry, KubeObject, ObjectMeta } from './object.ts'

/** What is read of an entry to know whose the note is. */
export const noteWriterKeep = {
  manager: short,
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${originalAnnotation}`]: {} } } },
  [only]: isOurs,
  [atMost]: 16,
} as const satisfies Keep

/** A pod without the record of its writers, and without the note if it is not ours. */
export function withoutForeignNote<T extends KubeObject>(object: T): T {
  const { managedFields = [], ...rest } = object.metadata
  if (!isForeignNote({ managedFields, ...rest })) return { ...object, metadata: rest }
  const { [originalAnnotation]: _, ...annotations } = rest.annotations ?? {}
  return { ...object, metadata: { ...rest, annotations } }
}

/** Undefined where there is none, or it is not ours. */
export function originalNoteIn(metadata: ObjectMeta): string | undefined {
  return isForeignNote(metadata) ? undefined : metadata.annotations?.[originalAnnotation]
}

/** There is one, and it is not recorded that our controller wrote it. */
export function isForeignNote({ annotations, managedFields = [] }: ObjectMeta): boolean {
  if (annotations?.[originalAnnotation] === undefined) return false
  return !managedFields.some(isOurs)
}

/** Our controller wrote the note. Others who did so are not read: they could be more than are kept. */
function isOurs({ manager, fieldsV1 }: FieldsEntry): boolean {
  const annotations = fieldsV1?.['f:metadata']?.['f:annotations']
  const isOfNote = annotations?.[`f:${originalAnnotation}`] !== undefined
  return isOfNote && manager === fieldManagers.controller
}

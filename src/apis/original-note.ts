/**
 * Whose the note of original values on a pod is. Anybody who may write a pod may write an annotation;
 * `policy-original.yaml` keeps all but the controller from this one. Where that is not installed, or a
 * template brought the note with it, the server's own record of who wrote which field tells ours from
 * others. A note that nobody is recorded to have written is ours: records may be taken away, and who
 * could do that could write under our name as well.
 */
import { type Keep, short } from './keep.ts'
import { fieldManagers, originalAnnotation } from './names.ts'
import type { FieldsEntry, KubeObject, ObjectMeta } from './object.ts'

/** What is read of an entry to know whose the note is. */
export const noteWriterKeep = {
  manager: short,
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${originalAnnotation}`]: {} } } },
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

/** There is one, and another than our controller wrote it. */
export function isForeignNote({ annotations, managedFields = [] }: ObjectMeta): boolean {
  if (annotations?.[originalAnnotation] === undefined) return false
  const writers = managedFields.filter(wroteNote)
  return writers.length > 0 && writers.every(({ manager }) => manager !== fieldManagers.controller)
}

function wroteNote({ fieldsV1 }: FieldsEntry): boolean {
  const annotations = fieldsV1?.['f:metadata']?.['f:annotations']
  return annotations?.[`f:${originalAnnotation}`] !== undefined
}

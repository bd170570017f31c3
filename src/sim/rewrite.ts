/** Writes on what is stored now, whatever an event told before. */
import type { Api, ResourceRef, WriteBy } from './apiserver/api.ts'
import { type ApiObject, placeOf } from './apiserver/object.ts'

/** Undefined, and nothing done, if the object is gone or another of its name is there. */
export function rewrite<T extends ApiObject>(
  api: Api,
  { of, object, by }: { readonly of: ResourceRef; readonly object: T; readonly by: WriteBy },
  change: (current: T) => T,
): T | undefined {
  const current = api.find(of, placeOf(object)) as T | undefined
  if (current === undefined || current.metadata.uid !== object.metadata.uid) return undefined
  const next = change(current)
  return next === current ? current : (api.update(of, next, by) as T)
}

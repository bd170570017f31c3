/** Objects inside objects (`x-kubernetes-embedded-resource`): they need a kind and a version. */
import { required, wrong } from '../kinds/validate/field-errors.ts'
import { checkRfc1035Label } from '../kinds/validate/names.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { child, keyed, propertyOf, type Schema, valuesOf } from './schema.ts'

export function checkEmbedded(
  value: Json | undefined,
  schema: Schema,
  path = '',
): readonly FieldError[] {
  const { items } = schema
  if (Array.isArray(value)) {
    if (!items) return []
    return (value as readonly Json[]).flatMap((item, i) =>
      checkEmbedded(item, items, keyed(path, i)),
    )
  }
  if (!isJsonObject(value)) return []
  const values = valuesOf(schema)
  return [
    ...(schema['x-kubernetes-embedded-resource'] ? checkType(value, path) : []),
    ...Object.entries(value).flatMap(([name, part]) => {
      const of = propertyOf(schema, name)
      if (of) return checkEmbedded(part, of, child(path, name))
      return values ? checkEmbedded(part, values, keyed(path, name)) : []
    }),
  ]
}

function checkType(object: JsonObject, path: string): readonly FieldError[] {
  const { apiVersion, kind } = object
  const errors: FieldError[] = []
  for (const name of ['apiVersion', 'kind']) {
    if (object[name] === undefined) errors.push(required(child(path, name)))
  }
  const versionPath = child(path, 'apiVersion')
  if (apiVersion !== undefined) {
    if (typeof apiVersion !== 'string') {
      errors.push(wrong(versionPath, apiVersion, 'must be a string'))
    } else if (apiVersion === '') errors.push(wrong(versionPath, '', 'must not be empty'))
    else if (apiVersion.split('/').length > 2) {
      const detail = `unexpected GroupVersion string: ${apiVersion}`
      errors.push(wrong(versionPath, apiVersion, detail))
    }
  }
  const kindPath = child(path, 'kind')
  if (kind !== undefined) {
    if (typeof kind !== 'string') errors.push(wrong(kindPath, kind, 'must be a string'))
    else if (kind === '') errors.push(wrong(kindPath, '', 'must not be empty'))
    else {
      const faults = checkRfc1035Label(kind.toLowerCase())
      if (faults.length > 0) {
        const detail = `may have mixed case, but should otherwise match: ${faults.join(',')}`
        errors.push(wrong(kindPath, kind, detail))
      }
    }
  }
  return errors
}

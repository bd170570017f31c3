/** Keywords about how lists and maps merge, and what they demand of each other. */
import { forbiddenField, required, unsupported, wrong } from '../kinds/validate/field-errors.ts'
import type { FieldError } from '../refusal.ts'
import { child, keyed, propertyOf, type Schema } from './schema.ts'

export function checkListType(schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const at = (name: string): string => child(path, name)
  const { type = '', items } = schema
  const mapType = schema['x-kubernetes-map-type']
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const mustBe = (wanted: string, keyword: string): FieldError => {
    const detail = `must be ${wanted} if ${keyword} is specified`
    return type === '' ? required(at('type'), detail) : wrong(at('type'), type, detail)
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const field = at('x-kubernetes-preserve-unknown-fields')
    errors.push(wrong(field, false, 'must be true or undefined'))
  }
  if (mapType !== undefined && type !== 'object')
    errors.push(mustBe('object', 'x-kubernetes-map-type'))
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(unsupported(at('x-kubernetes-map-type'), mapType, ['atomic', 'granular']))
  }
  if (listType !== undefined && type !== 'array')
    errors.push(mustBe('array', 'x-kubernetes-list-type'))
  else if (listType === 'set') errors.push(...checkSetItems(schema, path))
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(unsupported(at('x-kubernetes-list-type'), listType, ['atomic', 'set', 'map']))
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const field = at('x-kubernetes-list-type')
    errors.push(listType === undefined ? required(field, detail) : wrong(field, listType, detail))
  }
  if (listType === 'map') errors.push(...checkKeys(schema, path))
  if ((listType === 'map' || listType === 'set') && items?.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`
    errors.push(forbiddenField(child(at('items'), 'nullable'), detail))
  }
  if (listType === 'map' && items) errors.push(...checkKeyProperties(items, keys, at('items')))
  return errors
}

function checkSetItems({ items }: Schema, path: string): readonly FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const at = (name: string): string => child(child(path, 'items'), name)
  const list = items?.['x-kubernetes-list-type']
  if (items?.type === 'array' && list !== undefined && list !== 'atomic') {
    return [wrong(at('x-kubernetes-list-type'), list, detail)]
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [wrong(at('x-kubernetes-map-type'), null, detail)]
  }
  return []
}

function checkKeys({ items, ...schema }: Schema, path: string): readonly FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const keysPath = child(path, 'x-kubernetes-list-map-keys')
  const errors: FieldError[] = []
  if (keys.length === 0) {
    errors.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'))
  }
  if (!items) {
    errors.push(
      required(child(path, 'items'), 'must have a schema if x-kubernetes-list-type is map'),
    )
  } else if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    errors.push(wrong(child(path, 'items.type'), items.type ?? '', detail))
  } else {
    for (const [i, key] of keys.entries()) {
      const property = propertyOf(items, key)
      if (!property) {
        const detail = 'entries must all be names of item properties'
        errors.push(wrong(keysPath, keys, detail))
      } else if (property.type === 'array' || property.type === 'object') {
        const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
        const field = child(keyed(child(path, 'items.properties'), key), 'type')
        errors.push(wrong(field, items.type, detail))
      }
      if (keys.indexOf(key) < i) {
        errors.push(wrong(keysPath, keys, 'must not contain duplicate entries'))
      }
    }
  }
  return errors
}

function checkKeyProperties(
  items: Schema,
  keys: readonly string[],
  path: string,
): readonly FieldError[] {
  const because = 'this property is in x-kubernetes-list-map-keys, so it'
  return keys.flatMap((key) => {
    const property = propertyOf(items, key)
    const at = keyed(child(path, 'properties'), key)
    if (!property) return []
    const isSure = items.required?.includes(key) || property.default !== undefined
    return [
      ...(isSure
        ? []
        : [
            required(
              child(at, 'default'),
              `${because} must have a default or be a required property`,
            ),
          ]),
      ...(property.nullable
        ? [forbiddenField(child(at, 'nullable'), `${because} cannot be nullable`)]
        : []),
    ]
  })
}

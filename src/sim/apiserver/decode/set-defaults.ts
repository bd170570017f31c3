/**
 * The defaults of a shape: of a CRD those in its schema; of a built-in kind what Go writes in any
 * case (`resources: {}`, `ready: false`) and a port's protocol. Defaults of a kind that depend on
 * other fields are its strategy's.
 */
import { isJsonObject, type JsonObject } from '../object.ts'
import type { Field, ObjectShape, Shape } from '../shape.ts'
import { rebuildItems, rebuildMembers } from './rebuild.ts'

/** Specs, statuses and metadata that are complete, as decode.ts remembers what it has read. */
const completed = new WeakMap<object, Shape>()

/** Into what is missing, also within what is there and within defaults; never where `null` may be. */
export function setDefaults<T extends JsonObject>(object: T, shape: ObjectShape): T {
  return completeObject(object, shape, (part, partShape) => {
    if (!isJsonObject(part)) return complete(part, partShape)
    if (completed.get(part) === partShape) return part
    const next = complete(part, partShape)
    if (isJsonObject(next)) completed.set(next, partShape)
    return next
  })
}

function completeObject<T extends JsonObject>(
  object: T,
  shape: ObjectShape,
  completeMember: (value: unknown, shape: Shape) => unknown,
): T {
  const members = rebuildMembers(object, (key, old) => {
    const field = shape.fields.get(key)
    return field ? completeMember(old, field.shape) : old
  })
  const missing: [string, unknown][] = []
  for (const [name, value] of defaultsOf(shape)) {
    const has = Object.hasOwn(members, name) ? members[name] : undefined
    if (has === undefined || (has === null && !isNullable(shape.fields.get(name)))) {
      missing.push([name, value])
    }
  }
  return missing.length === 0 ? members : { ...members, ...Object.fromEntries(missing) }
}

function complete(value: unknown, shape: Shape): unknown {
  if (shape.type === 'object') {
    return isJsonObject(value) ? completeObject(value, shape, complete) : value
  }
  if (shape.type === 'list' && Array.isArray(value)) {
    return rebuildItems(value, (item) => complete(item, shape.items))
  }
  if (shape.type === 'map' && isJsonObject(value)) {
    return rebuildMembers(value, (_, member) => complete(member, shape.values))
  }
  return value
}

const isNullable = (field: Field | undefined): boolean =>
  field?.shape.type === 'any' || field?.shape.nullable === true

/** What an absent field becomes is the same every time, so it is worked out once for a shape. */
const known = new WeakMap<ObjectShape, readonly (readonly [string, unknown])[]>()

function defaultsOf(shape: ObjectShape): readonly (readonly [string, unknown])[] {
  const found = known.get(shape)
  if (found) return found
  const defaults = [...shape.fields]
    .filter(([, field]) => field.default !== undefined)
    .map(([name, field]) => [name, complete(field.default, field.shape)] as const)
  known.set(shape, defaults)
  return defaults
}

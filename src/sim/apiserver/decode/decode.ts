/**
 * What came in as an object of a shape: unknown fields gone, scalars in canonical form, and what Go
 * would not write absent. Built-in types are checked as Go's decoder does; values of CRDs keep a
 * wrong type, since validation by the schema tells of it.
 */
import { isJsonObject, type JsonObject } from '../object.ts'
import { badRequest, type Refusal } from '../refusal.ts'
import type { ListShape, MapShape, ObjectShape, Shape } from '../shape.ts'
import { goTypeOf, placeInGo } from './go.ts'
import { rebuildItems, rebuildMembers } from './rebuild.ts'
import { readScalar } from './scalar.ts'
import { Unreadable, WrongType } from './unreadable.ts'
import { isZero, zeroOf } from './zero.ts'

export type UnknownFields = 'refuse' | 'warn' | 'drop'

type Decoded = { readonly object: JsonObject; readonly warnings: readonly string[] }

/** As many as the real server tells of. */
const MOST_UNKNOWN = 100

type State = {
  /** To the value at hand: fields, keys of maps, indices of lists. */
  readonly path: (string | number)[]
  readonly unknown: string[]
  /** Within a built-in type, not in what a CRD describes. */
  isTyped: boolean
}

export function decode(
  value: unknown,
  shape: ObjectShape,
  { unknown: mode }: { readonly unknown: UnknownFields },
): Decoded {
  const state: State = { path: [], unknown: [], isTyped: shape.typeName !== undefined }
  let object: unknown
  try {
    object = visitObject(value, shape, state)
  } catch (error) {
    throw refusalOf(error, { value, shape, path: state.path })
  }
  if (!isJsonObject(object)) throw cannotHandle(value, shape, 'expected an object')
  if (mode === 'drop' || state.unknown.length === 0) return { object, warnings: [] }
  // Go meets fields in the order of the document, pruning by a schema in that of their names.
  const paths = shape.typeName === undefined ? state.unknown.toSorted() : state.unknown
  const warnings = paths.slice(0, MOST_UNKNOWN).map((path) => `unknown field "${path}"`)
  if (mode === 'warn') return { object, warnings }
  throw cannotHandle(value, shape, `strict decoding error: ${warnings.join(', ')}`)
}

function visit(value: unknown, shape: Shape, state: State): unknown {
  if (shape.type === 'any') return value
  if (shape.type === 'object') return visitObject(value, shape, state)
  if (shape.type === 'map') return visitMap(value, shape, state)
  if (shape.type === 'list') return visitList(value, shape, state)
  return state.isTyped ? readScalar(value, shape) : value
}

function visitMap(value: unknown, shape: MapShape, state: State): unknown {
  if (!isJsonObject(value)) return otherType(value, shape, state)
  return rebuildMembers(value, (key, old) => {
    if (old === null && state.isTyped) return zeroOf(shape.values)
    return visitMember(old, shape.values, { key, state })
  })
}

function visitList(value: unknown, shape: ListShape, state: State): unknown {
  if (!Array.isArray(value)) return otherType(value, shape, state)
  return rebuildItems(value, (old, i) => {
    if (old === null) return state.isTyped ? zeroOf(shape.items) : null
    return visitMember(old, shape.items, { key: i, state })
  })
}

type Member = { readonly key: string | number; readonly state: State }

function visitMember(value: unknown, shape: Shape, { key, state }: Member): unknown {
  if (value === undefined) return undefined
  if (value === null) {
    const stays = !state.isTyped && (shape.type === 'any' || shape.nullable === true)
    return stays ? null : undefined
  }
  state.path.push(key)
  const next = visit(value, shape, state)
  state.path.pop()
  return next
}

/**
 * Specs, statuses and metadata that came out of here, with the shape that they were read by. Objects
 * are never changed, so that a write of the status need not read the same spec again.
 */
const readBefore = new WeakMap<object, ObjectShape>()

function visitObject(value: unknown, shape: ObjectShape, state: State): unknown {
  const wasTyped = state.isTyped
  state.isTyped = shape.typeName !== undefined
  if (!isJsonObject(value)) return otherType(value, shape, state)
  const isPart = state.path.length === 1
  if (isPart && readBefore.get(value) === shape) {
    state.isTyped = wasTyped
    return value
  }
  const next = rebuildMembers(value, (key, old) => {
    const field = shape.fields.get(key)
    if (!field) {
      if (shape.keepsUnknown === true) return old
      if (old !== undefined) state.unknown.push(show([...state.path, key]))
      return undefined
    }
    const member = visitMember(old, field.shape, { key, state })
    return field.omitsZero === true && isZero(member) ? undefined : member
  })
  if (isPart) readBefore.set(next, shape)
  state.isTyped = wasTyped
  return next
}

function otherType(value: unknown, shape: Shape, { isTyped }: State): unknown {
  if (isTyped) throw new WrongType(value, goTypeOf(shape))
  return value
}

/** `spec.containers[0].foo` */
const show = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1)

function refusalOf(
  error: unknown,
  at: { value: unknown; shape: ObjectShape; path: readonly (string | number)[] },
): unknown {
  if (error instanceof Unreadable) return cannotHandle(at.value, at.shape, error.message)
  if (!(error instanceof WrongType)) return error
  const said = `json: cannot unmarshal ${error.got} into ${placeInGo(at.shape, at.path)} of type ${error.goType}`
  return cannotHandle(at.value, at.shape, said)
}

function cannotHandle(value: unknown, shape: ObjectShape, why: string): Refusal {
  const said: JsonObject = isJsonObject(value) ? value : {}
  const [ownVersion, ownKind] = shape.typeName?.split('.').slice(-2) ?? []
  const kind = stringOf(said['kind']) ?? ownKind
  const version = stringOf(said['apiVersion'])?.split('/').at(-1) ?? ownVersion
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${ownKind ?? kind}: ${why}`,
  )
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

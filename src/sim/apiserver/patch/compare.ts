/**
 * Which fields a write changed. Equal subtrees are recognised by identity first: the cost is that of the
 * fields around what changed, whatever the size of the object.
 */
import { memberOf } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ObjectShape, Shape } from '../shape.ts'
import { compareItems } from './compare-items.ts'
import { type Comparison, gather, type Gathered, note, sum, type Whole } from './comparison.ts'
import { none } from './field-set.ts'
import { jsonEqual } from './json-equal.ts'
import { fieldElement, namedElement } from './path-element.ts'
import { isLeaf, isVoid, shapeOfField } from './typed.ts'

/** Nobody owns these. */
const unownedMeta: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'generation',
  'managedFields',
  'resourceVersion',
])
const unowned: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
const noFields: JsonObject = {}

/** Two states of an object, without what nobody can own; undefined if they are the same. */
export function compareObjects(
  old: JsonObject | undefined,
  next: JsonObject,
  shape: ObjectShape,
): Comparison | undefined {
  const gathered = gather()
  const before = old ?? noFields
  visitFields(before, next, { shape, gathered, skip: unowned })
  const metadata = shape.fields.get('metadata')?.shape
  const [oldMeta, nextMeta] = [fieldsOf(before['metadata']), fieldsOf(next['metadata'])]
  if (metadata && oldMeta !== nextMeta) {
    const below = gather()
    visitFields(oldMeta, nextMeta, { shape: metadata, gathered: below, skip: unownedMeta })
    note(gathered, fieldElement('metadata'), below)
  }
  return sum(gathered, 'stayed')
}

const fieldsOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : noFields)

const added: Comparison = { changed: none, removed: undefined }
const gone: Comparison = { changed: undefined, removed: none }

/** `always`: the real server has the field on both sides, if only empty. */
export function compareValues(
  old: Json | undefined,
  next: Json | undefined,
  shape: Shape,
  always = false,
): Comparison | undefined {
  if (old === next) return undefined
  const leaf = isLeaf(shape, old ?? next) || isLeaf(shape, next ?? old)
  if (leaf || (isVoid(old) && isVoid(next))) {
    if (next === undefined) return gone
    return old !== undefined && jsonEqual(old, next) ? undefined : added
  }
  const gathered = gather()
  const whole = always ? 'stayed' : wholeOf(old, next)
  if (shape.type === 'list') {
    const compare = (a: Json | undefined, b: Json | undefined): Comparison | undefined =>
      compareValues(a, b, shape.items)
    compareItems(old, next, { list: shape, gathered, compare })
  } else visitFields(fieldsOf(old), fieldsOf(next), { shape, gathered, whole })
  return sum(gathered, whole)
}

const wholeOf = (old: Json | undefined, next: Json | undefined): Whole => {
  if (old === undefined) return 'came'
  return next === undefined ? 'went' : 'stayed'
}

type FieldsAt = {
  readonly shape: Shape
  readonly gathered: Gathered
  readonly skip?: ReadonlySet<string>
  readonly whole?: Whole
}

function visitFields(old: JsonObject, next: JsonObject, at: FieldsAt): void {
  const { skip } = at
  for (const name in next) {
    const before = memberOf(old, name)
    if (before !== next[name] && skip?.has(name) !== true) visitField(before, next[name], name, at)
  }
  for (const name in old) {
    if (memberOf(next, name) === undefined && old[name] !== undefined && skip?.has(name) !== true) {
      visitField(old[name], undefined, name, at)
    }
  }
}

function visitField(
  old: Json | undefined,
  next: Json | undefined,
  name: string,
  at: FieldsAt,
): void {
  const { shape, gathered, whole = 'stayed' } = at
  const below = shapeOfField(shape, name)
  if (below === undefined) return
  const isStruct = shape.type === 'object'
  const always = isStruct && whole === 'stayed' && isAlwaysWritten(shape, name)
  const found = compareValues(old, next, below, always)
  if (found) note(gathered, isStruct ? namedElement(name) : fieldElement(name), found)
}

/**
 * The real server compares Go structs: a field that is no pointer and is written even if empty
 * (a Deployment's `spec`, a pod's `containers`) is there before and after, so only what is in it changes.
 */
function isAlwaysWritten({ typeName, fields }: ObjectShape, name: string): boolean {
  if (typeName === undefined) return false
  const field = fields.get(name)
  return field?.required === true || isJsonObject(field?.default)
}

/**
 * A schema as Go's decoder reads it: what is null is as absent, and a member of another type than Go's
 * struct has refuses the whole, so that nobody who reads a schema later meets what it cannot be.
 */
import { rebuildItems, rebuildMembers } from '../decode/rebuild.ts'
import { readScalar } from '../decode/scalar.ts'
import { WrongType } from '../decode/unreadable.ts'
import { isJsonObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { Schema } from './schema.ts'

/** Where a value is: the struct and its fields, as Go names them. */
type Place = { readonly struct: string; readonly fields: string }
type Read = (value: unknown, place: Place) => unknown

const root: Place = {
  struct: 'CustomResourceValidation',
  fields: 'spec.versions.schema.openAPIV3Schema',
}

export const readSchema = (written: unknown): Schema => schema(written, root) as Schema

const refuse = (why: string): never => {
  throw badRequest(
    `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: ${why}`,
  )
}

function misfit(error: WrongType, { struct, fields }: Place): never {
  const field = struct === '' ? 'Go value' : `Go struct field ${struct}.${fields}`
  return refuse(`json: cannot unmarshal ${error.got} into ${field} of type ${error.goType}`)
}

const scalar =
  (shape: Parameters<typeof readScalar>[1]): Read =>
  (value, place) => {
    try {
      return readScalar(value, shape)
    } catch (error) {
      if (!(error instanceof WrongType)) throw error
      return misfit(error, place)
    }
  }

const structOf =
  (struct: string, membersOf: () => ReadonlyMap<string, Read>): Read =>
  (value, place) => {
    if (!isJsonObject(value)) return misfit(new WrongType(value, `v1.${struct}`), place)
    return rebuildMembers(value, (name, old) => {
      const read = membersOf().get(name)
      if (!read || read === any) return old
      return old === null ? undefined : read(old, { struct, fields: `${place.fields}.${name}` })
    })
  }

/** In lists and maps, null is Go's zero. */
const listOf =
  (item: Read, goType: string, zero: unknown = {}): Read =>
  (value, place) =>
    Array.isArray(value)
      ? rebuildItems(value, (one) => (one === null ? zero : item(one, place)))
      : misfit(new WrongType(value, `[]${goType}`), place)

const mapOf =
  (member: Read, goType: string): Read =>
  (value, place) =>
    isJsonObject(value)
      ? rebuildMembers(value, (_, one) => (one === null ? {} : member(one, place)))
      : misfit(new WrongType(value, `map[string]${goType}`), place)

const any: Read = (value) => value
const string = scalar({ type: 'string' })
const boolean = scalar({ type: 'boolean' })
const number = scalar({ type: 'number' })
const integer = scalar({ type: 'integer', format: 'int64' })
const schema = structOf('JSONSchemaProps', () => members)

/** What reads itself in Go, and does not know where it is. */
const own = { struct: '', fields: '' }
const items: Read = (value) =>
  Array.isArray(value) ? rebuildItems(value, (one) => schema(one, own)) : schema(value, own)
const schemaOrBool: Read = (value) => {
  if (typeof value === 'boolean') return value
  return isJsonObject(value) ? schema(value, own) : refuse('boolean or JSON schema expected')
}

const each = (read: Read, ...names: readonly string[]) => names.map((name) => [name, read] as const)
const ruleMembers: ReadonlyMap<string, Read> = new Map([
  ...each(string, 'rule', 'message', 'messageExpression', 'reason', 'fieldPath'),
  ...each(boolean, 'optionalOldSelf'),
])
const rule = structOf('ValidationRule', () => ruleMembers)
const strings = listOf(string, 'string', '')
const schemas = listOf(schema, 'v1.JSONSchemaProps')
const schemaMap = mapOf(schema, 'v1.JSONSchemaProps')

const members: ReadonlyMap<string, Read> = new Map([
  ...each(string, 'id', '$schema', '$ref', 'description', 'type', 'format', 'title', 'pattern'),
  ...each(string, 'x-kubernetes-list-type', 'x-kubernetes-map-type'),
  ...each(number, 'maximum', 'minimum', 'multipleOf'),
  ...each(integer, 'maxLength', 'minLength', 'maxItems', 'minItems'),
  ...each(integer, 'maxProperties', 'minProperties'),
  ...each(boolean, 'exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems', 'nullable'),
  ...each(boolean, 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'),
  ...each(boolean, 'x-kubernetes-int-or-string'),
  ...each(strings, 'required', 'x-kubernetes-list-map-keys'),
  ...each(schemas, 'allOf', 'oneOf', 'anyOf'),
  ...each(schema, 'not'),
  ...each(schemaMap, 'properties', 'patternProperties', 'definitions'),
  ...each(items, 'items'),
  ...each(schemaOrBool, 'additionalProperties', 'additionalItems'),
  ...each(listOf(any, 'v1.JSON', null), 'enum'),
  ...each(listOf(rule, 'v1.ValidationRule'), 'x-kubernetes-validations'),
  ...each(any, 'default', 'example'),
])

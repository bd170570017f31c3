/** The CEL type of a schema, and how JSON becomes a value of it. */
import type { Environment } from '@marcbachmann/cel-js'

import { memberOf } from '../../members.ts'
import { isJsonObject, type Json } from '../../object.ts'
import { propertiesOf, type Schema, valuesOf } from '../schema.ts'
import { baseEnvironment } from './base.ts'
import { isEqual } from './equality.ts'

export type CelType = {
  /** As the library writes types: `list<string>`. */
  readonly name: string
  readonly from: (value: Json) => unknown
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/** How a property is written in an expression; undefined if it cannot be. */
function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_.\-/][\w.\-/]*$/.test(name)) return undefined
  return reserved.has(name)
    ? `__${name}__`
    : name.replace(/__|[.\-/]/g, (part) => escapes[part] ?? part)
}

const metadata: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}
const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata }

/** Every resource, embedded ones too, has these, whatever its schema says. */
const asResource = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...typeMeta },
})

function asInt(value: Json): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}

const scalars: Readonly<Record<string, CelType>> = {
  string: { name: 'string', from: (value) => value },
  boolean: { name: 'bool', from: (value) => value },
  number: { name: 'double', from: (value) => value },
  integer: { name: 'int', from: asInt },
}
const timestamp: CelType = {
  name: 'google.protobuf.Timestamp',
  from: (value) => (typeof value === 'string' ? new Date(value) : value),
}
const durations = baseEnvironment.clone({ unlistedVariablesAreDyn: true }).parse('duration(text)')
const duration: CelType = {
  name: 'google.protobuf.Duration',
  from: (text): unknown => durations({ text }),
}
const bytes: CelType = {
  name: 'bytes',
  from: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value),
}
const intOrString: CelType = { name: 'dyn', from: asInt }

/** Registers the types of objects in `env`; undefined where expressions cannot see the value. */
export function declareType(
  env: Environment,
  schema: Schema,
  isResource: boolean,
): CelType | undefined {
  let count = 0
  const typeOf = (of: Schema): CelType | undefined => {
    if (of['x-kubernetes-int-or-string']) return intOrString
    if (of.type === 'array') return listOf(of)
    if (of.type === 'object') return valuesOf(of) ? mapOf(of) : objectOf(of)
    if (of.type === 'string') {
      if (of.format === 'byte') return bytes
      if (of.format === 'duration') return duration
      if (of.format === 'date' || of.format === 'date-time') return timestamp
    }
    return memberOf(scalars, of.type ?? '')
  }

  /** The library lets no typed value be null: what may be is not typed. */
  const partOf = (of: Schema): CelType | undefined => {
    const type = typeOf(of['x-kubernetes-embedded-resource'] ? asResource(of) : of)
    if (!type || !of.nullable) return type
    return { name: 'dyn', from: (value) => (value === null ? null : type.from(value)) }
  }

  const listOf = (of: Schema): CelType | undefined => {
    const item = of.items && partOf(of.items)
    if (!item) return undefined
    // Sets of scalars are equal in any order, which is what a Set does.
    const isSet = of['x-kubernetes-list-type'] === 'set' && of.items?.type !== 'object'
    const from = (value: Json): unknown => {
      const list = Array.isArray(value) ? (value as readonly Json[]).map(item.from) : []
      return isSet ? new Set(list) : list
    }
    return { name: `list<${item.name}>`, from }
  }

  const mapOf = (of: Schema): CelType | undefined => {
    const values = valuesOf(of)
    const value = values && partOf(values)
    if (!value) return undefined
    return {
      name: `map<string, ${value.name}>`,
      from: (object) =>
        new Map(entriesOf(object).map(([key, part]) => [key, value.from(part)] as const)),
    }
  }

  const objectOf = (of: Schema): CelType => {
    const fields = new Map<string, CelType & { readonly escaped: string }>()
    for (const [name, property] of propertiesOf(of)) {
      const escaped = escapeName(name)
      const type = partOf(property)
      if (escaped !== undefined && type) fields.set(name, { ...type, escaped })
    }
    class Fields extends Map<string, unknown> {}
    count += 1
    const name = `object${count}`
    const names = [...fields.values()].map((field) => [field.escaped, field.name] as const)
    env.registerType(name, { ctor: Fields, fields: Object.fromEntries(names) })
    env.registerOperator(`${name} == ${name}`, isEqual)
    env.registerOperator(`${name} == null`, () => false)
    const from = (object: Json): Fields => {
      const made = new Fields()
      for (const [key, part] of entriesOf(object)) {
        const field = fields.get(key)
        if (field) made.set(field.escaped, field.from(part))
      }
      return made
    }
    return { name, from }
  }

  return typeOf(isResource ? asResource(schema) : schema)
}

const entriesOf = (value: Json): readonly (readonly [string, Json])[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, part]]))
    : []

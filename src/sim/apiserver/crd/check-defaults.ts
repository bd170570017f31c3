/** Defaults must be what the schema itself takes. */
import { isDeepStrictEqual } from 'node:util'

import { decode } from '../decode/decode.ts'
import { wrong } from '../kinds/validate/field-errors.ts'
import { isJsonObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { growRules, runRules } from './cel/rules.ts'
import { checkValue } from './check-value.ts'
import { child, keyed, propertiesOf, type Schema } from './schema.ts'
import { shapeOf } from './shape.ts'

export function checkDefaults(schema: Schema, path: string): readonly FieldError[] {
  return [
    ...checkDefault(schema, child(path, 'default')),
    ...(schema.items ? checkDefaults(schema.items, child(path, 'items')) : []),
    ...propertiesOf(schema).flatMap(([name, property]) =>
      checkDefaults(property, keyed(child(path, 'properties'), name)),
    ),
  ]
}

function checkDefault(schema: Schema, path: string): readonly FieldError[] {
  const value = schema.default
  if (value === undefined) return []
  const shape = shapeOf(schema)
  const isPruned =
    shape.type !== 'object' ||
    !isJsonObject(value) ||
    isDeepStrictEqual(decode(value, shape, { unknown: 'drop' }).object, value)
  const errors = [
    ...(isPruned ? [] : [wrong(path, value, 'must not have unknown fields')]),
    ...checkValue(value, schema, { prefix: path }),
  ]
  const tree = growRules(schema, schema['x-kubernetes-embedded-resource'] ?? false)
  if (errors.length > 0 || !tree) return errors
  return runRules(tree, value, { path })
}
